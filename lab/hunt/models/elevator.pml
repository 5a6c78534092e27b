/* An elevator for FLOORS floors: a button on each floor, a cabin, and a controller that chooses the direction.
   Error: the controller keeps its direction as long as somebody waits that way, and buttons behind it can be pressed again and
   again in front of it; so who waits at the lowest floor may wait for ever (formula).
   -DFLOORS=4. */
#ifndef FLOORS
#define FLOORS 4
#endif

bool pressed[FLOORS];
byte at;
bool is_open;

proctype Floor(byte me) {
  do
  :: !pressed[me] && at != me -> pressed[me] = true
  od
}

active proctype Cabin() {
  byte next;
  bool has_one;
  at = FLOORS - 1;
  do
  :: d_step {  /* the highest floor where somebody waits */
       has_one = false;
       for (next : 0 .. FLOORS - 1) {
         if
         :: pressed[FLOORS - 1 - next] -> has_one = true; break
         :: else
         fi
       }
       next = FLOORS - 1 - next
     };
     if
     :: has_one ->
        do
        :: at < next -> at++
        :: at > next -> at--
        :: at == next -> break
        od;
        is_open = true;
        pressed[at] = false;
        is_open = false
     :: else
     fi;
     d_step { has_one = false; next = 0 }
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. FLOORS - 1) { run Floor(i) }
    i = 0
  }
}

ltl served { [] (pressed[0] -> <> (at == 0 && is_open)) }
