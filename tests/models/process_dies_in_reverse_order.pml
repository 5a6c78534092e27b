/* Only the youngest process can disappear: P has ended but stays until the younger Q is gone.
 * expect: holds  states=6 transitions=6 */
byte ended;
active proctype P() { ended = 1 }
active proctype Q() { ended == 1 -> assert(_nr_pr == 2) }
