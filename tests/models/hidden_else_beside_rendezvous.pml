/* A rendezvous send without a partner keeps the else from running, so the atomic sequence blocks with
 * a value in the hidden variable.
 * expect: holds  states=11 transitions=13 */
hidden byte h;
byte r;
chan c = [0] of { byte };
active proctype A() { atomic { h = 1; if :: c!0 -> assert(h == 1) :: else -> skip fi } }
active proctype B() { r = 1; r = 2; end: c?_ }
