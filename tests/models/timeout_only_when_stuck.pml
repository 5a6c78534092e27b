/* timeout becomes true when nothing else in the whole system can move.
 * expect: holds  states=17 transitions=18 */
byte x;
active proctype P() { do :: x < 3 -> x++ :: timeout -> break od; assert(x == 3) }
active proctype Q() { timeout -> assert(x == 3) }
