/* A division by zero is an error whatever is divided; the C compiler makes 0 of it, and SPIN's verifier goes on, unless
 * gcc is told to look first.
 * counts-differ: SPIN crashes.
 * expect: violated runtime-error */
byte x = 1;
active proctype P() { x = 0 % (x - 1) }
