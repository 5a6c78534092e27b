/* The escape begins with an if: any enabled option of it interrupts.
 * expect: holds  states=28 transitions=41 */
byte x, a, b;
active proctype P() {
  { do :: x = 1 - x od } unless { if :: a == 1 -> x = 4 :: b == 1 -> x = 5 fi };
  assert(x == 4 || x == 5)
}
active proctype Q() { if :: a = 1 :: b = 1 fi }
