/* A goto out of atomic ends the indivisible part, whatever stands at the label.
 * expect: violated assertion  states=13 transitions=19 */
byte x;
active proctype P() {
  atomic { x = 1; goto out; x = 7 };
  x = 8;
out:
  x = 2;
  x = 3
}
active proctype Q() { assert(x != 2) }
