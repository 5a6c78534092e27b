/* A deterministic loop inside d_step.
 * expect: holds  states=4 transitions=4 */
byte i, n;
active proctype P() { d_step { do :: i < 5 -> i++; n = n + i :: else -> break od }; assert(n == 15) }
