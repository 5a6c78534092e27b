/* A rendezvous send without a partner in an escape lets the body run, although the escape could.
 * expect: violated assertion  states=8 transitions=8 */
byte x, a; chan c = [0] of { byte };
active proctype P() { { x = 1 } unless { if :: c!1 -> skip :: a == 0 -> skip fi }; assert(x == 0) }
