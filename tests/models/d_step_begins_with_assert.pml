/* A d_step whose first statement is an assertion. SPIN's verifier does not ask there whether a handshake is going on, and so
   executes it between the offer and its acceptance, too: the same states, more arrivals at them.
   spin-says: violated deadlock  states=14 transitions=24
   expect: violated deadlock  states=14 transitions=20 */
chan c = [0] of { byte };
active [2] proctype P() { d_step { assert(true) }; c?1 }
active proctype Q() { c!1 }
