/* A loop without way out is no deadlock.
 * expect: holds  states=2 transitions=3 */
byte x;
active proctype P() { do :: x = 1 - x od }
