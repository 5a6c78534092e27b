/* The usual way around it.
 * expect: holds  states=11 transitions=11 */
byte x;
active proctype P() { do :: x < 3 -> x++ :: else -> break od; skip; d_step { x = 1; x = 2 } }
