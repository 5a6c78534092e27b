/* A channel variable is a name for a channel: after the assignment both name the same buffer.
 * expect: holds  states=9 transitions=9 */
chan a = [1] of { byte };
chan b = [1] of { byte };
active proctype P() { chan x = a; x!1; assert(len(a) == 1); x = b; x!2; assert(len(b) == 1); a?1; b?2 }
