/* The parent ends before the child; its number stays taken until the child dies.
 * expect: holds  states=6 transitions=6 */
byte x;
proctype Child() { x = _nr_pr; assert(x == 2) }
init { run Child() }
