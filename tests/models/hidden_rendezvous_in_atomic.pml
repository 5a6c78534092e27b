/* A rendezvous hands the turn over in the middle of an atomic sequence, although the sequence could
 * not have blocked there; the hidden variable must be found as it was left.
 * expect: holds  states=11 transitions=14 */
hidden byte h;
byte r;
chan c = [0] of { byte };
active proctype A() { atomic { h = 1; if :: c!0 -> assert(h == 1) :: h = 2 fi } }
active proctype B() { end: c?_; r = 1; r = 2 }
