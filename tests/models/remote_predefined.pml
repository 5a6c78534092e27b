/* A remote reference can ask for the state number, the number and the priority of a process.
 * expect: holds  states=85 transitions=181 */
byte x;
proctype Idle() { skip }
active [2] proctype A() { skip; skip }
init { x = A:_p; x = A[1]:_p; x = A[1]:_pid; x = A[1]:_priority; x = Idle[2]:_pid }
