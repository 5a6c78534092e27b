/* Dining philosophers: N of them, the last one takes his right fork first, so that there is no deadlock.
   Whoever has eaten rests before he is hungry again.
   Graph: wide and shallow, strongly connected, nearly a product of N small cycles.
   Without reduction at the defaults: states=383046 transitions=2326158
   -DN=7: philosophers. */
#ifndef N
#define N 7
#endif

bool taken[N], eating[N];

proctype Philosopher(byte me, first, second) {
  byte rest;  /* local: the reduction can leave it to one order */
  do
  :: atomic { !taken[first] -> taken[first] = true };
     atomic { !taken[second] -> taken[second] = true };
     eating[me] = true;
     assert(!eating[(me + 1) % N] && !eating[(me + N - 1) % N]);
     atomic { eating[me] = false; taken[first] = false };
     taken[second] = false;
     rest++;
     rest--
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 2) { run Philosopher(i, i, i + 1) }
    run Philosopher(N - 1, 0, N - 1);
    i = 0
  }
}
