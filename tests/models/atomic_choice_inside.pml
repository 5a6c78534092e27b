/* Choices inside atomic branch, though no state between is kept: all four values of y are reached.
 * expect: violated assertion  states=13 transitions=13 */
byte x, y;
active proctype P() {
  atomic { if :: x = 0 :: x = 1 fi; if :: y = x :: y = x + 2 fi };
  assert(y < 3)
}
