/* A d_step that ends in a block within a block, at the end of an option, is taken for a jump out.
 * expect: rejected */
byte x;
active proctype P() { if :: d_step { { { x = 1 } } } fi }
