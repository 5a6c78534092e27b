/* Both escapes become enabled by the same step: who wins is SPIN's choice, the count tells.
 * expect: holds  states=5 transitions=5 */
byte x, y;
active proctype P() {
  { { x = 1; x == 9 } unless { x == 1 -> y = 1 }; y = 5 } unless { x == 1 -> y = 2 }
}
