/* A lock whose users may give up: a waiting user may be told to give up, and a working user may be
 * interrupted. The escape of an `unless` must release what the main sequence has acquired.
 *
 * expect: holds  states=97 transitions=237
 */
#define USERS 2

chan lock = [1] of { bit };
bool give_up[USERS];
byte inside;

active [USERS] proctype user() {
  bool holding;
  do
  :: {
       atomic { lock!0; holding = true };
       inside++;
       assert(inside == 1);
       atomic { inside--; holding = false; lock?_ }
     } unless {
       give_up[_pid] ->
       atomic {
         if
         :: holding -> holding = false; inside = 0; lock?_
         :: else
         fi;
         give_up[_pid] = false
       }
     }
  od
}

active proctype supervisor() {
  do
  :: !give_up[0] -> give_up[0] = true
  :: !give_up[1] -> give_up[1] = true
  od
}
