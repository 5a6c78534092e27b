/* An offered rendezvous without partner does not hinder timeout.
 * expect: violated deadlock  states=4 transitions=4 */
chan c = [0] of { byte };
byte x;
active proctype P() { c!1 }
active proctype Q() { timeout -> x = 1 }
