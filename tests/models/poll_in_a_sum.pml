/* A poll is an operand like any other. In a model with rendezvous channels SPIN writes it without parentheses into its C:
 * 1 + c?[5] becomes (1 + not_RV(c)) && ..., which is 1.
 * spin-says: violated assertion  states=17 transitions=26
 * expect: holds  states=17 transitions=26 */
chan c = [1] of { byte };
chan handshake = [0] of { byte };
byte x;

active proctype P() {
  c!5;
  x = 1 + c?[5];
  assert(x == 2)
}
active proctype Q() { handshake!1 }
active proctype R() { handshake?1 }
