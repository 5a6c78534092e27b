/* When atomic is the last of a process, the process still dies in a step of its own after it.
 * expect: holds  states=11 transitions=14 */
byte x;
active proctype Q() { if :: _nr_pr == 2 && x == 2 -> skip :: _nr_pr == 1 -> skip fi; assert(x == 2) }
active proctype P() { atomic { x = 1; x = 2 } }
