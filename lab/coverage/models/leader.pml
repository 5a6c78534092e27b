/* Election of a leader in a ring that can be read both ways (Franklin): an active node sends its name
   left and right and stays active when no active neighbour has a larger one; the others only relay.
   Who is called what is chosen first, among all orders of the names that are not rotations.
   Graph: a bundle of (N-1)! lattices that share the root only; no cycles, of medium depth.
   Without reduction at the defaults: states=56799 transitions=182102
   -DN=4: nodes. */
#ifndef N
#define N 4
#endif

chan to_right[N] = [2] of { byte };  /* into the node of this number, from its left */
chan to_left[N] = [2] of { byte };
byte name[N], leaders, told;

#define RIGHT ((me + 1) % N)
#define LEFT ((me + N - 1) % N)

proctype Node(byte me) {
  byte from_left, from_right;
  bool passive;
  do
  :: !passive ->
     to_right[RIGHT]!name[me];
     to_left[LEFT]!name[me];
     to_right[me]?from_left;
     to_left[me]?from_right;
     if
     :: from_left == name[me] || from_right == name[me] ->
        assert(name[me] == N);
        leaders++;
        assert(leaders == 1);
        from_left = 0; from_right = 0;
        to_right[RIGHT]!0;  /* the news goes round once */
        to_right[me]?0;
        break
     :: else
     fi;
     passive = from_left > name[me] || from_right > name[me];
     from_left = 0; from_right = 0
  :: passive && nempty(to_left[me]) ->
     to_left[me]?from_right;
     to_left[LEFT]!from_right;
     from_right = 0
  :: passive && nempty(to_right[me]) ->
     to_right[me]?from_left;
     to_right[RIGHT]!from_left;
     if
     :: from_left == 0 -> told++; break
     :: else
     fi;
     from_left = 0
  od
}

init {
  byte i, j;
  atomic {
    name[0] = N;
    for (i : 1 .. N - 1) {
      select (j : 1 .. N - 1);
      do
      :: name[j] != 0 -> j = 1 + j % (N - 1)
      :: else -> name[j] = i; break
      od
    }
    for (i : 0 .. N - 1) { run Node(i) }
    i = 0; j = 0
  }
}
