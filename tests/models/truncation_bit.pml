/* A bit keeps the lowest bit, not the truth of the number.
 * expect: holds  states=10 transitions=10 */
bit b;
bool t;
active proctype P() { b = 2; assert(b == 0); b = 3; assert(b == 1); t = 2; assert(t == 0); t = true; assert(t == 1) }
