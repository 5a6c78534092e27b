/* A claim that can make no step accepts nothing. It was an internal error.
   expect: holds  states=2 transitions=3
   property never: holds
*/
byte x;
active proctype P() { do :: x = 1 - x od }
never { do :: false od }
