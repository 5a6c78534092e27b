/* enabled(p) tells whether another process could move.
 * expect: holds  states=12 transitions=16 */
byte x;
active proctype P() { x == 1 -> x = 2 }
active proctype Q() { assert(!enabled(0)); x = 1; enabled(0) || x == 2 }
