/* Each process creates the next; they die from the last to the first.
 * expect: holds  states=31 transitions=51 */
byte top;
proctype P(byte n) { if :: n < 3 -> run P(n + 1) :: else -> top = _pid fi; assert(_pid == n) }
init { run P(1) }
