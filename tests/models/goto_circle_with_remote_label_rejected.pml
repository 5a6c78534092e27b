/* A circle of gotos has no statement. SPIN refuses it as well: when it reads the model ("confusing control structure"), or,
 * where a remote reference names a label of the circle, when its verifier starts ("unconditional self-loop").
 * spin-says: refused
 * expect: rejected */
active proctype P() { skip; a: goto b; b: goto a }
active proctype Q() { P[0]@b }
