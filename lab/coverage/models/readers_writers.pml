/* Readers and writers with priority for writers, as a monitor: READERS read together unless a writer is
   at work or waits, WRITERS write alone. Whoever leaves wakes all that wait.
   Graph: wide and shallow, strongly connected.
   Without reduction at the defaults: states=519712 transitions=1718813
   -DREADERS=4, -DWRITERS=3. */
#ifndef READERS
#define READERS 4
#endif
#ifndef WRITERS
#define WRITERS 3
#endif
#define THREADS (READERS + WRITERS)

bool locked, writing;
byte reading, queued;   /* queued: writers that wait */
bool waits[THREADS];
byte at_work_readers, at_work_writers;

inline enter() { atomic { !locked -> locked = true } }

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

proctype Reader(byte me) {
  byte other;
  do
  :: enter();
     do
     :: writing || queued > 0 -> wait(me)
     :: else -> break
     od;
     atomic { reading++; locked = false };

     at_work_readers++;
     assert(at_work_writers == 0);
     at_work_readers--;

     enter();
     reading--;
     if
     :: reading == 0 -> wake_all()
     :: else
     fi;
     locked = false
  od
}

proctype Writer(byte me) {
  byte other;
  do
  :: enter();
     queued++;
     do
     :: writing || reading > 0 -> wait(me)
     :: else -> break
     od;
     atomic { queued--; writing = true; locked = false };

     at_work_writers++;
     assert(at_work_writers == 1 && at_work_readers == 0);
     at_work_writers--;

     enter();
     writing = false;
     wake_all();
     locked = false
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. READERS - 1) { run Reader(i) }
    for (i : READERS .. THREADS - 1) { run Writer(i) }
    i = 0
  }
}
