/* _ in a receive takes any value and stores none.
 * expect: holds  states=8 transitions=8 */
chan c = [2] of { byte, byte };
active proctype P() { byte x; c!1, 2; c!3, 4; c?_, x; assert(x == 2); c?_, _; empty(c) }
