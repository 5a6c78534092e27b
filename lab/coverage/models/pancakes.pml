/* A stack of N pancakes; any number of those at the top is turned over together.
   Graph: all arrangements; N - 1 successors each, and few steps deep.
   Without reduction at the defaults: states=362881 transitions=2903042
   -DN=9 (N! states). */
#ifndef N
#define N 9
#endif

byte cake[N];

active proctype Cook() {
  byte top, bottom, kept;
  d_step {
    for (top : 0 .. N - 1) {
      cake[top] = top
    }
    top = 0
  }
end:
  do
  :: atomic {
       select(bottom : 1 .. N - 1);
       d_step {
         do
         :: top < bottom ->
            kept = cake[top];
            cake[top] = cake[bottom];
            cake[bottom] = kept;
            top++;
            bottom--
         :: else -> break
         od;
         top = 0; bottom = 0; kept = 0
       }
     }
  od
}
