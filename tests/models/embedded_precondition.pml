/* A precondition that is false is an error, and the c_code behind it does not run.
 * expect: violated assertion+deadlock+runtime-error  states=64 transitions=108 */
byte x;
active proctype p() { do :: x < 5 -> x++ :: x > 0 -> c_code [now.x < 4] { now.x = 0; } od }
active proctype q() { x == 3 -> assert(x != 3) }
