/* Whether B has come to its receive decides whether A's sequence is interrupted: B's local step is not alone.
 * SPIN's reduction loses the violation.
 * expect: violated assertion  states=17 transitions=28 */
byte x, y;
chan c = [0] of { byte };
active proctype A() { atomic { x = 1; c!1 } }
active proctype B() { byte z; z = 1; c?y }
active proctype C() { assert(!(x == 1 && y == 0)) }
