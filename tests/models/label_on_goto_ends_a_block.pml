/* A goto ends a block and has a label that another process asks about: the label is a state, and the goto leads to its
   target, not to what follows the block.
   expect: holds  states=12 transitions=19
*/
byte x;
active proctype P() { a: { x = 1 - x; b: goto a } }
active proctype Q() { P[0]@b }
