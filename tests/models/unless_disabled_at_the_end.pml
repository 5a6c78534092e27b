/* When the main sequence has ended, the escape is gone.
 * expect: violated deadlock  states=3 transitions=3 */
byte x;
active proctype P() { { x = 1 } unless { x == 5 -> assert(false) }; x = 5; x == 6 }
