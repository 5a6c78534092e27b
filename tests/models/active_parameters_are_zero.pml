/* Parameters of a process that is active from the start are zero.
 * expect: holds  states=7 transitions=9 */
active [2] proctype P(byte a; short b) { assert(a == 0 && b == 0) }
