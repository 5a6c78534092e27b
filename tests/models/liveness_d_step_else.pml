/* An else inside a d_step of a never claim is taken where the other options cannot be.
   expect: holds  states=3 transitions=3
   property never: violated claim-violated
*/
byte x;
active proctype P() { x = 1 }
never { do :: d_step { if :: x == 0 -> skip :: else -> assert(x != 1) fi } od }
