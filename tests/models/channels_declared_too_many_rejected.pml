/* All declared channels together are at most 255, also those of a process that never runs.
 * expect: rejected */
chan c[100] = [1] of { byte };
proctype P() { chan d[156] = [1] of { byte }; skip }
init { skip }
