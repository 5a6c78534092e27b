/* A poll is true or false, as the manual says and as SPIN's simulator has it. For its verifier the value of a random poll is
 * the place of the message, counted from 1: 2 here.
 * counts-differ: SPIN's verifier fails at the first assertion.
 * spin-says: violated assertion
 * expect: holds */
chan q = [3] of { byte };
byte x;
active proctype P() {
  q!5;
  q!7;
  x = q??[7];
  assert(x == 1);
  x = q??[5] + q?[5];
  assert(x == 2);
  x = q??[6];
  assert(x == 0)
}
