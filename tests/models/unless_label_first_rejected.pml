/* SPIN refuses a label on the first statement under an escape, where it is not clear what it means.
 * expect: rejected */
byte x;
active proctype P() { { again: x++; goto again } unless { x == 3 } }
