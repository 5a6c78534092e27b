/* Peterson's lock for N processes: N-1 doors, each keeps back the last process that came to it.
   A process looks at the others one after another, and IDLE steps of idle work come before each try.
   Graph: wide and shallow, strongly connected, a diamond of independent steps almost everywhere.
   Without reduction at the defaults: states=112438 transitions=326288
   -DN=3: processes, -DIDLE=5: steps of idle work. */
#ifndef N
#define N 3
#endif
#ifndef IDLE
#define IDLE 5
#endif

byte door_of[N], last_at[N];
byte inside;

proctype P(byte me) {
  byte door, other, idle;
  do
  :: idle < IDLE -> idle++
  :: else ->
     for (door : 1 .. N - 1) {
       door_of[me] = door;
       last_at[door] = me;
       for (other : 0 .. N - 1) {
         other == me || door_of[other] < door || last_at[door] != me
       }
     }
     inside++;
     assert(inside == 1);
     inside--;
     door_of[me] = 0;
     d_step { door = 0; other = 0; idle = 0 }
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) { run P(i) }
    i = 0
  }
}
