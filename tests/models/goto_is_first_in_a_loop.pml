/* The first statement jumps into a loop whose only option jumps to its head.
 * expect: holds  states=2 transitions=3 */
byte x;
active proctype P() { goto inside; head: do :: inside: x = 1; goto head od }
