/* A goto into the middle of atomic is indivisible from there on.
 * expect: holds  states=7 transitions=9 */
byte x;
active proctype P() {
  goto middle;
  atomic { x = 7; middle: x = 1; x = 2; x = 3 }
}
active proctype Q() { assert(x == 0 || x == 3) }
