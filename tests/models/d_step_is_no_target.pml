/* SPIN refuses to jump to a d_step from outside, even to its beginning.
   expect: rejected */
byte x;

active proctype P() {
  again:
  d_step {
    x = (x + 1) % 3
  };
  goto again
}
