/* Sibling blocks may use one name for two variables.
 * expect: holds  states=8 transitions=8 */
byte r;
active proctype P() {
  { byte t = 1; t = t + 1; r = t };
  { byte t = 5; t = t + 1; assert(t == 6 && r == 2) }
}
