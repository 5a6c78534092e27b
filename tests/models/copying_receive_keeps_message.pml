/* c?<x> takes the values and leaves the message.
 * expect: holds  states=7 transitions=7 */
chan c = [2] of { byte };
active proctype P() { byte x; c!4; c?<x>; assert(x == 4 && len(c) == 1); c?x; assert(empty(c)) }
