/* Replicated workers. A coordinator fills a pool with tasks; N workers take tasks, work, put results and sometimes new
   tasks back, and wait when the pool is empty. The computation is over when the pool is empty and all workers wait.
   Assertions: each task is done once, nothing is left at the end, the pool does not overflow.
   Stealing from others and cancelling are part of the program and are switched off (STEALING, CANCEL). */
#ifndef N
#define N 4
#endif
#define TASKS 4
#define SPLITS 3
#define POOL 6
#define STEALING false
#define CANCEL false

byte pool[POOL];
byte size;
byte mutex;
byte idle;
bool over;
byte results;
byte created;
byte splits;
byte stolen;
byte own[N];
bool cancelled;

inline lock() {
  atomic {
    mutex == 0;
    mutex = _pid + 1
  }
}

inline unlock() {
  atomic {
    assert(mutex == _pid + 1);
    mutex = 0
  }
}

inline put(t) {
  assert(size < POOL);
  pool[size] = t;
  size++;
  created++
}

inline take(t) {
  assert(size > 0);
  size--;
  t = pool[size];
  pool[size] = 0
}

inline wait_for_task(t) {
  lock();
  idle++;
  assert(idle <= N);
  do
  :: size > 0 || over -> break
  :: else ->
    if
    :: idle == N -> over = true
    :: else ->
      unlock();
      (size > 0 || over);
      lock()
    fi
  od;
  idle--;
  if
  :: size > 0 && !over -> take(t)
  :: else -> t = 0
  fi;
  unlock()
}

inline work(t) {
  if
  :: t > 1 ->
    lock();
    if
    :: splits < SPLITS ->
      splits++;
      put(t - 1)
    :: else -> skip
    fi;
    unlock()
  :: t > 0 -> skip
  fi
}

inline put_result() {
  lock();
  results++;
  assert(results <= created);
  unlock()
}

inline steal(t) {
  lock();
  i = 0;
  do
  :: i < N && own[i] == 0 -> i++
  :: else -> break
  od;
  if
  :: i < N ->
    t = own[i];
    own[i] = 0;
    stolen++
  :: else -> skip
  fi;
  i = 0;
  unlock()
}

inline cancel_all() {
  lock();
  cancelled = true;
  do
  :: size > 0 ->
    size--;
    pool[size] = 0
  :: else -> break
  od;
  over = true;
  unlock()
}

proctype Worker(byte me) {
  byte t;
  byte i;
  do
  :: true ->
    wait_for_task(t);
    if
    :: t == 0 ->
      if
      :: STEALING -> steal(t)
      :: !STEALING -> break
      fi
    :: else -> skip
    fi;
    own[me] = t;
    work(t);
    put_result();
    own[me] = 0;
    t = 0
  od
}

active proctype Coordinator() {
  byte k;
  do
  :: true ->
    k = 0;
    lock();
    do
    :: k < TASKS ->
      k++;
      if
      :: put(1)
      :: put(2)
      :: put(3)
      fi
    :: else -> break
    od;
    unlock();
    k = 0;
    atomic {
      do
      :: k < N -> run Worker(k); k++
      :: else -> break
      od
    };
    k = 0;
    if
    :: CANCEL -> cancel_all()
    :: !CANCEL -> skip
    fi;
    _nr_pr == 1;
    assert(over && size == 0 && idle == 0);
    assert(results == created);
    d_step {
      over = false;
      results = 0;
      created = 0;
      splits = 0
    }
  od
}
