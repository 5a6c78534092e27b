/* Where the claim cannot move, the run is of no interest: the accepting loop is only for runs with x == 0 for ever.
   expect: holds  states=2 transitions=3
   property never: holds
   property ltl:leaves_zero: holds
*/
byte x;
active proctype P() { do :: x = 1; x = 0 od }
never { accept: do :: x == 0 od }
ltl leaves_zero { <> (x != 0) }
