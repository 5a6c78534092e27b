/* C's precedence, with the boolean results of C.
 * expect: holds  states=20 transitions=20 */
int x;
active proctype P() {
  x = 1 + 2 * 3; assert(x == 7);
  x = 1 << 2 + 1; assert(x == 8);
  x = 6 & 3 == 3; assert(x == 0);
  x = 5 ^ 1 | 2; assert(x == 6);
  x = !0 + !5; assert(x == 1);
  x = ~5; assert(x == -6);
  x = -7 / 2; assert(x == -3);
  x = -7 % 3; assert(x == -1);
  x = 7 > 3 > 1; assert(x == 0)
}
