/* A condition inside a d_step of a claim is false: the claim cannot take this step, as if the condition were at its start, and
   no run is accepted. SPIN's search ends there ("block in d_step seq").
   expect: holds  states=3 transitions=3
   spin-differs: as said
   property never: holds
*/
byte x;
active proctype P() { x = 1 }
never { d_step { x == 0; x == 1 } }
