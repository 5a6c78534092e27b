/* An else beside a rendezvous strikes only while nobody is there to receive.
 * expect: violated assertion+deadlock  states=9 transitions=10 */
byte y;
chan c = [0] of { byte };
active proctype A() { if :: c!1 :: else -> assert(false) fi }
active proctype B() { byte z; z = 1; c?y }
