/* Arguments are cut to the type of the parameter, like an assignment.
 * expect: holds  states=5 transitions=5 */
proctype P(byte a; bit b; short c) { assert(a == 44 && b == 1 && c == -1) }
init { run P(300, 3, 65535) }
