/* A jump to a break whose label another process asks about: the label is a state, so the circle of jumps has one. SPIN takes it
   for a circle without a state ("confusing control structure") and rejects the model.
   spin-says: rejected
   expect: holds  states=3 transitions=6 */
active proctype P() { goto a; do :: a: break od; goto a }
active proctype Q() { P[0]@a }
