/* A guard that is false in the middle of d_step is an error.
 * counts-differ: SPIN gives up at this error.
 * expect: violated runtime-error */
byte x;
active proctype P() { d_step { x = 1; x == 2; x = 3 } }
