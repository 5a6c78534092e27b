/* A first attempt at Dekker's algorithm: look first, then raise the flag. Both may look in time.
 *
 * expect: violated assertion  states=36 transitions=65
 */
bool wants[2];
byte inside;

active [2] proctype user() {
  do
  :: !wants[1 - _pid] ->
     wants[_pid] = true;
     inside++;
     assert(inside == 1);
     inside--;
     wants[_pid] = false
  od
}
