/* unsigned keeps as many bits as declared.
 * expect: holds  states=9 transitions=9 */
unsigned u : 3 = 7;
active proctype P() { u++; assert(u == 0); u = 13; assert(u == 5); u--; u--; assert(u == 3) }
