/* Dining philosophers; forks are channels of one slot, and the last philosopher is left-handed, so
   that there is no deadlock. Wide states, many ways out of each, no variables that matter.
   Sizes of the benchmark, see bench/run:
   full:  states=1790668 transitions=12774512
   quick: -DN=8 states=32860 transitions=168698
   small: -DN=7 states=8668 transitions=38720 */
#ifndef N
#define N 11
#endif
chan fork[N] = [1] of { bit };
byte eating;
proctype phil(byte a; byte b) {
  bit x;
  do
  :: fork[a]?x;
     fork[b]?x;
     eating = eating + 1;
     eating = eating - 1;
     fork[b]!0;
     fork[a]!0
  od
}
init {
  byte i;
  atomic {
    i = 0;
    do
    :: i < N -> fork[i]!0; i = i + 1
    :: i == N -> break
    od;
    i = 0;
    do
    :: i < N-1 -> run phil(i, i+1); i = i + 1
    :: i == N-1 -> break
    od;
    run phil(0, N-1)
  }
}
