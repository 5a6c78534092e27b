/* A pipeline of STAGES stages with one place between neighbours. Each stage takes an item, adds one to
   its level and hands it on; the sink sees that no item left a stage out or overtook another.
   Graph: wide in the middle of its depth, strongly connected; holes and items move against each other.
   Without reduction at the defaults: states=186626 transitions=933124
   -DSTAGES=6. */
#ifndef STAGES
#define STAGES 6
#endif

chan place[STAGES + 1] = [1] of { byte, bool };  /* level, colour */

active proctype Source() {
  bool colour;
  do
  :: atomic { place[0]!0, colour; colour = !colour }
  od
}

proctype Stage(byte me) {
  byte level;
  bool colour;
  do
  :: place[me]?level, colour;
     level++;
     atomic { place[me + 1]!level, colour; level = 0; colour = 0 }
  od
}

active proctype Sink() {
  bool expected, colour;
  byte level;
  do
  :: d_step {
       place[STAGES]?level, colour;
       assert(level == STAGES && colour == expected);
       level = 0; colour = 0;
       expected = !expected
     }
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. STAGES - 1) { run Stage(i) }
    i = 0
  }
}
