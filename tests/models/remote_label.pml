/* P[0]@here is true while process 0 stands at that label.
 * expect: holds  states=11 transitions=13 */
byte x;
active proctype P() { x = 1; here: x == 2 -> x = 3 }
active proctype Q() { P[0]@here -> assert(x == 1); x = 2 }
