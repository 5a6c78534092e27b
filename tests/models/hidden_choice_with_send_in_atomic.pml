/* A send to a buffer beside an else: the sequence cannot stop there, and the hidden variable is scratch.
 * expect: holds  states=55 transitions=105 */
hidden byte h;
byte x;
chan q = [1] of { byte };
active proctype A() { do :: atomic { h = x; if :: h == 2 -> q!0 :: else -> if :: q!h -> skip :: else -> x = h fi fi } od }
active proctype B() { byte z; do :: x < 2 -> x++ :: q?z -> x = 0; z = 0 od }
