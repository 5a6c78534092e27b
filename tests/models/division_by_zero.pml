/* SPIN's verifier dies of it; it is a run-time error.
 * counts-differ: SPIN crashes.
 * expect: violated runtime-error */
byte x = 1;
active proctype P() { x = 5 / (x - 1) }
