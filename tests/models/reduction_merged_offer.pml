/* The same with merging: B must not come to its receive in one go with the step before.
 * expect: violated assertion  states=20 transitions=33 */
byte g, x, y;
chan c = [0] of { byte };
active proctype A() { atomic { g == 1 -> x = 1; c!1 } }
active proctype B() { byte z; g = 1; z = 1; c?y }
active proctype C() { assert(!(x == 1 && y == 0)) }
