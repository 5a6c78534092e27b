/* How the exact store looks for states in two strides (src/store/exact.h: prefetch_states, then insert).
 *
 * Each thread has all keys as a batch. First it looks at the line of each key and remembers the slot where
 * the key is or, where it is not, the first that is empty: a hint. Meanwhile others fill slots. Then it
 * inserts the keys one by one, and looks only at the slots from the hint on: those before it were used and
 * had other keys, and slots never change. But a table that grows moves everything; so a hint also says in
 * which epoch it was made, and a thread that has one of an earlier epoch looks at the whole line.
 *
 * All slots of a line are looked at together, which is not one step: each is seen as it was at some moment,
 * in any order. How a thread gets to be alone is left out: it is the same as in store.pml.
 *
 * Checked: every key is new to exactly one thread and in the table once; slots are used from the first on.
 *
 * With -DSTALE the epoch is ignored; with -DTWICE each slot is looked at twice, once for keys and once for
 * whether it is empty, as a compiler likes to do. Both are found out.
 *
 * expect: holds
 */
#define THREADS 2
#define KEYS 4
#define WIDTH 3   /* slots of a line */
#define ENOUGH 2  /* used slots: then the table grows, from one line to two */
/* After the line is another, with free slots; a thread that reaches it finds the same. */
#define is_time_to_grow (at == WIDTH || epoch == 0 && used >= ENOUGH)
#define home(key) (epoch == 0 -> 0 : (key) % 2 * WIDTH)

byte slot[6];  /* 0: empty, else a key + 1 */
byte used;
bit epoch;
byte working;  /* threads between two safe points */

/* What only the checker sees. */
byte found[KEYS];  /* how often was this key new? */
byte done;

/* Looks at this slot of the line. */
inline see(i) {
  seen[i] = slot[home(key) + i];
#ifdef TWICE
  again[i] = slot[home(key) + i]
#else
  again[i] = seen[i]
#endif
}

inline look() {
  if
  :: see(0); see(1); see(2)
  :: see(2); see(1); see(0)
  fi;
  d_step {
    at = 0;
    do
    :: at < WIDTH && seen[at] != key + 1 && again[at] != 0 -> at++
    :: else -> break
    od;
    hint[key] = at;
    at = 0;
    seen[0] = 0; seen[1] = 0; seen[2] = 0;
    again[0] = 0; again[1] = 0; again[2] = 0
  }
}

/* REQUIRES: no other thread is between two safe points. */
inline move() {
  d_step {
    at = 0;
    do
    :: at < WIDTH -> seen[at] = slot[at]; slot[at] = 0; at++
    :: else -> break
    od;
    epoch = 1;
    at = 0;
    do
    :: at < WIDTH && seen[at] != 0 ->
      to = home(seen[at] - 1);
      do
      :: slot[to] != 0 -> to++
      :: else -> break
      od;
      slot[to] = seen[at];
      seen[at] = 0;
      at++
    :: at < WIDTH && seen[at] == 0 -> at++
    :: else -> break
    od;
    at = 0;
    to = 0
  }
}

inline grow() {
  working--;
  atomic {
    (working == 0 || epoch == 1) ->
    if
    :: epoch == 0 -> move()
    :: else -> skip
    fi;
    working++
  }
}

inline insert() {
#ifdef STALE
  at = hint[key];
#else
  at = (epoch == made -> hint[key] : 0);
#endif
  do
  :: true ->
    now = (at < WIDTH -> slot[home(key) + at] : 0);
    if
    :: now == 0 && is_time_to_grow -> grow(); at = 0
    :: now == 0 && !is_time_to_grow ->
      d_step {
        now = slot[home(key) + at];
        if
        :: now == 0 -> slot[home(key) + at] = key + 1; found[key]++
        :: else -> skip
        fi
      };
      if
      :: now == 0 -> used++; break
      :: now == key + 1 -> break
      :: else -> at++
      fi
    :: now == key + 1 -> break
    :: else -> at++
    fi
  od;
  atomic { at = 0; now = 0 }
}

proctype Thread(byte key) {
  byte hint[KEYS], seen[WIDTH], again[WIDTH];
  byte at, to, now, left;
  bit made;
  made = epoch;
  do
  :: left < KEYS -> look(); key = (key + 1) % KEYS; left++
  :: else -> break
  od;
  do
  :: left > 0 -> insert(); hint[key] = 0; key = (key + 1) % KEYS; left--
  :: else -> break
  od;
  atomic { working--; done++ }
}

init {
  byte key, at, slots;
  atomic {
    working = THREADS;
    run Thread(0);
    if
    :: run Thread(0)
    :: run Thread(1)
    :: run Thread(2)
    fi
  }
  done == THREADS;
  d_step {
    do
    :: key < KEYS ->
      assert(found[key] == 1);
      at = 0;
      slots = 0;
      do
      :: at < 2 * WIDTH ->
        slots = slots + (slot[at] == key + 1);
        assert(at % WIDTH == 0 || slot[at] == 0 || slot[at - 1] != 0);
        at++
      :: else -> break
      od;
      assert(slots == 1);
      key++
    :: else -> break
    od
  }
}
