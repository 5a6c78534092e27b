/* A formula reads no state inside an atomic sequence.
   expect: holds  states=3 transitions=4
   property ltl:never_one: holds
   property ltl:never_two: violated claim-violated
*/
byte x;
active proctype P() { do :: atomic { x == 0 -> x = 1; x = 2 } :: x == 2 -> x = 0 od }
ltl never_one { [] (x != 1) }
ltl never_two { [] (x != 2) }
