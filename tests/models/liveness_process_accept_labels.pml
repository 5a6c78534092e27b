/* Accept labels of processes count under a never claim, as in SPIN, and not under a formula, where SPIN counts them too.
   expect: holds  states=2 transitions=3
   property never: violated acceptance-cycle
   property accept: violated acceptance-cycle
*/
byte x;
active proctype P() { do :: x = 1; accept_p: x = 0 od }
never { do :: x < 2 od }
