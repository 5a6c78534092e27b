/* _ takes any value and forgets it.
 * expect: holds  states=5 transitions=5 */
byte x;
active proctype P() { _ = 5; x = 1; _ = x }
