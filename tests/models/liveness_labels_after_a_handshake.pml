/* A handshake is one step, after which both partners are at their labels.
   expect: holds  states=9 transitions=14
   property ltl:arrives: holds
   property ltl:both_at_once: violated claim-violated
   property progress: violated non-progress
*/
chan c = [0] of { byte };
byte x;
active proctype P() { do :: c!1; sent: x = 0 od }
active proctype Q() { byte y; do :: c?y -> progress_q: x = y :: x == 0; x = 0 od }
ltl arrives { [] (P[0]@sent -> <> (x == 1)) }
ltl both_at_once { [] !(P[0]@sent && Q[1]@progress_q) }
