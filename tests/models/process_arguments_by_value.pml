/* Arguments are evaluated when the process is created.
 * expect: violated assertion  states=10 transitions=13 */
byte x = 1;
proctype P(byte a) { assert(a == 1); assert(x == 1) }
init { run P(x); x = 2 }
