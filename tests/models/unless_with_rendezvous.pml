/* The escape is one side of a rendezvous: it is enabled only while the partner offers.
 * expect: holds  states=8 transitions=9 */
chan alarm = [0] of { bit };
byte work;
active proctype P() { { do :: work = 1 - work od } unless { alarm?_ } }
active proctype Q() { alarm!1 }
