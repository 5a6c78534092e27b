/* A channel is no number of a process.
 * expect: rejected */
byte x;
chan c = [1] of { byte };
active proctype A() { byte v; v = 1 }
init { x = A[c]:v }
