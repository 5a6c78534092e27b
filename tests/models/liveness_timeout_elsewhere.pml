/* A statement `timeout`, even where it is never executed, makes SPIN's verifier report an acceptance cycle that its claim does not have.
   From accept_ the claim goes to T2, and comes back only where x is 0; but x stays 1. Without `never_run` SPIN finds no error.
   expect: holds  states=3 transitions=3
   spin-differs: as said
   property never: holds
*/
byte x;
active proctype P() { x = 1 }
proctype never_run() { timeout }
never {
T0: do :: (x == 0) -> goto T1 :: (1) -> goto T0 od;
T1: do :: (1) -> goto T1 :: (x == 1) -> goto accept_ od;
accept_: do :: (1) -> goto T2 od;
T2: do :: (x == 0) -> goto accept_ :: (1) -> goto T2 od
}
