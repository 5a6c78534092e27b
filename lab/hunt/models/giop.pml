/* The General Inter-ORB Protocol of CORBA, with USERS users: a client broker sends their requests over a connection to an
   agent, which hands them to the server where the object was last seen; the object moves once, and a server
   that it has left answers with the new place. Connections have room for two messages.
   Error: the client broker can give a connection up. It says so and waits for the agent's confirmation, and reads nothing
   else; with a reply in front of the confirmation both wait for ever (deadlock). It is complete when every user has
   prepared a request, so the shortest trace has one step per user and some more.
   With -DRESPONSE the broker does not give up, but can forget a request that was forwarded to it, and the formula
   "user 0 who asks is answered" fails.
   -DUSERS=5. */
#ifndef USERS
#define USERS 5
#endif

mtype = { request, reply, forward, closing };
chan asked = [0] of { byte };
chan answered[USERS] = [0] of { bool };
chan there = [2] of { mtype, byte, byte };  /* from the client broker to the agent: kind, user, place */
chan back = [2] of { mtype, byte, byte };
chan inbox[2] = [1] of { byte };            /* of the servers: the user */
chan outbox = [2] of { mtype, byte, byte };
bool waits[USERS];
byte place, last_seen;
bool moved;

proctype User(byte me) {
  skip;  /* prepares its request */
  asked!me;
  answered[me]?true
}

active proctype Broker() {
  byte user, where;
#ifndef RESPONSE
  bool gave_up;
#endif
end:
  do
  :: asked?user -> waits[user] = true; there!request(user, last_seen)
  :: back?reply(user, where) ->
     if
     :: waits[user] -> waits[user] = false; answered[user]!true
     :: else
     fi
  :: back?forward(user, where) ->
     last_seen = where;
     if
     :: there!request(user, last_seen)
#ifdef RESPONSE
     :: skip  /* forgets it */
#endif
     fi
#ifndef RESPONSE
  :: !gave_up && waits[0] ->
     gave_up = true;
     there!closing(0, 0);
     back?closing(_, _)
#endif
  od
}

active proctype Agent() {
  mtype kind;
  byte user, where;
end:
  do
  :: there?request(user, where) -> inbox[where]!user
  :: there?closing(_, _) -> back!closing(0, 0)
  :: outbox?kind(user, where) -> back!kind(user, where)
  od
}

proctype Server(byte me) {
  byte user;
end:
  do
  :: inbox[me]?user ->
     if
     :: place == me -> outbox!reply(user, me)
     :: else -> outbox!forward(user, place)
     fi
  :: place == me && !moved -> atomic { place = 1 - me; moved = true }
  od
}

init {
  byte i;
  atomic {
    run Server(0);
    run Server(1);
    for (i : 0 .. USERS - 1) { run User(i) }
    i = 0
  }
}

#ifdef RESPONSE
ltl response { [] (waits[0] -> <> !waits[0]) }
#endif
