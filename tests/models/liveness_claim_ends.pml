/* The end of a never claim is a violation, found without a cycle; else in a claim is for when nothing beside it is.
   expect: holds  states=8 transitions=9
   property never: violated claim-violated
*/
byte x;
active proctype P() { do :: x < 3 -> x++ :: else -> x = 0 od }
never { do :: x == 2 -> break :: else od }
