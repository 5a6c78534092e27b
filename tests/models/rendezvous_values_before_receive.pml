/* The sent expression is evaluated before the receiver stores anything.
 * expect: holds  states=5 transitions=5 */
chan c = [0] of { byte, byte };
byte x = 1, y = 2;
active proctype S() { c!y, x }
active proctype R() { c?x, y; assert(x == 2 && y == 1) }
