/* Where an atomic sequence waits, its middle is a state that a formula reads.
   expect: holds  states=6 transitions=12
   property ltl:never_one: violated claim-violated
   property ltl:again_two: violated acceptance-cycle
*/
byte x, turn;
active proctype P() { do :: atomic { x = 1; turn == 1; x = 2; turn = 0 } od }
active proctype Q() { do :: turn = 1 od }
ltl never_one { [] (x != 1) }
ltl again_two { [] <> (x == 2) }
