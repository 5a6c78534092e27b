/* As label_on_goto_ends_a_block, for a break and an option of a loop.
   expect: holds  states=28 transitions=37
*/
byte x;
active proctype P() { a: x = 1 - x; do :: { x == 1; b: goto a } :: x == 0 -> { skip; { x = 1; c: break } } od; x = 1; goto a }
active proctype Q() { P[0]@b; P[0]@c }
