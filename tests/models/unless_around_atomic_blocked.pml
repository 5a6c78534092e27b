/* Where atomic blocks, the escape can take over.
 * expect: holds  states=8 transitions=9 */
byte x, stop;
active proctype P() { { atomic { x = 1; x == 7; x = 3 } } unless { stop } }
active proctype Q() { x == 1 -> stop = 1 }
