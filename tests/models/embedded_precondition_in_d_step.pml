/* A precondition is false inside a d_step, after its first statement. The error is reported, and the step has no successor. In
   SPIN the process does not move at all then, and nothing else can: an invalid end state, too.
   spin-says: violated deadlock+runtime-error  states=1 transitions=1
   expect: violated runtime-error  states=1 transitions=1 */
byte x;
active proctype P() { d_step { skip; c_code [now.x != 0] { now.x = 1; } } }
