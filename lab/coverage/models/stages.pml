/* A pipeline that ends: the user feeds ITEMS items and a stop signal into STAGES stages; each stage hears
   both in a connector with lock and condition, tells LISTENERS listeners of each item, and passes it on.
   Graph: deep, without cycles, narrow at both ends and widest in the middle.
   Without reduction at the defaults: states=278942 transitions=1099126
   -DSTAGES=2, -DITEMS=3, -DLISTENERS=1. */
#ifndef STAGES
#define STAGES 2
#endif
#ifndef ITEMS
#define ITEMS 3
#endif
#ifndef LISTENERS
#define LISTENERS 1
#endif
#define STOP 255
#define NOTHING 0

byte connector[STAGES + 1];
bool locked[STAGES + 1];
chan news = [1] of { byte };
byte heard, stopped;

inline put(where, what) {
  do
  :: atomic { !locked[where] -> locked[where] = true };
     if
     :: connector[where] == NOTHING -> connector[where] = what; locked[where] = false; break
     :: else -> locked[where] = false; connector[where] == NOTHING
     fi
  od
}

inline take(where, what) {
  do
  :: atomic { !locked[where] -> locked[where] = true };
     if
     :: connector[where] != NOTHING ->
        d_step { what = connector[where]; connector[where] = NOTHING };
        locked[where] = false;
        break
     :: else -> locked[where] = false; connector[where] != NOTHING
     fi
  od
}

active proctype User() {
  byte i;
  for (i : 1 .. ITEMS) { put(0, i) }
  put(0, STOP)
}

proctype Stage(byte me) {
  byte item;
  do
  :: take(me, item);
     if
     :: item == STOP -> break
     :: else ->
        news!me;
        put(me + 1, item)
     fi
  od;
  put(me + 1, STOP);
  stopped++
}

active proctype Collector() {
  byte item, last;
  do
  :: take(STAGES, item);
     if
     :: item == STOP -> assert(last == ITEMS); break
     :: else -> assert(item == last + 1); last = item
     fi
  od;
  stopped == STAGES;
  assert(heard <= STAGES * ITEMS)
}

proctype Listener() {
end:
  do
  :: news?_ -> heard++
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. STAGES - 1) { run Stage(i) }
    for (i : 1 .. LISTENERS) { run Listener() }
    i = 0
  }
}
