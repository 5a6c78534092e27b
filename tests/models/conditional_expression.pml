/* (c -> a : b) evaluates only the chosen branch.
 * expect: holds  states=6 transitions=6 */
byte x = 3;
active proctype P() { x = (x > 2 -> 10 : 20); assert(x == 10); x = (x > 50 -> 1 : (x == 10 -> 2 : 3)); assert(x == 2) }
