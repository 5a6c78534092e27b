/* The table of Spoor's exact store, as several threads use it (src/store/exact.h, quiescence.h).
 *
  * Each thread inserts every key. A slot is claimed by exchanging 0 for the key in one step; a thread
  * that comes too late reads the key that is there now. The count of used slots is raised in a step of
  * its own, so threads that read it at the same time may exceed the limit. A table with too few free
  * slots is moved into one of twice the size by a thread that is alone: `wanted` asks the others to
  * reach a safe point, `working` counts those that have not.
 *
 * A wait on the condition variable gives the mutex back, waits until the condition is true, and takes
 * the mutex again before it looks once more.
 *
  * Checked: every key is new to exactly one thread and in the table once; no thread is inside the table
  * while it is moved; every probe ends; no thread waits permanently.
 *
 * With -DIMPATIENT a thread moves the table without waiting for the others; with -DCARELESS it claims
 * a slot in two steps. The check finds both errors.
 *
 * expect: holds
 */
#define THREADS 3
#define KEYS 3
#define LARGEST 8
#define home(key) ((key) / 2 % size)  /* two keys each want the same slot */

byte slot[LARGEST];  /* 0: empty, else a key + 1 */
byte size = 4;       /* slots of the table as it is now */
byte used;

bool mutex;
bool wanted;
byte working;

/* What only the checker sees. */
byte found[KEYS];  /* how often was this key new? */
byte inside;       /* threads between two safe points that look at slots */
byte done;

inline lock() { atomic { !mutex -> mutex = true } }
inline unlock() { mutex = false }

inline enter() {
  lock();
  do
  :: wanted -> unlock(); !wanted; lock()
  :: else -> break
  od;
  working++;
  unlock()
}

inline leave() {
  lock();
  working--;
  unlock()
}

/* REQUIRES: no other thread reads slots. */
inline move() {
  assert(inside == 0);
  assert(size - used <= THREADS);  /* no other thread has moved it in the meantime */
  assert(size < LARGEST);
  d_step {
    i = 0;
    do
    :: i < size -> old[i] = slot[i]; slot[i] = 0; i++
    :: else -> break
    od;
    size = 2 * size;
    i = 0;
    do
    :: i < size / 2 && old[i] != 0 ->
      at = home(old[i] - 1);
      do
      :: slot[at] != 0 -> at = (at + 1) % size
      :: else -> break
      od;
      slot[at] = old[i];
      old[i] = 0;
      i++
    :: i < size / 2 && old[i] == 0 -> i++
    :: else -> break
    od;
    i = 0;
    at = 0
  }
}

inline alone() {
  lock();
  if
  :: wanted ->
    unlock();
    leave();
    enter()
  :: else ->
    wanted = true;
#ifndef IMPATIENT
    do
    :: working > 1 -> unlock(); working <= 1; lock()
    :: else -> break
    od;
#endif
    move();
    wanted = false;
    unlock()
  fi
}

/* `again` is where this begins. */
inline insert(key) {
  inside++;
  at = home(key);
  do
  :: seen = slot[at];
    if
    :: seen == 0 && size - used <= THREADS ->
      inside--;
      alone();
      goto again
    :: seen == 0 && size - used > THREADS ->
#ifdef CARELESS
      slot[at] = key + 1;
      won = true;
#else
      d_step {
        if
        :: slot[at] == 0 -> slot[at] = key + 1; won = true
        :: else -> seen = slot[at]
        fi
      };
#endif
      if
      :: won -> used++; found[key]++; won = false; break
      :: else -> skip
      fi
    :: else -> skip
    fi;
    if
    :: seen == key + 1 -> break
    :: else -> at = (at + 1) % size
    fi
  od;
  inside--;
  seen = 0;
  at = 0
}

proctype Thread(byte key) {
  byte i, at, seen, left = KEYS;
  byte old[LARGEST];
  bool won;
  enter();
  do
  :: left > 0 ->
again:
    insert(key);
    key = (key + 1) % KEYS;
    left--;
    if
    :: wanted -> leave(); enter()  /* a safe point */
    :: else -> skip
    fi
  :: else -> break
  od;
  leave();
  done++
}

init {
  byte key, at, there;
  atomic {
    run Thread(0);
    run Thread(1);
    run Thread(2)
  }
  done == THREADS;
  d_step {
    do
    :: key < KEYS ->
      assert(found[key] == 1);
      at = 0;
      there = 0;
      do
      :: at < size -> there = there + (slot[at] == key + 1); at++
      :: else -> break
      od;
      assert(there == 1);
      key++
    :: else -> break
    od
  }
}
