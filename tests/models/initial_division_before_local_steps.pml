/* What is wrong with the initial values is found although the first steps are local, so that a reduced
 * expansion would do for them.
 * counts-differ: SPIN's verifier dies of the division.
 * expect: violated runtime-error */
byte z = 0;
byte x = 5 / z;
active proctype P() { byte a; a = 1; a = 2; assert(a == 2) }
active proctype Q() { byte b; b = 1; b = 2; assert(b == 2 && x == 0) }
