/* A run that ends at an accept label stays there for ever: that is a cycle.
   expect: violated deadlock  states=2 transitions=2
   property accept: violated acceptance-cycle
   property progress: holds
*/
byte x;
active proctype P() { x = 1; accept_here: x == 2 }
