/* The public-key protocol of Needham and Schroeder as repaired by Lowe: INITIATORS initiators, RESPONDERS
   responders and an intruder who hears, keeps, forges and replays whatever his knowledge allows.
   Graph: deep; what the intruder knows he never forgets, so that all cycles are short.
   Without reduction at the defaults: states=276124 transitions=757148
   -DINITIATORS=2, -DRESPONDERS=1; -DFLAWED leaves Lowe's repair out, and an assertion fails. */
#ifndef INITIATORS
#define INITIATORS 2
#endif
#ifndef RESPONDERS
#define RESPONDERS 1
#endif

/* Agents: 0 the intruder, 1 .. INITIATORS, then the responders. Agent a has the nonce a; the intruder's
   own is 0. */
#define AGENTS (1 + INITIATORS + RESPONDERS)
#define IS_RESPONDER(a) ((a) > INITIATORS)

mtype = { hello, reply, confirm };

/* kind, for whom it is encrypted, nonce, second nonce, name of the sender as the message says it */
chan to_net = [0] of { mtype, byte, byte, byte, byte };
chan from_net[AGENTS] = [0] of { mtype, byte, byte, byte };
byte talks_to[AGENTS];
bool is_done[AGENTS];

#ifdef FLAWED
#define SIGNED_BY(a) 0
#else
#define SIGNED_BY(a) (a)
#endif

proctype Initiator(byte me) {
  byte nonce;
  atomic {
    if
    :: talks_to[me] = 0
    :: select (nonce : 1 + INITIATORS .. AGENTS - 1); talks_to[me] = nonce; nonce = 0
    fi
  }
  to_net!hello, talks_to[me], me, 0, me;
end:
  from_net[me]?reply, eval(me), nonce, eval(SIGNED_BY(talks_to[me]));
  to_net!confirm, talks_to[me], nonce, 0, 0;
  is_done[me] = true
}

proctype Responder(byte me) {
  byte partner, nonce;
end_idle:
  from_net[me]?hello, nonce, 0, partner;
  talks_to[me] = partner;
  to_net!reply, partner, nonce, me, SIGNED_BY(me);
end:
  from_net[me]?confirm, eval(me), 0, 0;
  is_done[me] = true;
  assert(partner == 0 || talks_to[partner] == me)
}

bool knows[AGENTS];        /* nonces */
mtype kept_kind;           /* the last message that he could not read */
byte kept_for, kept_nonce, kept_second, kept_name;

#define FORGET d_step { kind = 0; for_whom = 0; nonce = 0; second = 0; named = 0 }

proctype Intruder() {
  mtype kind;
  byte for_whom, nonce, second, named;
  knows[0] = true;
end:
  do
  :: to_net?kind, for_whom, nonce, second, named;
     if
     :: for_whom == 0 ->
        knows[nonce] = true;
        if
        :: kind == reply -> knows[second] = true
        :: else
        fi
     :: for_whom != 0 ->
        if
        :: d_step {
             kept_kind = kind; kept_for = for_whom;
             kept_nonce = nonce; kept_second = second; kept_name = named
           }
        :: skip
        fi
     fi;
     FORGET
  :: from_net[kept_for]!kept_kind, kept_nonce, kept_second, kept_name
  :: atomic {  /* make up any message */
       select (nonce : 0 .. AGENTS - 1);
       if
       :: kind = hello;
          select (for_whom : 1 + INITIATORS .. AGENTS - 1);
          select (named : 0 .. INITIATORS)
       :: kind = reply;
          select (for_whom : 1 .. INITIATORS);
          second = nonce;
          nonce = for_whom;
          named = SIGNED_BY(0)
       :: kind = confirm;
          select (for_whom : 1 + INITIATORS .. AGENTS - 1);
          nonce = for_whom
       fi;
       if
       :: knows[nonce] && knows[second]
       :: else -> FORGET; goto end
       fi
     };
     if
     :: from_net[for_whom]!kind, nonce, second, named
     :: skip
     fi;
     FORGET
  od
}

init {
  byte i;
  atomic {
    for (i : 1 .. INITIATORS) { run Initiator(i) }
    for (i : 1 + INITIATORS .. AGENTS - 1) { run Responder(i) }
    run Intruder();
    i = 0
  }
}
