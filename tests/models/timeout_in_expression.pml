/* timeout is an expression like others, and may stand beside them.
 * expect: holds  states=7 transitions=7 */
byte x;
active proctype P() { (timeout && x == 2) || x == 5 -> assert(x == 2) }
active proctype Q() { x = 1; x = 2 }
