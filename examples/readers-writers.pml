/* Readers and writers behind one gate: many may read, one may write, never both.
 *
 * expect: holds  states=13 transitions=25
 */
#define READERS 2
#define WRITERS 2

byte reading, writing;

active [READERS] proctype reader() {
  do
  :: atomic { writing == 0 -> reading++ };
     assert(writing == 0);
     reading--
  od
}

active [WRITERS] proctype writer() {
  do
  :: atomic { writing == 0 && reading == 0 -> writing++ };
     assert(writing == 1 && reading == 0);
     writing--
  od
}
