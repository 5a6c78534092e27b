/* The same without the label: an end of all processes is a cycle neither for accept nor for progress labels,
   but a formula reads its last state for ever.
   expect: holds  states=3 transitions=3
   property accept: holds
   property progress: holds
   property ltl:becomes_two: violated acceptance-cycle
   property ltl:stays_one: holds
*/
byte x;
active proctype P() { x = 1 }
ltl becomes_two { <> (x == 2) }
ltl stays_one { <> [] (x == 1) }
