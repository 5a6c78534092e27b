/* A break, like a goto, may not lead to a d_step: SPIN takes it for a jump into the middle.
 * expect: rejected */
byte x;
active proctype P() { do :: x < 3 -> x++ :: else -> break od; d_step { x = 1; x = 2 } }
