/* timeout in the middle of atomic waits like any guard that is false.
 * expect: holds  states=8 transitions=8 */
byte x;
active proctype P() { atomic { x = 1; timeout; x = 2 } }
active proctype Q() { x == 1 -> x = 3; x = 4 }
