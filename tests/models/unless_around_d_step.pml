/* d_step is one step; an escape comes before it or after it.
 * expect: holds  states=20 transitions=24 */
byte x, stop;
active proctype P() { { d_step { x = 1; x = 2 }; x = 3 } unless { stop -> assert(x == 0 || x == 2) } }
active proctype Q() { stop = 1 }
