/* A sliding-window protocol over channels that lose messages; window W, sequence numbers modulo K,
   channels of C slots. W=1, K=2 is the alternating-bit protocol.
   Sizes of the benchmark, see bench/run:
   full:  states=3884583 transitions=15001583
   quick: -DW=2 -DK=4 states=301375 transitions=1150083
   small: -DW=1 -DK=2 states=6273 transitions=22889 */
#ifndef W
#define W 3
#endif
#ifndef K
#define K 6
#endif
#ifndef C
#define C 2
#endif
chan data = [C] of { byte, bit };
chan ack = [C] of { byte };
byte delivered; byte sentpar;
proctype sender() {
  byte base; byte nxt; byte a; byte i;
  bit pay[K];
  do
  :: (nxt + K - base) % K < W ->
     atomic { if :: pay[nxt] = 0 :: pay[nxt] = 1 fi; nxt = (nxt + 1) % K }
  :: base != nxt ->
     i = 0;
     do
     :: i < (nxt + K - base) % K -> data!(base + i) % K, pay[(base + i) % K]; i = i + 1
     :: i >= (nxt + K - base) % K -> break
     :: i = (nxt + K - base) % K
     od;
     i = 0
  :: atomic { ack?a ->
       do
       :: (a + K - base) % K < W && base != nxt && a != (base + K - 1) % K ->
          pay[base] = 0; base = (base + 1) % K;
          if :: (base + K - 1) % K == a -> break :: else fi
       :: else -> break
       od; a = 0 }
  od
}
proctype receiver() {
  byte exp; byte s; bit p;
  do
  :: data?s,p;
     if
     :: s == exp -> delivered = (delivered + 1) % 2; exp = (exp + 1) % K
     :: else -> skip
     fi;
     ack!(exp + K - 1) % K
  od
}
proctype lossy() {
  byte s; bit p;
  do
  :: atomic { data?s,p -> s = 0; p = 0 }
  :: atomic { ack?s -> s = 0 }
  od
}
init { atomic { run sender(); run receiver(); run lossy() } }
