/* With both escapes enabled, the inner one is taken: the outer has no priority over it.
 * expect: holds  states=9 transitions=9 */
byte x;
active proctype P() {
  { x = 1; { x = 2; x == 9 } unless { x == 2 -> x = 3 }; x == 9 } unless { x == 3 -> x = 4 };
  assert(x == 4)
}
