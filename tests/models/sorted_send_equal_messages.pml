/* Among equal messages the order does not matter, but an equal one goes behind.
 * expect: holds  states=9 transitions=9 */
chan c = [3] of { byte, byte };
active proctype P() { c!!1, 1; c!!1, 1; c!!0, 5; c?0, 5; c?1, 1; c?1, 1; empty(c) }
