/* An atomic sequence of a never claim blocks after its first statement: the claim is then blocked, and the run is of no
   interest. (A sequence of a process would lose its atomicity and wait.)
   expect: holds  states=4 transitions=4
   property never: holds
*/
byte x;
active proctype P() { x = 1; x = 2 }
never { x == 0; atomic { x == 1; x == 2; assert(false) } }
