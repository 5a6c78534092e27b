/* With a second d_step inside, the jump is taken.
 * expect: holds  states=2 transitions=3 */
byte x;
active proctype P() { again: d_step { d_step { x = 1 - x } }; goto again }
