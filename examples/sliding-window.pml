/* A sliding window of two over a channel that loses and a channel for acknowledgements.
 *
 * The sender may have WINDOW messages on the way. Sequence numbers count modulo 2 * WINDOW, which is
 * enough when the receiver takes messages in order only. The payload is the sequence number of the
 * message in a longer count, so that an old message taken for a new one would be noticed.
 *
 * expect: holds  states=799 transitions=1396
 */
#define WINDOW 2
#define SPACE 4      /* 2 * WINDOW */
#define PAYLOADS 8   /* a multiple of SPACE */

chan data = [WINDOW] of { byte, byte };   /* sequence number, payload */
chan acks = [WINDOW] of { byte };         /* next sequence number expected */

active proctype sender() {
  byte base, next, ack;                   /* payload counts; modulo SPACE they are numbers */
  do
  :: (next + PAYLOADS - base) % PAYLOADS < WINDOW ->
     data!next % SPACE, next;
     next = (next + 1) % PAYLOADS
  :: acks?ack ->
     do
     :: base != next && base % SPACE != ack -> base = (base + 1) % PAYLOADS
     :: else -> break
     od
  :: timeout -> next = base               /* go back and send again */
  od
}

active proctype receiver() {
  byte expected, number, payload;
  do
  :: data?number, payload ->
     if
     :: number == expected % SPACE ->
        assert(payload == expected);
        expected = (expected + 1) % PAYLOADS
     :: else
     fi;
     if
     :: acks!expected % SPACE
     :: full(acks)                        /* no room: this acknowledgement is lost */
     fi
  :: data?_, _                            /* this message is lost */
  od
}
