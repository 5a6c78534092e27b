/* Steps inside atomic leave no states behind: ten increments are one step to everybody.
 * expect: holds  states=7 transitions=7 */
byte x, y;
active proctype P() { atomic { x++; x++; x++; x++; x++; x++; x++; x++; x++; x++ }; y = 1 }
active proctype Q() { y == 1 -> assert(x == 10) }
