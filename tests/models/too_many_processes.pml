/* 255 processes are the limit; one more is an error.
 * counts-differ: SPIN gives up at this error.
 * expect: violated runtime-error */
proctype P() { false }
init { do :: run P() od }
