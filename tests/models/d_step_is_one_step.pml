/* d_step is one step without states inside.
 * expect: holds  states=7 transitions=9 */
byte x;
active proctype P() { d_step { x = 1; x = 2; x = 3 } }
active proctype Q() { assert(x == 0 || x == 3) }
