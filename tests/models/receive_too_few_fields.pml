/* A receive that leaves fields out is an error, and the message is taken.
 * counts-differ: SPIN forgets those fields when it takes the receive back.
 * expect: violated runtime-error */
chan c = [1] of { byte, byte };
active proctype P() { byte x; c!1, 2; c?x; assert(x == 1 && empty(c)) }
