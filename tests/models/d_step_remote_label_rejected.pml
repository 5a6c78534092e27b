/* A d_step cannot ask where another process is, not even in an assignment.
 * expect: rejected */
byte x;
active proctype A() { L: skip }
init { d_step { x = A@L; x = 2 } }
