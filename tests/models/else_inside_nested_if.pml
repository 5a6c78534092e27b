/* else belongs to the innermost if; the outer options are guarded by its first statement.
 * expect: holds  states=6 transitions=7 */
byte x = 1, y;
active proctype P() {
  if
  :: if :: x == 0 -> y = 1 :: else -> y = 2 fi
  :: x == 1 -> y = 2
  fi;
  assert(y == 2)
}
