/* Atomic in atomic: the end of the inner one does not end the outer one.
 * expect: holds  states=7 transitions=9 */
byte x;
active proctype P() { atomic { x = 1; atomic { x = 2; x = 3 }; x = 4; x = 5 } }
active proctype Q() { assert(x == 0 || x == 5) }
