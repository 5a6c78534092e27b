/* Reading _priority does not switch priorities on.
 * expect: holds  states=19 transitions=25 */
byte x;
active proctype A() { x = 1; x = 2 }
active proctype B() { x = _priority; x = 3 }
