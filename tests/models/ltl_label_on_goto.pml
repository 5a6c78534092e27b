/* A label on a goto that a formula names has a state of its own, also where the formula is not checked.
 * expect: holds  states=9 transitions=10
 * property ltl:p: holds */
byte x;

active proctype P() {
a:
  x = (x + 1) % 3;
  if
  :: x == 1 -> skip
  :: else ->
l:
    goto a
  fi;
  goto a
}

ltl p { [] (P@l -> x != 1) }
