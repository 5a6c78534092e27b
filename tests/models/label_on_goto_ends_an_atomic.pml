/* As label_on_goto_ends_a_block, in an atomic sequence and in an escape.
   expect: holds  states=4 transitions=9 */
byte x, y;
active proctype P() { a: atomic { x = 1 - x; b: goto a } }
active proctype R() { c: y = 1 - y; { skip } unless { atomic { y == 1; y = 0; d: goto c } }; goto c }
active proctype Q() { P[0]@b -> R[1]@d }
