/* But it can read its variables, in an assignment.
 * expect: holds  states=18 transitions=21 */
byte x;
active proctype A() { byte v; v = 3; v = 4 }
init { d_step { x = A:v; x = x + 1 } }
