/* The main sequence offers a rendezvous while the escape is enabled: no meeting takes place.
 * expect: violated deadlock  states=3 transitions=3 */
chan c = [0] of { bit };
byte stop = 1, got;
active proctype P() { { c!1 } unless { stop == 1 -> skip } }
active proctype Q() { c?_; got = 1; assert(false) }
