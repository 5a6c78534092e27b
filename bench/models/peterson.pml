/* Peterson's filter lock for N processes. Short states of shared bytes: here the hash table is what costs.
   Sizes of the benchmark, see bench/run:
   full:  states=8843940 transitions=33239788
   quick: -DN=3 states=51597 transitions=146378
   small: -DN=2 states=486 transitions=938 */
#ifndef N
#define N 4
#endif
byte level[N];
byte last[N];
byte ncrit;
proctype P(byte i) {
  byte j; byte k;
  do
  :: j = 1;
     do
     :: j < N ->
        level[i] = j;
        last[j] = i;
        k = 0;
        do
        :: k < N ->
           if
           :: k == i || level[k] < j || last[j] != i -> k = k + 1
           fi
        :: k == N -> break
        od;
        j = j + 1
     :: j == N -> break
     od;
     ncrit = ncrit + 1;
     assert(ncrit == 1);
     ncrit = ncrit - 1;
     level[i] = 0
  od
}
init {
  byte i;
  atomic {
    i = 0;
    do
    :: i < N -> run P(i); i = i + 1
    :: i == N -> break
    od
  }
}
