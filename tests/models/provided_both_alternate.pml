/* Two conditions that exclude each other make a strict alternation.
 * expect: holds  states=5 transitions=6 */
byte turn, n;
active proctype A() provided (turn == 0) { do :: n = 1; turn = 1 od }
active proctype B() provided (turn == 1) { do :: assert(n == 1); n = 0; turn = 0 od }
