/* A declaration with a start value is an assignment at its place, and a step.
 * expect: holds  states=5 transitions=5 */
byte x = 1;
active proctype P() { x = 5; byte y = x; assert(y == 5) }
