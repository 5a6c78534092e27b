/* A receive with a constant takes part only when the sent value equals it.
 * expect: violated deadlock  states=1 transitions=1 */
chan c = [0] of { byte };
byte got;
active proctype S() { c!2 }
active proctype R() { if :: c?1 -> got = 1 :: c?3 -> got = 3 fi }
