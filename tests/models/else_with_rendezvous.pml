/* else beside a rendezvous is true when nobody is there to meet; both sides may miss each other.
 * expect: holds  states=19 transitions=22 */
chan c = [0] of { byte };
byte x;
active proctype S() { if :: c!1 -> x = x + 1 :: else -> x = x + 2 fi }
active proctype R() { if :: c?_ -> x = x + 4 :: else -> x = x + 8 fi; timeout -> assert(x == 5 || x == 10) }
