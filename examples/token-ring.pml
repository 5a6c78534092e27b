/* A token that goes around a ring of mailboxes: a channel is the content of a message.
 *
 * Each station builds its own mailbox and hands it to the hub, which introduces each station to its
 * successor. From then on the token goes around without the hub. A station never ends, because the
 * mailbox of a process dies with it.
 *
 * expect: holds  states=808 transitions=1336
 */
#define STATIONS 3
#define LAST 7        /* hops before the token is worn out */

chan hub = [STATIONS] of { chan };
byte working;

proctype station() {
  chan mailbox = [1] of { byte, chan };
  chan next;
  byte hops;

  hub!mailbox;
  mailbox?_, next;    /* from the hub: the address of my successor */
  end: do
  :: mailbox?hops, _ ->
     working++;
     assert(working == 1);
     working--;
     if
     :: hops < LAST -> next!hops + 1, next
     :: else
     fi
  od
}

init {
  chan box[STATIONS];
  byte i;
  atomic {
    for (i : 0 .. STATIONS - 1) { run station() }
  };
  for (i : 0 .. STATIONS - 1) { hub?box[i] };
  for (i : 0 .. STATIONS - 1) { box[i]!0, box[(i + 1) % STATIONS] };
  box[0]!1, box[0]    /* the token */
}
