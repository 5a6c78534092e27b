/* break leaves the innermost loop.
 * expect: holds  states=10 transitions=10 */
byte i, n;
active proctype P() { do :: i < 2 -> do :: n++; break :: n > 9 -> skip od; i++ :: else -> break od; assert(n == 2) }
