/* A counter to L, and beside it W bits that change at any time.
   Graph: long and narrow, 2^W states wide.
   Without reduction at the defaults: states=320032 transitions=1920161
   -DL=10000, -DW=5. */
#ifndef L
#define L 10000
#endif
#ifndef W
#define W 5
#endif

int n;
bit b[W];

active proctype Counter() {
end:
  do
  :: d_step { n < L -> n++ }
  od
}
active [W] proctype Bit() {
end:
  do
  :: b[_pid - 1] = 1 - b[_pid - 1]
  od
}
