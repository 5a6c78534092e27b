/* set_priority on a process that has ended, or was never there, changes nothing. Nor in SPIN; but when it backtracks over the
 * statement, it restores the priority that another statement saved, or 0 for process 0: the second option finds 0 here.
 * spin-says: violated assertion  states=13 transitions=14
 * expect: holds  states=9 transitions=11 */
byte x;

proctype Ends() { byte k; k = 1 }

active proctype P() {
  byte ended;
  ended = run Ends();
  _nr_pr == 1;
  if
  :: set_priority(ended, 3)
  :: set_priority(7, 3)
  :: skip
  fi;
  x = get_priority(_pid);
  assert(x == 1)
}
