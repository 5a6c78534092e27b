/* A process that reads where another is (_p) can tell local steps apart; a reduction must not skip one.
 * expect: violated assertion  states=13 transitions=19 */
active proctype B() { byte z; z = 1; z = 2; z = 3 }
active proctype C() { assert(B:_p != 2) }
