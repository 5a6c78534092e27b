/* A temporal operator binds tighter than a comparison: this is ([] x) == 3, which is accepted with a warning.
 * expect: holds  states=3 transitions=3 */
byte x;
ltl p { [] x == 3 }
init { x = 1 }
