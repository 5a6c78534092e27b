/* A loop inside atomic runs to its end before anybody else moves.
 * expect: holds  states=7 transitions=9 */
byte x;
active proctype P() { atomic { do :: x < 5 -> x++ :: else -> break od } }
active proctype Q() { assert(x == 0 || x == 5) }
