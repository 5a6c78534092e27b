/* ?? takes the oldest message that matches, not any.
 * expect: holds  states=9 transitions=9 */
chan c = [3] of { byte, byte };
active proctype P() { byte x; c!1, 7; c!2, 8; c!2, 9; c??2, x; assert(x == 8); c?1, x; assert(x == 7) }
