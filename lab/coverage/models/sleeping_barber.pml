/* BARBERS barbers share a room with CHAIRS chairs. A customer who finds no chair leaves; one who sits
   down wakes a barber. A barber calls in one of those who wait, cuts, and both leave the chair together.
   Graph: wide and shallow, strongly connected; customers are numbered, so who sits matters.
   Without reduction at the defaults: states=192796 transitions=743730
   -DBARBERS=2, -DCUSTOMERS=4, -DCHAIRS=2. */
#ifndef BARBERS
#define BARBERS 2
#endif
#ifndef CUSTOMERS
#define CUSTOMERS 4
#endif
#ifndef CHAIRS
#define CHAIRS 2
#endif

bool locked;
byte seated, asleep, wake_ups;
chan chair = [CHAIRS] of { byte };
chan called[CUSTOMERS] = [0] of { byte };  /* by which barber */
chan done[BARBERS] = [0] of { bool };
byte served_by[BARBERS];                   /* how many sit in front of this barber */

inline enter() { atomic { !locked -> locked = true } }

proctype Barber(byte me) {
  byte who;
  do
  :: enter();
     do
     :: seated == 0 ->
        atomic { asleep++; locked = false };
        atomic { wake_ups > 0 -> wake_ups--; asleep-- };
        enter()
     :: else -> break
     od;
     seated--;
     atomic { chair?who; locked = false };
     called[who]!me;
     who = 0;
     done[me]!true
  od
}

proctype Customer(byte me) {
  byte barber;
  do
  :: enter();
     if
     :: seated == CHAIRS -> locked = false
     :: seated < CHAIRS ->
        chair!me;
        seated++;
        assert(seated <= CHAIRS && len(chair) == seated);
        if
        :: asleep > wake_ups -> wake_ups++
        :: else
        fi;
        locked = false;
        called[me]?barber;
        served_by[barber]++;
        assert(served_by[barber] == 1);
        served_by[barber]--;
        done[barber]?true;
        barber = 0
     fi
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. BARBERS - 1) { run Barber(i) }
    for (i : 0 .. CUSTOMERS - 1) { run Customer(i) }
    i = 0
  }
}
