/* Lamport's bakery (1974) for two customers. Drawing a ticket is not atomic; that is the point of
 * the algorithm. Tickets grow while the shop is busy, so a customer who would need one above MOST
 * goes home: without this, a byte overflows after 2,810 steps and both are served at once.
 *
 * expect: holds  states=1279 transitions=2269
 */
#define MOST 6

bool choosing[2];
byte ticket[2];
byte inside;

active [2] proctype customer() {
  byte other = 1 - _pid;
  byte highest;
  do
  :: choosing[_pid] = true;
     highest = ticket[other];
     if
     :: highest < MOST -> ticket[_pid] = highest + 1
     :: else -> choosing[_pid] = false; break
     fi;
     choosing[_pid] = false;
     !choosing[other];
     ticket[other] == 0 || ticket[_pid] < ticket[other] ||
       (ticket[_pid] == ticket[other] && _pid < other);
     inside++;
     assert(inside == 1);
     inside--;
     ticket[_pid] = 0
  od
}
