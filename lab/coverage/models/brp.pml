/* Bounded retransmission: a file of CHUNKS bits goes over a lossy line, each chunk with an alternating
   bit and at most RETRIES repetitions; then the sender gives up and both ends tell their users.
   The content of the file is chosen while it is sent, and FILES files are sent in a row.
   Graph: deep and narrow, one layer per chunk; the losses are its branches.
   Without reduction at the defaults: states=567542 transitions=1535302
   -DCHUNKS=5, -DRETRIES=3, -DFILES=2. */
#ifndef CHUNKS
#define CHUNKS 5
#endif
#ifndef RETRIES
#define RETRIES 3
#endif
#ifndef FILES
#define FILES 2
#endif

mtype = { ok, not_ok, do_not_know, first, incomplete, complete };

chan line = [1] of { bool, bool, bool };   /* alternating bit, last chunk, content */
chan back = [1] of { bool };               /* alternating bit */
chan told_sender = [1] of { mtype };       /* what the user at each end hears */
chan told_receiver = [1] of { mtype };
byte sent, got;                            /* the bits so far */
bool given_up, quiet;

#define nothing_under_way (empty(line) && empty(back) && quiet)

active proctype Sender() {
  byte chunk, tries, file;
  bool parity, content;
  do
  :: file < FILES ->
     chunk = 0; sent = 0;
     do
     :: chunk < CHUNKS ->
        if
        :: content = 0
        :: content = 1
        fi;
        atomic { sent = 2 * sent + content; tries = 0 }
        do
        :: line!parity, chunk == CHUNKS - 1, content;
           if
           :: back?eval(parity) -> break
           :: nothing_under_way && tries < RETRIES -> tries++
           :: nothing_under_way && tries == RETRIES ->
              if
              :: chunk == CHUNKS - 1 -> told_sender!do_not_know
              :: else -> told_sender!not_ok
              fi;
              given_up = true;
              goto end_of_file
           fi
        od;
        parity = !parity;
        chunk++
     :: else -> told_sender!ok; break
     od;
     given_up = true;  /* the receiver may close its books, too */
end_of_file:
     !given_up;
     parity = 0; content = 0; tries = 0;
     file++
  :: else -> break
  od
}

active proctype Receiver() {
  bool expected, parity, last, content;
  byte count;
  quiet = true;
end:
  do
  :: atomic { line?parity, last, content -> quiet = false };
     if
     :: parity == expected ->
        got = 2 * got + content;
        count++;
        assert(count <= CHUNKS);
        if
        :: last -> assert(got == sent); told_receiver!complete
        :: !last && count == 1 -> told_receiver!first
        :: else
        fi;
        expected = !expected
     :: else
     fi;
     atomic { back!parity; quiet = true }
  :: atomic { given_up && empty(line) -> quiet = false };
     if
     :: count > 0 && !last -> told_receiver!incomplete
     :: else
     fi;
     assert(empty(back));
     d_step {
       parity = 0; last = 0; content = 0; expected = 0; count = 0; got = 0;
       quiet = true;
       given_up = false
     }
  od
}

active proctype Loss() {
end:
  do
  :: line?_, _, _
  :: back?_
  od
}

active proctype User_of_sender() {
  byte files;
end:
  do
  :: told_sender?_ -> files++; assert(files <= FILES)
  od
}

active proctype User_of_receiver() {
  mtype what;
  bool begun;
end:
  do
  :: told_receiver?what;
     assert(begun == (what != first));
     begun = what == first;
     what = 0
  od
}
