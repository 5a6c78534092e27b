/* N philosophers sit around a table, with a fork between any two. Each takes the fork at the left, then the one at the right,
   and puts both back. With -DLOOP they do that for ever, otherwise once.
   Error: a deadlock, when everybody holds the left fork. The shortest trace has N + 1 steps: the start, and one
   step for each philosopher. With LOOP every long run meets it; without LOOP nearly all runs end well.
   -DN=8: philosophers, 254 at most. */
#ifndef N
#define N 8
#endif

bool taken[N];

proctype Philosopher(byte me) {
#ifdef LOOP
end:
  do
  ::
#endif
     atomic { !taken[me] -> taken[me] = true };
     atomic { !taken[(me + 1) % N] -> taken[(me + 1) % N] = true };
     taken[me] = false;
     taken[(me + 1) % N] = false
#ifdef LOOP
  od
#endif
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) { run Philosopher(i) }
    i = 0
  }
}
