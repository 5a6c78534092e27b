/* A never claim is read, but no part of a safety check.
 * expect: holds  states=4 transitions=4 */
byte x;
never { do :: x == 1 -> break :: else od }
active proctype P() { x = 1; x = 2 }
