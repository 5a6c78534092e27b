/* So is a formula.
 * expect: holds  states=3 transitions=3 */
byte x;
ltl small { [] (x < 1) }
active proctype P() { x = 1 }
