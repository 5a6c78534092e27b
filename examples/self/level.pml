/* How the threads of Spoor's breadth-first search share a level (src/search/bfs.h, thread_team.h).
 *
 * Each worker owns a list of units. A unit is taken by adding one to its owner's counter: the value
 * before is the unit that was taken, if the owner has that many. A worker takes from its own list
 * first and then from the others'. Searching a unit may find units for the next level, which go to
  * the list of the worker that found them. The leader starts a round when all have finished the last one, and
 * is itself one of the workers.
 *
 * Checked: every unit is searched exactly once, in its own level; no worker looks at a list while the
  * leader exchanges it; no worker waits permanently.
 *
  * With -DSLOPPY taking a unit is two steps, a read and an addition. The check finds the error.
 *
 * expect: holds
 */
#define WORKERS 3
#define LEVELS 3

byte units[WORKERS];   /* of this level, by owner */
byte taken[WORKERS];   /* and perhaps more than there are */
byte found[WORKERS];   /* of the next level */
byte level;

bool mutex;
byte round, left;
bool is_over;

/* What only the checker sees. */
byte searched;  /* in this level */
byte inside;    /* workers that look at the lists */

inline lock() { atomic { !mutex -> mutex = true } }
inline unlock() { mutex = false }

inline take_unit() {
  got = false;
  i = 0;
  do
  :: i < WORKERS ->
    owner = (me + i) % WORKERS;
    if
    :: taken[owner] >= units[owner] -> skip
    :: else ->
#ifdef SLOPPY
      at = taken[owner];
      taken[owner] = at + 1;
#else
      d_step { at = taken[owner]; taken[owner] = at + 1 };
#endif
      if
      :: at < units[owner] -> got = true; break
      :: else -> skip
      fi
    fi;
    i++
  :: else -> break
  od;
  i = 0;
  owner = 0;
  at = 0
}

inline work() {
  inside++;
  do
  :: true ->
    take_unit();
    if
    :: got ->
      atomic {
        searched++;
        if  /* a unit leads to the next level, or does not */
        :: level + 1 < LEVELS && found[me] < 1 -> found[me]++
        :: true
        fi
      }
    :: else -> break
    fi
  od;
  got = false;
  inside--
}

proctype Worker(byte me) {
  byte seen, i, owner, at;
  bool got;
  do
  :: true ->
    lock();
    do
    :: !is_over && round == seen -> unlock(); is_over || round != seen; lock()
    :: else -> break
    od;
    if
    :: is_over -> unlock(); break
    :: else -> seen = round; unlock()
    fi;
    work();
    lock();
    left--;
    unlock()
  od
}

init {
  byte me = 0, i, owner, at, sum;
  bool got;
  atomic {
    run Worker(1);
    run Worker(2);
    units[0] = 2;
    units[2] = 1
  }
  do
  :: true ->
    atomic {
      sum = units[0] + units[1] + units[2];
      searched = 0;
      if
      :: sum == 0 -> break
      :: else -> skip
      fi
    }
    lock();
    left = WORKERS - 1;
    round++;
    unlock();
    work();
    lock();
    do
    :: left > 0 -> unlock(); left == 0; lock()
    :: else -> break
    od;
    unlock();
    d_step {
      assert(searched == sum);
      assert(inside == 0);
      i = 0;
      do
      :: i < WORKERS -> units[i] = found[i]; found[i] = 0; taken[i] = 0; i++
      :: else -> break
      od;
      i = 0;
      level++
    }
  od;
  lock();
  is_over = true;
  unlock()
}
