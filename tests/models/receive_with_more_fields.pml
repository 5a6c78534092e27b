/* A receive that names more fields than the channel has is an error; it takes the message, the other fields are 0, and
 * the run continues, as after a receive with fewer fields.
 * expect: violated runtime-error  states=18 transitions=24 */
chan c = [2] of { byte };
byte x, y = 9;

active proctype P() {
  c!3;
  c!4;
  if
  :: c?x, y
  :: c?x, 1 /* does not match */
  fi;
  assert(x == 3 && y == 0 && len(c) == 1);
  assert(c?[x, y]);
  x = 5
}
active proctype Q() { skip; x == 5 -> c?4 }
