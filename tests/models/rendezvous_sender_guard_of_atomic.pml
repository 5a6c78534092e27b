/* A send as the guard of atomic: entered only when somebody listens.
 * expect: holds  states=7 transitions=8 */
chan c = [0] of { byte };
byte x, ready;
active proctype S() { atomic { c!1; assert(ready); x = 1 } }
active proctype R() { ready = 1; c?_ }
