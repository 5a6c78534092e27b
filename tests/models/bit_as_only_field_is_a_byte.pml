/* The only field of a message has whole bytes, also when it is a bit: the 2 arrives. One of several fields
   is cut to its type.
   expect: holds  states=10 transitions=10 */
chan q = [1] of { bit };
chan r = [1] of { bit, byte };

active proctype P() {
  byte x, y;
  bit b;
  q!2;
  q?x;
  assert(x == 2);
  r!2,2;
  r?x,y;
  assert(x == 0 && y == 2);
  b = y;
  assert(b == 0)
}
