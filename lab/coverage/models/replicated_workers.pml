/* WORKERS equal workers empty a pool of tasks. A task of size s may split: the worker goes on with
   one part and puts the rest back. The pool tells a worker to stop when it is empty and no worker works.
   Graph: no cycles, of medium depth, widest in the middle: the number of splits is bounded by the sizes.
   Without reduction at the defaults: states=297130 transitions=1053657
   -DWORKERS=4, -DTASKS=3: tasks at the start, -DLARGEST=3: their size. */
#ifndef WORKERS
#define WORKERS 4
#endif
#ifndef TASKS
#define TASKS 3
#endif
#ifndef LARGEST
#define LARGEST 3
#endif

byte pool[LARGEST + 1];  /* how many tasks of each size */
byte in_pool, active_workers, finished_size;
bool locked, stop;

inline enter() { atomic { !locked -> locked = true } }

proctype Worker() {
  byte size, part;
  do
  :: atomic { !locked && (in_pool > 0 || stop || active_workers == 0) -> locked = true };
     if
     :: in_pool == 0 ->
        stop = true;
        locked = false;
        break
     :: in_pool > 0 ->
        atomic {
          select (size : 1 .. LARGEST);
          do
          :: pool[size] == 0 -> size = 1 + size % LARGEST
          :: else -> break
          od;
          pool[size]--;
          in_pool--
        };
        active_workers++;
        locked = false
     fi;

     do
     :: size > 1 ->
        if
        :: part = size / 2;
           size = size - part;
           enter();
           d_step { pool[part]++; in_pool++; part = 0 };
           locked = false
        :: size--;
           finished_size++
        fi
     :: else -> break
     od;

     enter();
     d_step {
       finished_size = finished_size + size;
       size = 0;
       active_workers--
     };
     locked = false
  od;
  assert(in_pool == 0)
}

init {
  byte i;
  atomic {
    pool[LARGEST] = TASKS;
    in_pool = TASKS;
    for (i : 1 .. WORKERS) { run Worker() }
    i = 0
  };
  _nr_pr == 1;
  assert(finished_size == TASKS * LARGEST)
}
