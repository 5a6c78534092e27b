/* An escape cannot cut into atomic while it runs; after it, the main sequence is over.
 * expect: holds  states=16 transitions=20 */
byte x, stop;
active proctype P() { { atomic { x = 1; x = 2; x = 3 } } unless { stop -> assert(x == 0) } }
active proctype Q() { stop = 1; assert(x == 0 || x == 3) }
