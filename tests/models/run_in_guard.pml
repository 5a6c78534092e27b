/* run is an expression, true when the process could be created.
 * expect: holds  states=10 transitions=12 */
byte x;
proctype P() { x++ }
init { if :: run P() -> skip fi; (_nr_pr == 1 && x == 1) -> assert(x == 1) }
