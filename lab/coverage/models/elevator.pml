/* One cabin serves FLOORS floors. A floor has one call button, the cabin one button per floor; the
   controller keeps its direction while there is work ahead, and opens the door where it is wanted.
   Graph: wide and shallow, 2^(2 FLOORS) sets of lit buttons around a small machine.
   Without reduction at the defaults: states=130086 transitions=1024607
   -DFLOORS=5. */
#ifndef FLOORS
#define FLOORS 5
#endif

bool called[FLOORS], chosen[FLOORS];
byte at;
bool up = true, door_open;

inline look(ahead, here) {
  d_step {
    here = called[at] || chosen[at];
    ahead = false;
    i = 0;
    do
    :: i < FLOORS ->
       ahead = ahead || ((called[i] || chosen[i]) && (up -> i > at : i < at));
       i++
    :: else -> break
    od;
    i = 0
  }
}

active proctype Cabin() {
  bool work_ahead, work_here;
  byte i;
  do
  :: look(work_ahead, work_here);
     if
     :: work_here ->
        door_open = true;
        called[at] = false;
        chosen[at] = false;
        door_open = false
     :: !work_here && work_ahead ->
        assert(!door_open && (up -> at < FLOORS - 1 : at > 0));
        at = (up -> at + 1 : at - 1)
     :: else -> up = !up
     fi;
     work_ahead = false; work_here = false
  od
}

active proctype People_on_floors() {
  byte where;
  do
  :: atomic { select (where : 0 .. FLOORS - 1); called[where] = true; where = 0 }
  od
}

active proctype People_inside() {
  byte where;
  do
  :: atomic { door_open -> select (where : 0 .. FLOORS - 1); chosen[where] = true; where = 0 }
  od
}
