/* A pipeline of processes that sorts N numbers, drawn at random from two values each. No cycles, a wide
   frontier, and much that commutes.
   Sizes of the benchmark, see bench/run:
   full:  states=10006906 transitions=48103325
   quick: -DN=4 states=55542 transitions=188386
   small: -DN=3 states=4162 transitions=11117 */
#ifndef N
#define N 6
#endif
#ifndef D
#define D 2
#endif
chan q[N] = [D] of { byte };
byte sum;
proctype left() {
  byte c; byte v;
  c = 0;
  do
  :: c < N ->
     if :: v = 0 :: v = 1 fi;
     v = v * 8 + (c * 3) % 7;
     q[0]!v; c = c + 1
  :: c == N -> break
  od
}
proctype middle(byte id) {
  byte c; byte mine; byte nxt;
  c = N - id - 1;
  q[id]?mine;
  do
  :: c > 0 ->
     q[id]?nxt;
     if
     :: nxt >= mine -> q[id+1]!nxt
     :: nxt < mine -> q[id+1]!mine; mine = nxt
     fi;
     c = c - 1; nxt = 0
  :: c == 0 -> break
  od
}
proctype right() {
  byte big;
  q[N-1]?big;
  assert(big < 64)
}
init {
  byte i;
  atomic {
    run left();
    i = 0;
    do
    :: i < N-1 -> run middle(i); i = i + 1
    :: i == N-1 -> break
    od;
    run right()
  }
}
