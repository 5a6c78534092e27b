/* After atomic is left in the middle by blocking, the place inside it is a place in a state.
 * expect: violated deadlock  states=5 transitions=5 */
byte x;
active proctype P() { atomic { x = 1; wait: x == 2; x = 3 } }
active proctype Q() { P[0]@wait -> assert(x == 1) }
