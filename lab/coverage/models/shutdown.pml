/* A press with VALVES valves of POSITIONS positions each. When all but the last two are wide open, it
   may trip and is then shut down in COUNTDOWN ticks during which nothing else moves; then all valves are shut.
   Graph: a wide lattice with POSITIONS^2 exits, and behind each a line of COUNTDOWN states that leads back.
   Without reduction at the defaults: states=154765 transitions=574706
   -DVALVES=6, -DPOSITIONS=6, -DCOUNTDOWN=3000. */
#ifndef VALVES
#define VALVES 6
#endif
#ifndef POSITIONS
#define POSITIONS 6
#endif
#ifndef COUNTDOWN
#define COUNTDOWN 3000
#endif

byte valve[VALVES];
byte wide_open;  /* how many are, the last two not counted */
bool tripped;
short ticks;

#define WATCHED_AND_OPEN(v) (v < VALVES - 2 && valve[v] == POSITIONS - 1)

proctype Valve(byte me) {
  do
  :: d_step {
       !tripped && valve[me] < POSITIONS - 1 ->
       valve[me]++;
       wide_open = wide_open + WATCHED_AND_OPEN(me)
     }
  :: d_step {
       !tripped && valve[me] > 0 ->
       wide_open = wide_open - WATCHED_AND_OPEN(me);
       valve[me]--
     }
  od
}

active proctype Guard() {
  byte i;
  do
  :: atomic { wide_open == VALVES - 2 -> tripped = true };
     do
     :: atomic { ticks < COUNTDOWN -> ticks++ }
     :: else -> break
     od;
     assert(wide_open == VALVES - 2);
     d_step {
       for (i : 0 .. VALVES - 1) { valve[i] = 0 }
       i = 0; ticks = 0; wide_open = 0; tripped = false
     }
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. VALVES - 1) { run Valve(i) }
    i = 0
  }
}
