/* Sender and receiver find each other in any order; the two local effects are one step.
 * expect: holds  states=11 transitions=15 */
chan c = [0] of { byte, byte };
byte a, b;
active proctype S() { c!3, 4 }
active proctype R() { c?a, b; assert(a == 3 && b == 4) }
active proctype W() { assert((a == 0 && b == 0) || (a == 3 && b == 4)) }
