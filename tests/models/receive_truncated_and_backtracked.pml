/* A receive into a smaller variable truncates the value for the variable only. When SPIN backtracks over it, it puts the truncated
 * value (300 becomes 44) back into the channel: the second option then waits for a 300 that was never taken.
 * spin-says: violated deadlock  states=7 transitions=7
 * expect: violated assertion  states=9 transitions=10 */
chan c = [1] of { short };
byte b;

active proctype P() {
  c!300;
  if
  :: c?b -> assert(b == 44)
  :: skip ->
    c?300;
    assert(b == 1) /* is reached, and fails */
  fi;
  b = 2
}
