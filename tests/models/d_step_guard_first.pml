/* A guard at its beginning only delays it.
 * expect: holds  states=6 transitions=7 */
byte x;
active proctype P() { d_step { x == 1; x = 2 } }
active proctype Q() { x = 1 }
