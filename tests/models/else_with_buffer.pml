/* else beside a send is true exactly when the buffer is full.
 * expect: holds  states=6 transitions=6 */
chan c = [1] of { byte };
active proctype P() {
  if :: c!1 :: else -> assert(false) fi;
  if :: c!2 -> assert(false) :: else fi;
  if :: c?2 -> assert(false) :: else fi;
  if :: c?1 :: else -> assert(false) fi
}
