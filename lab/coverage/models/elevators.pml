/* CABINS cabins, FLOORS floors and PEOPLE persons with a will of their own: each is on a floor, calls
   for another, enters any open cabin and leaves it where he wants to be; cabins move as they please
   where a person needs them, one door at a time open per cabin.
   Graph: wide, of medium depth, strongly connected; many ways to the same state.
   Without reduction at the defaults: states=453286 transitions=2030162
   -DCABINS=2, -DFLOORS=5, -DPEOPLE=2. */
#ifndef CABINS
#define CABINS 2
#endif
#ifndef FLOORS
#define FLOORS 5
#endif
#ifndef PEOPLE
#define PEOPLE 2
#endif
#define NOWHERE FLOORS

byte at[CABINS], inside[CABINS];
bool is_open[CABINS];
byte waiting;  /* persons on the floors who want to go */

proctype Cabin(byte me) {
  do
  :: is_open[me] -> is_open[me] = false
  :: atomic { !is_open[me] && waiting + inside[me] > 0 -> is_open[me] = true }
  :: atomic { !is_open[me] && waiting + inside[me] > 0 && at[me] < FLOORS - 1 -> at[me]++ }
  :: atomic { !is_open[me] && waiting + inside[me] > 0 && at[me] > 0 -> at[me]-- }
  od
}

proctype Person() {
  byte here, there, cabin;
  do
  :: atomic {
       select (there : 1 .. FLOORS - 1);
       there = (here + there) % FLOORS;
       waiting++
     };
     atomic {
       if
       :: is_open[0] && at[0] == here -> cabin = 0
#if CABINS > 1
       :: is_open[1] && at[1] == here -> cabin = 1
#endif
#if CABINS > 2
       :: is_open[2] && at[2] == here -> cabin = 2
#endif
       fi;
       waiting--;
       inside[cabin]++;
       here = NOWHERE
     };
     assert(inside[cabin] <= PEOPLE);
     atomic {
       is_open[cabin] && at[cabin] == there ->
       inside[cabin]--;
       here = there;
       there = 0; cabin = 0
     }
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. CABINS - 1) { run Cabin(i) }
    for (i : 1 .. PEOPLE) { run Person() }
    i = 0
  }
}
