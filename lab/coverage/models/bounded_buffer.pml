/* A bounded buffer as a monitor with one condition: PRODUCERS put and CONSUMERS take away, all of them
      wait in one set and a process that changes the buffer wakes all, as with notifyAll in Java.
   Graph: wide and shallow, strongly connected; waking all leads many states into one.
   Without reduction at the defaults: states=721821 transitions=2560050
   -DPRODUCERS=4, -DCONSUMERS=4, -DSIZE=5. */
#ifndef PRODUCERS
#define PRODUCERS 4
#endif
#ifndef CONSUMERS
#define CONSUMERS 4
#endif
#ifndef SIZE
#define SIZE 5
#endif
#define THREADS (PRODUCERS + CONSUMERS)

bool locked;
bool waits[THREADS];
byte count;

inline enter() { atomic { !locked -> locked = true } }

inline leave() { locked = false }

inline wait(me) {
  atomic { waits[me] = true; locked = false };
  !waits[me];
  enter()
}

inline wake_all() {
  d_step {
    for (other : 0 .. THREADS - 1) { waits[other] = false }
    other = 0
  }
}

proctype Producer(byte me) {
  byte other;
  do
  :: enter();
     do
     :: count == SIZE -> wait(me)
     :: else -> break
     od;
     count++;
     assert(count <= SIZE);
     wake_all();
     leave()
  od
}

proctype Consumer(byte me) {
  byte other;
  do
  :: enter();
     do
     :: count == 0 -> wait(me)
     :: else -> break
     od;
     assert(count > 0);
     count--;
     wake_all();
     leave()
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. PRODUCERS - 1) { run Producer(i) }
    for (i : PRODUCERS .. THREADS - 1) { run Consumer(i) }
    i = 0
  }
}
