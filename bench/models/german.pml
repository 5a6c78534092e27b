/* German's directory protocol for coherent caches, N clients (1 or 2), one-slot channels. The model that
   looks most like a real design.
   Sizes of the benchmark, see bench/run:
   full:  states=1254411 transitions=3751459
   quick: -DN=1 states=6112 transitions=12256
   small: -DN=1 states=6112 transitions=12256 */
#ifndef N
#define N 2
#endif
#if N > 1
#define NOBODY_ELSE !shr[1]
#else
#define NOBODY_ELSE true
#endif
mtype = { Empty, ReqS, ReqE, Inv, InvAck, GntS, GntE, St_I, St_S, St_E };
chan ch1[N] = [1] of { mtype };
chan ch2[N] = [1] of { mtype, bit };
chan ch3[N] = [1] of { mtype, bit };
mtype cst[N];
bit cdata[N];
bit shr[N]; bit inv[N];
bit exgntd; mtype curcmd; byte curptr;
bit memd; bit auxd;
proctype client(byte i) {
  mtype m; bit d;
  do
  :: cst[i] == St_I -> ch1[i]!ReqS
  :: cst[i] != St_E -> ch1[i]!ReqE
  :: cst[i] == St_E -> atomic { if :: cdata[i] = 0; auxd = 0 :: cdata[i] = 1; auxd = 1 fi }
  :: ch2[i]?Inv,d ->
     if
     :: cst[i] == St_E -> ch3[i]!InvAck,cdata[i]
     :: cst[i] != St_E -> ch3[i]!InvAck,0
     fi;
     cst[i] = St_I; cdata[i] = 0; d = 0
  :: ch2[i]?GntS,d -> cst[i] = St_S; cdata[i] = d; assert(d == auxd); d = 0
  :: ch2[i]?GntE,d -> cst[i] = St_E; cdata[i] = d; d = 0
  od
}
proctype home() {
  byte i; bit d;
  do
  :: curcmd == Empty ->
     atomic {
     if
     :: ch1[0]?[ReqS] -> ch1[0]?ReqS; curcmd = ReqS; curptr = 0
     :: ch1[0]?[ReqE] -> ch1[0]?ReqE; curcmd = ReqE; curptr = 0
#if N > 1
     :: ch1[1]?[ReqS] -> ch1[1]?ReqS; curcmd = ReqS; curptr = 1
     :: ch1[1]?[ReqE] -> ch1[1]?ReqE; curcmd = ReqE; curptr = 1
#endif
     fi };
     i = 0;
     do
     :: i < N -> inv[i] = shr[i]; i = i + 1
     :: i == N -> break
     od;
     i = 0
  :: curcmd == ReqE || (curcmd == ReqS && exgntd) ->
     if
     :: inv[0] && (len(ch2[0]) == 0) -> ch2[0]!Inv,0; inv[0] = 0
#if N > 1
     :: inv[1] && (len(ch2[1]) == 0) -> ch2[1]!Inv,0; inv[1] = 0
#endif
     :: ch3[0]?InvAck,d -> shr[0] = 0; if :: exgntd -> exgntd = 0; memd = d :: !exgntd -> skip fi; d = 0
#if N > 1
     :: ch3[1]?InvAck,d -> shr[1] = 0; if :: exgntd -> exgntd = 0; memd = d :: !exgntd -> skip fi; d = 0
#endif
     :: curcmd == ReqE && !exgntd && !shr[0] && NOBODY_ELSE ->
        ch2[curptr]!GntE,memd; exgntd = 1; shr[curptr] = 1; curcmd = Empty; curptr = 0
     fi
  :: curcmd == ReqS && !exgntd ->
     ch2[curptr]!GntS,memd; shr[curptr] = 1; curcmd = Empty; curptr = 0
  od
}
init {
  byte i;
  atomic {
    curcmd = Empty;
    i = 0;
    do
    :: i < N -> cst[i] = St_I; run client(i); i = i + 1
    :: i == N -> break
    od;
    run home()
  }
}
