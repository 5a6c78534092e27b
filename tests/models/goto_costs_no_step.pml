/* goto and break take no step of their own.
 * expect: holds  states=6 transitions=6 */
byte x;
active proctype P() { a: goto b; c: x = 2; goto d; b: x = 1; goto c; d: do :: break od; x = 3 }
