/* A process that is active at the start cannot ask others for an initial value.
 * expect: rejected */
byte x;
active proctype A() { byte v; v = 1 }
init { byte k = A:v; x = k }
