/* A label on the last skip of a process.
 * expect: holds  states=8 transitions=8 */
byte x;
active proctype P() { if :: x = 1; goto out :: x = 2 fi; x = 3; out: skip }
