/* A counter that goes up or down by one.
   Graph: a line of L + 1 states, each with two successors, so that one confused state hides all behind it.
   Without reduction at the defaults: states=200001 transitions=400001
   -DL=200000. */
#ifndef L
#define L 200000
#endif

int n;

active proctype Counter() {
end:
  do
  :: d_step { n < L -> n++ }
  :: d_step { n > 0 -> n-- }
  od
}
