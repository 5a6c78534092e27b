/* A batch plant: TANKS tanks are filled to LEVELS in any order (and drip), then heated together for HEATING
   ticks, then emptied in any order, and refilled from a spare supply while they are emptied.
   Graph: wide, then one line of HEATING states, then wide again: half of all states lie behind the line.
   Without reduction at the defaults: states=240303 transitions=2223531
   -DTANKS=6, -DLEVELS=6, -DHEATING=5000. */
#ifndef TANKS
#define TANKS 6
#endif
#ifndef LEVELS
#define LEVELS 6
#endif
#ifndef HEATING
#define HEATING 5000
#endif

mtype = { filling, heating, draining };

mtype phase = filling;
byte level[TANKS], brimful;
short heat;

proctype Tank(byte me) {
end:
  do
  :: d_step {
       phase == filling && level[me] < LEVELS ->
       level[me]++;
       if
       :: level[me] == LEVELS -> brimful++
       :: else
       fi
     }
  :: d_step { phase == filling && level[me] > 0 && level[me] < LEVELS -> level[me]-- }
  :: d_step { phase == draining && level[me] > 0 -> level[me]-- }
  :: d_step { phase == draining && level[me] > 0 && level[me] < LEVELS -> level[me]++ }
  od
}

active proctype Heater() {
  brimful == TANKS -> phase = heating;
  do
  :: atomic { heat < HEATING -> heat++ }
  :: else -> break
  od;
  assert(brimful == TANKS);
  d_step { heat = 0; brimful = 0; phase = draining }
}

init {
  byte i;
  atomic {
    for (i : 0 .. TANKS - 1) { run Tank(i) }
    i = 0
  }
}
