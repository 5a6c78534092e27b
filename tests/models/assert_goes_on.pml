/* After a failed assertion the search goes on behind it.
 * expect: violated assertion+deadlock  states=3 transitions=3 */
byte x;
active proctype P() { assert(x == 1); x = 2; x == 3 }
