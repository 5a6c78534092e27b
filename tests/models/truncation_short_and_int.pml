/* Shorts wrap at sixteen bits with sign, ints at thirty-two.
 * expect: holds  states=9 transitions=9 */
short s;
int i;
active proctype P() {
  s = 40000; assert(s == -25536); s = 65535; assert(s == -1);
  i = 2147483647; i = i + 1; assert(i < 0)
}
