/* Buffered messages inside d_step.
 * expect: holds  states=4 transitions=4 */
chan c = [2] of { byte };
active proctype P() { byte x; d_step { c!1; c!2; c?x; assert(x == 1) }; c?2 }
