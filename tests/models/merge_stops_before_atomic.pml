/* A loop around an atomic sequence that opens with a local statement: between two rounds another
 * process can set `done`, however eagerly local statements are merged.
 * expect: violated assertion  states=10 transitions=17 */
bit done;
active proctype A() {
  bit seen;
  do
  :: 1 -> atomic { assert(!seen); seen = done; if :: done && done == 0 -> break :: else -> skip fi }
  od
}
active proctype B() { done = 1 }
