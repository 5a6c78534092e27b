/* SPIN refuses to jump to a d_step from outside, but not to one that has another d_step inside.
   expect: holds  states=3 transitions=4 */
byte x;

active proctype P() {
  again:
  d_step {
    d_step {
      x = (x + 1) % 3
    }
  };
  goto again
}
