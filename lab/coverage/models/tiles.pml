/* Sliding tiles: R rows and C columns of tiles, one place free.
   Graph: half of all arrangements; two to four successors each, which are predecessors, too.
   Without reduction at the defaults: states=181441 transitions=483842
   -DR=3, -DC=3. */
#ifndef R
#define R 3
#endif
#ifndef C
#define C 3
#endif
#define MOVE(guard, from) d_step { guard -> tile[free] = tile[from]; free = from; tile[free] = 0 }

byte tile[R * C];  // 0: the free place
byte free;

active proctype Puzzle() {
  d_step {
    for (free : 0 .. R * C - 1) {
      tile[free] = free
    }
    free = 0
  }
end:
  do
  :: MOVE(free >= C, free - C)
  :: MOVE(free < (R - 1) * C, free + C)
  :: MOVE(free % C > 0, free - 1)
  :: MOVE(free % C < C - 1, free + 1)
  od
}
