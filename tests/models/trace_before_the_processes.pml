/* A trace assertion stops no handshake. SPIN numbers it with the proctypes; where it is declared before them, its number is 0, and
 * the verifier takes the moves of process 0 for its own: the offers of process 0 are forgotten, on every channel, also on those that the
 * assertion does not name. Declared after the proctypes, the same assertion has our answer.
 * spin-says: violated deadlock  states=3 transitions=3
 * expect: holds  states=11 transitions=12 */
chan c = [0] of { byte };
chan named = [0] of { byte };
byte x;

trace { do :: named!1 od }

active proctype Sender() { c!1; x = 1 }
active proctype Receiver() { c?_; x = 2 }
