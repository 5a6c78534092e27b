/* The escape has priority: once its guard is true, the main sequence never goes on.
 * expect: holds  states=7 transitions=7 */
byte x;
active proctype P() { { x = 1; x = 2; assert(false) } unless { x == 2 -> x = 3 }; assert(x == 3) }
