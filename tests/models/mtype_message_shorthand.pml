/* c!m(x) is c!m,x.
 * expect: holds  states=8 transitions=8 */
mtype = { ping, pong };
chan c = [1] of { mtype, byte };
active proctype P() { byte x; c!ping(3); c?ping(x); assert(x == 3); c!pong, 4; c?pong(x); assert(x == 4) }
