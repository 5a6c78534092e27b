/* An array of bits is stored as bytes, and nothing is cut off: SPIN's own surprise.
 * expect: holds  states=6 transitions=6 */
bit b[2];
active proctype P() { b[0] = 3; assert(b[0] == 3); b[1] = 258; assert(b[1] == 2) }
