/* A rendezvous inside atomic passes the privilege to the receiver when it is inside atomic too.
 * The receiver then goes on first, and gives it back when it ends or blocks.
 * expect: holds  states=12 transitions=17 */
chan c = [0] of { byte };
byte x;
active proctype S() { atomic { x = 1; c!1; assert(x == 3); x = 4 } }
active proctype R() { atomic { c?_; x = 2; x = 3 } }
active proctype W() { assert(x == 0 || x == 1 || x == 3 || x == 4) }
