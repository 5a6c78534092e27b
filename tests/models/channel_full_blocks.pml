/* A send to a full buffer waits for room.
 * expect: holds  states=10 transitions=12 */
chan c = [1] of { byte };
active proctype P() { c!1; c!2; assert(len(c) <= 1) }
active proctype Q() { c?1; c?2 }
