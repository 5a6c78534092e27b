/* A buffer guarded by a monitor whose free and used places are counted by two semaphores, themselves
   monitors: a thread enters one inside another's business. The semaphore is taken before the buffer is
   locked; the other way round (-DNESTED) a thread sleeps with the buffer locked, and there is a deadlock.
   Graph: wide, of medium depth, strongly connected; three locks, so fewer bottlenecks than with one.
   Without reduction at the defaults: states=233459 transitions=816279
   -DPRODUCERS=3, -DCONSUMERS=2, -DSIZE=3. */
#ifndef PRODUCERS
#define PRODUCERS 3
#endif
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef SIZE
#define SIZE 3
#endif
#define FREE 0
#define USED 1

bool buffer_locked;
bool locked[2];     /* the two semaphores: lock, value, how many sleep, how many of them may wake */
byte value[2], asleep[2], signals[2];
byte content;

inline down(semaphore) {
  atomic { !locked[semaphore] -> locked[semaphore] = true };
  do
  :: value[semaphore] == 0 ->
     atomic { asleep[semaphore]++; locked[semaphore] = false };
     atomic { signals[semaphore] > 0 -> signals[semaphore]--; asleep[semaphore]-- };
     atomic { !locked[semaphore] -> locked[semaphore] = true }
  :: else -> break
  od;
  atomic { value[semaphore]--; locked[semaphore] = false }
}

inline up(semaphore) {
  atomic { !locked[semaphore] -> locked[semaphore] = true };
  value[semaphore]++;
  if
  :: asleep[semaphore] > signals[semaphore] -> signals[semaphore]++
  :: else
  fi;
  locked[semaphore] = false
}

inline enter_buffer() { atomic { !buffer_locked -> buffer_locked = true } }

proctype Producer() {
  do
  ::
#ifdef NESTED
     enter_buffer();
     down(FREE);
#else
     down(FREE);
     enter_buffer();
#endif
     content++;
     assert(content <= SIZE);
     buffer_locked = false;
     up(USED)
  od
}

proctype Consumer() {
  do
  ::
#ifdef NESTED
     enter_buffer();
     down(USED);
#else
     down(USED);
     enter_buffer();
#endif
     assert(content > 0);
     content--;
     buffer_locked = false;
     up(FREE)
  od
}

init {
  byte i;
  atomic {
    value[FREE] = SIZE;
    for (i : 1 .. PRODUCERS) { run Producer() }
    for (i : 1 .. CONSUMERS) { run Consumer() }
    i = 0
  }
}
