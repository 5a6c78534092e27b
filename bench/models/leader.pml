/* Leader election of Dolev, Klawe and Rodeh in a ring of one-way channels, N nodes. The widest states:
   most of their bytes are channel slots that stay empty.
   Sizes of the benchmark, see bench/run:
   full:  states=2801651 transitions=15976629
   quick: -DN=5 states=41691 transitions=169689
   small: -DN=4 states=5164 transitions=16749 */
#ifndef N
#define N 7
#endif
#ifndef I
#define I 3
#endif
#ifndef L
#define L 10
#endif
mtype = { one, two, winner };
chan q[N] = [L] of { mtype, byte };
byte nr_leaders;
proctype node(byte in; byte out; byte mynumber) {
  bit active1 = 1; bit know_winner = 0;
  byte nr; byte maximum; byte neighbourR;
  maximum = mynumber;
  q[out]!one(mynumber);
end:
  do
  :: q[in]?one(nr);
     if
     :: active1 ->
        if
        :: nr != maximum -> q[out]!two(nr); neighbourR = nr
        :: else -> know_winner = 1; q[out]!winner(nr)
        fi
     :: else -> q[out]!one(nr)
     fi
  :: q[in]?two(nr);
     if
     :: active1 ->
        if
        :: neighbourR > nr && neighbourR > maximum -> maximum = neighbourR; q[out]!one(neighbourR)
        :: else -> active1 = 0
        fi
     :: else -> q[out]!two(nr)
     fi
  :: q[in]?winner(nr);
     if
     :: nr != mynumber -> skip
     :: else -> nr_leaders = nr_leaders + 1; assert(nr_leaders == 1)
     fi;
     if
     :: know_winner -> skip
     :: else -> q[out]!winner(nr)
     fi;
     break
  od
}
init {
  byte p;
  atomic {
    p = 1;
    do
    :: p <= N -> run node(p-1, p%N, (N+I-p)%N+1); p = p + 1
    :: p > N -> break
    od
  }
}
