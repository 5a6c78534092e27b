/* A goto inside the main sequence stays under the escape, a goto out leaves it.
 * expect: holds  states=37 transitions=54 */
byte x, y;
active proctype P() {
  { x = 1; again: x++; if :: x < 3 -> goto again :: else -> goto out fi } unless { y == 1 -> x = 9 };
  assert(x == 9);
out:
  skip
}
active proctype Q() { y = 1 }
