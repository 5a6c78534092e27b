/* Readers and writers that ask a monitor process by message; R readers, Wn writers. Arrays of bits, and a
   channel that all share.
   Sizes of the benchmark, see bench/run:
   full:  states=3371239 transitions=12079264
   quick: -DR=2 -DWn=2 states=26813 transitions=68552
   small: -DR=2 -DWn=1 states=6150 transitions=15109 */
#ifndef R
#define R 4
#endif
#ifndef Wn
#define Wn 2
#endif
#define T (R + Wn)
mtype = { rreq, wreq, rdone, wdone };
chan req = [3] of { mtype, byte };
chan grant[T] = [1] of { bit };
byte readers; bit writing; byte inr; byte inw;
proctype reader(byte me) {
  bit x;
  do
  :: req!rreq,me;
     grant[me]?x;
     inr = inr + 1; assert(inw == 0); inr = inr - 1;
     req!rdone,me
  od
}
proctype writer(byte me) {
  bit x;
  do
  :: req!wreq,me;
     grant[me]?x;
     inw = inw + 1; assert(inw == 1 && inr == 0); inw = inw - 1;
     req!wdone,me
  od
}
proctype monitor() {
  byte w; byte i; bit pr[T]; bit pw[T];
  do
  :: req?rreq,w -> pr[w] = 1; w = 0
  :: req?wreq,w -> pw[w] = 1; w = 0
  :: req?rdone,w -> readers = readers - 1; w = 0
  :: req?wdone,w -> writing = 0; w = 0
  :: !writing ->
     i = 0;
     do
     :: i < T && pr[i] -> readers = readers + 1; grant[i]!0; pr[i] = 0; i = 0; break
     :: i < T && !pr[i] -> i = i + 1
     :: i == T -> i = 0; break
     od
  :: !writing && readers == 0 ->
     i = 0;
     do
     :: i < T && pw[i] -> writing = 1; grant[i]!0; pw[i] = 0; i = 0; break
     :: i < T && !pw[i] -> i = i + 1
     :: i == T -> i = 0; break
     od
  od
}
init {
  byte i;
  atomic {
    run monitor();
    i = 0;
    do
    :: i < R -> run reader(i); i = i + 1
    :: i == R -> break
    od;
    do
    :: i < T -> run writer(i); i = i + 1
    :: i == T -> break
    od
  }
}
