/* A file transfer in three layers: users, a session layer (connect, data, end of file, close, abort) and
   a link layer that repeats what the lossy line has lost; answers of the callee come back at once.
   Graph: deep in its sessions and of medium width; the layers run beside each other, loosely coupled.
   Without reduction at the defaults: states=437448 transitions=2039335
   -DBLOCKS=3: blocks of a file, -DQUEUE=0: places between two layers. */
#ifndef BLOCKS
#define BLOCKS 3
#endif
#ifndef QUEUE
#define QUEUE 0
#endif

mtype = { connect, accept, refuse, data, finish, finished, abort };

chan order = [QUEUE] of { mtype, byte };        /* user of the caller -> session */
chan notice = [QUEUE] of { mtype };             /* session of the caller -> user */
chan deliver = [QUEUE] of { mtype, byte };      /* session of the callee -> its user */
chan answer = [QUEUE] of { mtype };             /* session of the callee -> that of the caller */
chan down = [QUEUE] of { mtype, byte };         /* session of the caller -> link */
chan above = [QUEUE] of { mtype, byte };        /* link -> session of the callee */
chan line = [1] of { mtype, byte, bool };       /* frames, numbered by one bit */
chan echo = [1] of { bool };                    /* their acknowledgements */

active proctype Caller_user() {
  byte block;
  do
  :: order!connect, 0;
     if
     :: notice?refuse
     :: notice?accept ->
        do
        :: block < BLOCKS -> order!data, block; block++
        :: block < BLOCKS -> order!abort, 0; break
        :: block == BLOCKS -> order!finish, 0; notice?finished; break
        od;
        block = 0
     fi
  od
}

active proctype Caller_session() {
  mtype what;
  byte block;
  do
  :: order?what, block ->
     down!what, block;
     if
     :: what == connect || what == finish ->
        answer?what;
        notice!what
     :: else
     fi;
     d_step { what = 0; block = 0 }
  od
}

active proctype Callee_session() {
  mtype what;
  byte block, expected;
  bool open;
  do
  :: above?what, block;
     if
     :: what == connect ->
        assert(!open);
        if
        :: answer!refuse
        :: open = true; answer!accept; deliver!connect, 0
        fi
     :: what == data ->
        assert(open && block == expected);
        expected++;
        deliver!data, block
     :: what == finish ->
        assert(open && expected == BLOCKS);
        deliver!finish, 0;
        answer!finished;
        d_step { open = false; expected = 0 }
     :: what == abort ->
        assert(open);
        deliver!abort, 0;
        d_step { open = false; expected = 0 }
     fi;
     d_step { what = 0; block = 0 }
  od
}

active proctype Callee_user() {
  mtype what;
  byte block, blocks;
  do
  :: deliver?what, block;
     if
     :: what == connect -> assert(blocks == 0)
     :: what == data -> assert(blocks == block); blocks++
     :: else -> blocks = 0
     fi;
     d_step { what = 0; block = 0 }
  od
}

active proctype Sending_link() {
  mtype what;
  byte block;
  bool parity;
  do
  :: down?what, block;
     do
     :: line!what, block, parity
     :: echo?eval(parity) -> break
     :: echo?eval(1 - parity)
     od;
     parity = !parity;
     d_step { what = 0; block = 0 }
  :: echo?_
  od
}

active proctype Receiving_link() {
  mtype what;
  byte block;
  bool parity, expected;
  do
  :: line?what, block, parity;
     if
     :: parity == expected -> above!what, block; expected = !expected
     :: else
     fi;
     if
     :: echo!parity
     :: skip  /* lost */
     fi;
     d_step { what = 0; block = 0; parity = 0 }
  :: line?_, _, _  /* lost */
  od
}
