/* Without the message B's sequence is interrupted half-way, and C can see that.
 * expect: violated assertion  states=17 transitions=28 */
byte g;
chan c = [1] of { byte };
active proctype A() { c!1 }
active proctype B() { byte x; atomic { g = 1; c?x; g = 0 } }
active proctype C() { assert(g == 0) }
