/* The receiver is not in atomic: the sender keeps its privilege and goes on after the meeting.
 * expect: holds  states=23 transitions=34 */
chan c = [0] of { byte };
byte x;
active proctype S() { atomic { c!1; x = 2; x = 3 } }
active proctype R() { c?_; x = 5 }
active proctype W() { assert(x != 2) }
