/* A boiler tests itself for TEST ticks, alone; then water, steam, gauge and controller of pump and heater act
   side by side, while the gauge may fail and be repaired.
   Graph: a line of TEST states at the root, and everything wide and strongly connected behind it.
   Without reduction at the defaults: states=336326 transitions=1577637
   -DTEST=8000, -DLEVELS=10: levels of water. */
#ifndef TEST
#define TEST 8000
#endif
#ifndef LEVELS
#define LEVELS 10
#endif
#define UNKNOWN 255

bool pump, heater, gauge_broken;
byte water = LEVELS / 2, steam, pressure;

proctype Water() {
  do
  :: atomic { pump && water < LEVELS -> water++ }
  :: atomic { heater && water > 0 && steam < LEVELS -> water--; steam++ }
  od
}

proctype Steam() {
  do
  :: atomic { steam > 0 && pressure < LEVELS -> steam--; pressure++ }
  :: atomic { pressure > 0 -> pressure-- }
  od
}

proctype Gauge() {
  do
  :: gauge_broken = true; gauge_broken = false
  od
}

active proctype Controller() {
  short tick;
  byte seen;
  do
  :: atomic { tick < TEST -> tick++ }
  :: else -> break
  od;
  atomic { tick = 0; run Water(); run Steam(); run Gauge() };
  do
  :: seen = (gauge_broken -> UNKNOWN : water);
     if
     :: seen == UNKNOWN -> heater = false; pump = false
     :: else ->
        assert(seen <= LEVELS);
        pump = seen < LEVELS / 2;
        heater = seen > 1 && pressure < LEVELS / 2
     fi;
     seen = 0
  od
}
