/* Lamport's bakery lock for N processes, with tickets up to MAX. The most states of all, and short ones.
   Sizes of the benchmark, see bench/run:
   full:  states=16165643 transitions=61285839
   quick: -DN=3 states=165053 transitions=471716
   small: -DN=2 states=1915 transitions=3700 */
#ifndef N
#define N 4
#endif
#ifndef MAX
#define MAX 2
#endif
byte choosing[N];
byte number[N];
byte nc;
proctype P(byte i) {
  byte j; byte mx;
  do
  :: choosing[i] = 1;
     mx = 0; j = 0;
     do
     :: j < N && number[j] > mx -> mx = number[j]; j = j + 1
     :: j < N && number[j] <= mx -> j = j + 1
     :: j == N -> break
     od;
     if
     :: mx < MAX ->
        number[i] = mx + 1;
        choosing[i] = 0;
        j = 0;
        do
        :: j < N ->
           choosing[j] == 0;
           (number[j] == 0 || number[j] > number[i] || (number[j] == number[i] && j >= i));
           j = j + 1
        :: j == N -> break
        od;
        nc = nc + 1; assert(nc == 1); nc = nc - 1;
        number[i] = 0
     :: mx >= MAX -> choosing[i] = 0
     fi
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
