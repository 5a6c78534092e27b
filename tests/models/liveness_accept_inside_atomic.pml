/* Who runs through an atomic sequence passes the accept label inside it, although no state shows the process there.
   expect: holds  states=1 transitions=2
   property accept: violated acceptance-cycle
   property progress: violated non-progress
*/
active proctype P() { do :: atomic { skip; accept_a: skip } od }
