/* A receive may be the first statement of d_step; the rest of it belongs to the meeting.
 * expect: holds  states=6 transitions=7 */
chan c = [0] of { byte };
byte x;
active proctype S() { c!5; assert(x == 6) }
active proctype R() { byte v; d_step { c?v; v++; x = v } }
