/* A message is the escape: the classic exception.
 * expect: holds  states=36 transitions=49 */
chan alarm = [1] of { bit };
byte work;
active proctype P() { { do :: work < 3 -> work++ :: work == 3 -> work = 0 od } unless { alarm?_ } }
active proctype Q() { alarm!1 }
