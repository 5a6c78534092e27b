/* A label in front of d_step can be read, but not jumped to.
 * expect: rejected */
byte x;
active proctype P() { again: d_step { x = 1; x = 0 }; goto again }
