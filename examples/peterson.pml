/* Peterson's mutual exclusion for two processes (1981).
 *
 * expect: holds  states=38 transitions=65
 */
bool wants[2];
bit turn;
byte inside;

active [2] proctype user() {
  do
  :: wants[_pid] = true;
     turn = _pid;
     !wants[1 - _pid] || turn == 1 - _pid;
     inside++;
     assert(inside == 1);
     inside--;
     wants[_pid] = false
  od
}
