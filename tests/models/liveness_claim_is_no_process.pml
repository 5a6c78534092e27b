/* _nr_pr counts processes. SPIN's verifier counts the claim as well, and finds no run here that gets beyond the first
   statement.
   expect: holds  states=4 transitions=4
   spin-differs: as said
   property ltl:stays_zero: violated claim-violated
*/
byte x;
init { _nr_pr == 1 -> x = 1 }
ltl stays_zero { [] (x == 0) }
