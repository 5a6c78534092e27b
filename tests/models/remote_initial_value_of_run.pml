/* A process that is run later, or a declaration in mid-body, can.
 * expect: holds  states=94 transitions=160 */
byte x;
active proctype A() { byte v; v = 1; v = 2 }
proctype B() { byte k = A:v; x = k }
init { run B(); byte j = A:v; x = j }
