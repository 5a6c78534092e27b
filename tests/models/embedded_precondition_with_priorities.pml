/* A precondition is false in the process of the highest priority. The error is reported, the step has no successor, and the other
 * process moves. In SPIN no other process moves in that state, which is then reported as an invalid end state, too.
 * spin-says: violated deadlock+runtime-error  states=2 transitions=2
 * expect: violated runtime-error  states=7 transitions=7 */
byte x;
active proctype P() priority 3 { byte k; skip; c_code [now.x != 0] { now.x = 1; }; k = 1 }
active proctype Q() { byte k; x = 2 }
