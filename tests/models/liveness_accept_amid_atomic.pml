/* An accept label in the middle of an atomic sequence is passed in every round. SPIN sees it where one statement follows in the sequence, and
   misses it where there are two.
   expect: holds  states=1 transitions=2
   spin-differs: as said
   property accept: violated acceptance-cycle
*/
active proctype P() {
  do
  :: atomic {
       skip;
accept_a:
       skip;
       skip
     }
  od
}
