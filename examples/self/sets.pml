/* Sets of states that two threads unite (src/search/state_sets.h), and the moment at which a thread
 * decides that a cycle is closed (src/search/shared_components.h).
 *
 * A set is a tree by links to parents, known by its root, which has a lock and knows the set's workers.
 * A thread that comes to a state asks whether it is a worker of the state's set: first without a lock,
 * and only if the answer is no with one. If it is a worker, some state of its path must be in the set,
 * and all of its path from there on is united with it.
 *
 *        .-----------------.
 *        |                 v          Thread 0 has the path 0 1 2 3 and takes the step from 3 to 0.
 *        0 --> 1 --> 2 --> 3          Thread 1 has the path 3; it takes the step to 0 and then the one
 *        ^     ^           |          back to 3, or the step to 1 and then those to 2 and to 3.
 *        '-----'-----------'
 *
 * Checked: a worker finds a state of its path in the set; when both rest, no set can only be walked
 * through by leaving it: 2 is reached through 1 alone.
 *
  * With -DHASTY a thread that unites two sets adds the workers before the link; with -DEARLY a thread stops to
  * unite as soon as both ends of its step are in one set, also if another thread united them. Both are errors.
 *
 * expect: holds
 */
#define STATES 4

byte parent[STATES];
byte workers[STATES];  /* a bit for each thread */
bool locked[STATES];
byte done;

inline find_root(state, root) {
  root = state;
  do
  :: parent[root] != root -> root = parent[root]
  :: else -> break
  od
}

/* As long as the first one was a root all the time, they were apart when the second was found. */
inline ask_together(one, other) {
  do
  :: true ->
    find_root(one, a);
    find_root(other, b);
    if
    :: a == b -> together = true; break
    :: else ->
      if
      :: parent[a] == a -> together = false; break
      :: else -> skip
      fi
    fi
  od
}

inline lock_state(state) { atomic { !locked[state] -> locked[state] = true } }

inline unite(one, other) {
  do
  :: true ->
    find_root(one, a);
    find_root(other, b);
    if
    :: a == b -> break
    :: else ->
      atomic {
        if
        :: a > b -> swap = a; a = b; b = swap
        :: else -> skip
        fi;
        swap = 0
      }
      lock_state(a);
      lock_state(b);
      if
      :: parent[a] == a && parent[b] == b ->
#ifdef HASTY
        workers[a] = workers[a] | workers[b];
        parent[b] = a;
#else
        parent[b] = a;
        workers[a] = workers[a] | workers[b];
#endif
        locked[b] = false;
        locked[a] = false;
        break
      :: else ->
        locked[b] = false;
        locked[a] = false
      fi
    fi
  od
}

/* Is the thread a worker of the state's set? If not it is from now on. */
inline claim(state) {
  find_root(state, a);
  is_mine = (workers[a] & self) != 0;
  if
  :: is_mine -> skip
  :: else ->
    do
    :: true ->
      find_root(state, a);
      lock_state(a);
      if
      :: parent[a] == a -> break
      :: else -> locked[a] = false
      fi
    od;
    is_mine = (workers[a] & self) != 0;
    workers[a] = workers[a] | self;
    locked[a] = false
  fi
}

/* The step from the last state of the path to this one. */
inline take_step(target) {
  claim(target);
  if
  :: !is_mine -> path[length] = target; length++
  :: else ->
#ifdef EARLY
    last = length - 1;
    do
    :: true ->
      ask_together(target, path[last]);
      if
      :: together -> break
      :: else ->
        assert(length > 1);
        unite(path[length - 2], path[length - 1]);
        length--
      fi
    od;
#else
    last = length;
    do
    :: true ->
      assert(last > 0);  /* else: a worker without a state of its path in the set */
      ask_together(target, path[last - 1]);
      if
      :: together -> break
      :: else -> last--
      fi
    od;
    do
    :: length > last ->
      unite(path[length - 2], path[length - 1]);
      length--
    :: else -> break
    od
#endif
  fi;
  a = 0;
  b = 0;
  last = 0;
  together = false
}

proctype Thread(byte number) {
  byte path[STATES], length, last, a, b, swap;
  byte step[3], steps, taken;
  byte self = 1 << number;
  bool is_mine, together;

  atomic {
    if
    :: number == 0 -> path[1] = 1; path[2] = 2; path[3] = 3; length = 4; steps = 1
    :: number == 1 -> path[0] = 3; length = 1; step[1] = 3; steps = 2
    :: number == 1 -> path[0] = 3; length = 1; step[0] = 1; step[1] = 2; step[2] = 3; steps = 3
    fi
  }
  do
  :: taken < steps -> take_step(step[taken]); taken++
  :: else -> break
  od;
  done++
}

init {
  byte state, roots[STATES], at;
  d_step {
    do
    :: state < STATES -> parent[state] = state; workers[state] = 1; state++
    :: else -> break
    od;
    workers[3] = 3
  }
  atomic {
    run Thread(0);
    run Thread(1)
  }
  done == 2;
  d_step {
    state = 0;
    do
    :: state < STATES ->
      at = state;
      do
      :: parent[at] != at -> at = parent[at]
      :: else -> break
      od;
      roots[state] = at;
      state++
    :: else -> break
    od;
    assert(roots[0] != roots[2] || roots[1] == roots[0])
  }
}
