/* A byte keeps eight bits.
 * expect: holds  states=10 transitions=10 */
byte b = 255;
active proctype P() { b++; assert(b == 0); b--; assert(b == 255); b = 300; assert(b == 44); b = -1; assert(b == 255) }
