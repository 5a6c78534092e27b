/* Processes die last first; how many there are is seen by those who ask.
 * expect: violated assertion+deadlock  states=14 transitions=19 */
active proctype A() { (_nr_pr == 2); assert(false) }
active proctype B() { skip }
active proctype C() { skip }
