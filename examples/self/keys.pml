/* A line of the table of keys, as several threads use it (src/store/key_table.h, packed_keys.h; the
 * lines of src/store/exact.h are filled in the same way).
 *
 * Each thread inserts every key; all keys belong into the same line, and those that find no room there
 * into the next. A thread has numbers of its own. It writes a key to its next number, and then makes
 * the number known by exchanging an empty slot for it, in one step. Whoever comes too late compares
 * its key with what is there now, and keeps its number for the next key.
 *
 * The slots of a line are looked at one after the other, in any order, while others fill them. So a
 * thread first asks whether the last slot is used. If it is, all are, and what it then sees is the
 * whole line. If not, it finds out which slots are used, looks at these once more, and then tries the
 * others one by one.
 *
 * Growth is left out: it is the same as in store.pml.
 *
 * Checked: every key is new to exactly one thread and has one slot; the slots of a line are used from
  * the first on; a thread that gets a number finds the key there; a number that is not used is not lost.
 *
 * With -DHASTY a thread asks whether the line is full after it has looked; with -DFORGETFUL it looks
 * only once; with -DTWICE it looks before it finds out which slots are used; with -DLATE it writes the
 * key after its number was made known. The check finds all four errors.
 *
 * expect: holds
 */
#define THREADS 2
#define KEYS 3
#define WIDTH 2  /* slots of a line */
#define LINES 3

byte slot[6];    /* LINES * WIDTH of them; 0: empty, else a number + 1 */
byte key_of[6];  /* by number; 0: none, else a key + 1 */

/* What only the checker sees. */
byte found[KEYS];  /* how often was this key new? */
byte done;

/* Looks at both slots of the line. */
inline look() {
  if
  :: first = slot[line * WIDTH]; second = slot[line * WIDTH + 1]
  :: second = slot[line * WIDTH + 1]; first = slot[line * WIDTH]
  fi
}

/* Which slots are used? Those before `at`. */
inline used() {
  at = 0;
  do
  :: at < WIDTH && slot[line * WIDTH + at] != 0 -> at++
  :: else -> break
  od
}

/* If this slot is the key's, the search for it is over. */
inline compare(seen) {
  if
  :: seen != 0 && key_of[seen - 1] == key + 1 -> number = seen - 1; goto there
  :: else -> skip
  fi
}

inline find() {
  do
  :: true ->
#ifndef HASTY
    is_full = (slot[line * WIDTH + 1] != 0);
#endif
    look();
#ifdef HASTY
    is_full = (slot[line * WIDTH + 1] != 0);
#endif
    compare(first);
    compare(second);
    if
    :: is_full -> line++
    :: else -> break
    fi
  od
}

/* Exchanges the slot for the thread's next number, if it is empty; else it is in `seen`. */
inline claim() {
  d_step {
    seen = slot[line * WIDTH + at];
    if
    :: seen == 0 -> slot[line * WIDTH + at] = next + 1
    :: else -> skip
    fi
  }
}

inline add() {
#ifndef LATE
  key_of[next] = key + 1;
#endif
  do
  :: true ->
#ifdef TWICE
    look();
#endif
    used();
#ifndef FORGETFUL
#ifndef TWICE
    look();
#endif
    if
    :: at > 0 -> compare(first)
    :: else -> skip
    fi;
    if
    :: at > 1 -> compare(second)
    :: else -> skip
    fi;
#endif
    do
    :: at < WIDTH ->
      claim();
      if
      :: seen == 0 ->
#ifdef LATE
        key_of[next] = key + 1;
#endif
        found[key]++;
        number = next;
        next++;
        goto there
      :: else -> skip
      fi;
      compare(seen);
      at++
    :: else -> break
    od;
    line++
  od
}

proctype Thread(byte key; byte next) {
  byte line, first, second, at, seen, number, left = KEYS;
  bool is_full;
  do
  :: left > 0 ->
    find();
    add();
there:
    assert(key_of[number] == key + 1);
    d_step {
      line = 0;
      first = 0;
      second = 0;
      at = 0;
      seen = 0;
      number = 0;
      is_full = false;
      key = (key + 1) % KEYS;
      left--
    }
  :: else -> break
  od;
  done++
}

init {
  byte key, at, slots;
  atomic {
    run Thread(0, 0);
    run Thread(1, KEYS)
  }
  done == THREADS;
  d_step {
    do
    :: key < KEYS ->
      assert(found[key] == 1);
      at = 0;
      slots = 0;
      do
      :: at < LINES * WIDTH ->
        slots = slots + (slot[at] != 0 && key_of[slot[at] - 1] == key + 1);
        assert(at == 0 || slot[at] == 0 || slot[at - 1] != 0);
        at++
      :: else -> break
      od;
      assert(slots == 1);
      key++
    :: else -> break
    od
  }
}
