/* Frogs and toads: K of each on a line of 2 K + 1 stones, one of them free. An animal beside the free stone steps
   onto it, and the one next to that leaps over it.
   Graph: arrangements; two to four successors each, which are predecessors, too.
   Without reduction at the defaults: states=218791 transitions=797942
   -DK=8. */
#ifndef K
#define K 8
#endif
#define SIZE (2 * K + 1)
#define MOVE(guard, from) d_step { guard -> on[free] = on[from]; free = from; on[free] = 0 }

byte on[SIZE];  // 0: nothing, 1: a frog, 2: a toad
byte free;

active proctype Pond() {
  d_step {
    for (free : 0 .. SIZE - 1) {
      if
      :: free < K -> on[free] = 1
      :: free == K -> on[free] = 0
      :: else -> on[free] = 2
      fi
    }
    free = K
  }
end:
  do
  :: MOVE(free >= 1, free - 1)
  :: MOVE(free >= 2, free - 2)
  :: MOVE(free < SIZE - 1, free + 1)
  :: MOVE(free < SIZE - 2, free + 2)
  od
}
