/* Fields are stored from left to right; a later constant is compared before anything is stored.
 * expect: violated deadlock  states=6 transitions=8 */
chan c = [1] of { byte, byte };
byte x;
active proctype P() { c!7, 1; c?x, 2 }
active proctype W() { assert(x == 0) }
