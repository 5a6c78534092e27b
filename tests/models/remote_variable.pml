/* P[0]:v reads a local variable of another process.
 * expect: holds  states=6 transitions=6 */
active proctype P() { byte v = 3; v = 4; v = 5 }
active proctype Q() { P[0]:v == 5 }
