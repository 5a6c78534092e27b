/* _last is the process that moved last, and part of the state.
 * expect: holds  states=7 transitions=7 */
byte x;
active proctype P() { x = 1; x = 2 }
active proctype Q() { x == 2 -> assert(_last == 1) }
