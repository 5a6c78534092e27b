/* Clients and one server that meet in rendezvous; each client brings a channel for the answer.
 *
 * expect: holds  states=73 transitions=135
 */
#define CLIENTS 2

mtype = { request, reply, deny };

chan service = [0] of { mtype, chan };
bool busy;

active [CLIENTS] proctype client() {
  chan answer = [0] of { mtype, byte };
  byte value;
  do
  :: service!request(answer) ->
     if
     :: answer?reply(value) -> assert(value == 7)
     :: answer?deny(_)
     fi
  od
}

active proctype server() {
  chan asker;
  end: do
  :: service?request(asker) ->
     if
     :: busy = true; asker!reply(7); busy = false
     :: asker!deny(0)
     fi;
     assert(!busy)
  od
}
