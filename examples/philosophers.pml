/* Dining philosophers, each taking the left fork first: they can starve in a circle.
 *
 * expect: violated deadlock  states=255 transitions=765
 */
#define N 4

chan fork[N] = [1] of { bit };

active [N] proctype philosopher() {
  byte left = _pid;
  byte right = (_pid + 1) % N;

  fork[left]!0;              /* put my fork on the table */
  do
  :: fork[left]?_ ->         /* think, then take the left fork */
     fork[right]?_;          /* take the right fork and eat */
     fork[right]!0;
     fork[left]!0
  od
}
