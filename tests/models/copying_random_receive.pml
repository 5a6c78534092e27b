/* c??<x> copies the first match from anywhere in the buffer.
 * expect: holds  states=6 transitions=6 */
chan c = [3] of { byte, byte };
active proctype P() { byte x; c!1, 5; c!2, 6; c?? <2, x>; assert(x == 6 && len(c) == 2) }
