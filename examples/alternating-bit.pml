/* The alternating bit protocol over channels that lose messages (Bartlett, Scantlebury, Wilkinson
 * 1969). The sender repeats a message until its bit comes back; the receiver drops repetitions.
 * The payload counts modulo 3, so that a lost or doubled message would show.
 *
 * expect: holds  states=646 transitions=1370
 */
mtype = { data, ack };

chan forth = [1] of { mtype, byte, bit };
chan back = [1] of { mtype, bit };

active proctype sender() {
  byte payload;
  bit mark, got;
  do
  :: forth!data(payload, mark)
  :: back?ack(got) ->
     if
     :: got == mark ->
        mark = 1 - mark;
        payload = (payload + 1) % 3
     :: else
     fi
  :: back?_, _                   /* lost on the way back */
  :: timeout -> forth!data(payload, mark)
  od
}

active proctype receiver() {
  byte expected, payload;
  bit mark, got;
  do
  :: forth?data(payload, got) ->
     if
     :: got == mark ->
        assert(payload == expected);
        expected = (expected + 1) % 3;
        mark = 1 - mark
     :: else
     fi;
     back!ack(got)
  :: forth?_, _, _               /* lost on the way forth */
  od
}
