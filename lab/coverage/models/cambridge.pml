/* A slotted ring in the manner of Cambridge: SLOTS slots travel round N stations. A station may fill an
   empty slot; the station it is for marks the slot taken or busy as it passes; the station that filled
   it must empty it when it comes round, and has one packet under way at most.
   Graph: wide, of medium depth, strongly connected; the slots move at their own pace.
   Without reduction at the defaults: states=109756 transitions=418232
   -DN=5: stations, -DSLOTS=1: slots, fewer than stations. */
#ifndef N
#define N 5
#endif
#ifndef SLOTS
#define SLOTS 1
#endif

mtype = { vacant, loaded, taken, busy };

chan wire[N] = [1] of { mtype, byte, byte };  /* mark, from, to: into the station of this number */
bool under_way[N];

proctype Station(byte me) {
  mtype mark;
  byte from, to;
  bool occupied;  /* the host has not fetched the last packet yet */
  do
  :: wire[me]?mark, from, to;
     if
     :: mark != vacant && from == me ->
        assert(under_way[me] && mark != loaded);
        under_way[me] = false;
        atomic { mark = vacant; from = 0; to = 0 }
     :: mark == loaded && to == me && !occupied -> occupied = true; mark = taken
     :: mark == loaded && to == me && occupied -> mark = busy
     :: mark == vacant && !under_way[me] ->
        if
        :: skip  /* nothing to send */
        :: atomic {
             under_way[me] = true;
             mark = loaded;
             from = me;
             select (to : 1 .. N - 1);
             to = (me + to) % N
           }
        fi
     :: else
     fi;
     atomic { wire[(me + 1) % N]!mark, from, to; mark = 0; from = 0; to = 0 }
  :: occupied -> occupied = false
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. SLOTS - 1) { wire[i]!vacant, 0, 0 }
    for (i : 0 .. N - 1) { run Station(i) }
    i = 0
  }
}
