/* The towers of Hanoi: N discs on three pegs, and any legal move at any time.
   Graph: a Sierpinski triangle, 2^N - 1 steps from corner to corner, whose parts touch in single states.
   Without reduction at the defaults: states=531441 transitions=1594324
   -DN=12 (3^N states). */
#ifndef N
#define N 12
#endif

byte peg[N];  // of each disc, the smallest first

active proctype Player() {
  byte disc;
end:
  do
  :: peg[0] = (peg[0] + 1) % 3
  :: peg[0] = (peg[0] + 2) % 3
  :: d_step {  // the smaller of the tops of the two other pegs goes to the other one
       disc = 1;
       do
       :: disc < N && peg[disc] == peg[0] -> disc++
       :: else -> break
       od;
       if
       :: disc < N -> peg[disc] = 3 - peg[0] - peg[disc]
       :: else
       fi;
       disc = 0
     }
  od
}
