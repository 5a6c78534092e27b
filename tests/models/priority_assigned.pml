/* An assignment to _priority switches priorities on, as set_priority does.
 * expect: holds  states=16 transitions=17 */
byte x;
active proctype A() { x = 1; x = 2 }
active proctype B() { _priority = 2; x = 3 }
