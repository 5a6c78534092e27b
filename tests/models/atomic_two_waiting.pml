/* Two processes wait inside atomic; whoever is released runs on alone.
 * expect: holds  states=13 transitions=19 */
byte key = 1, inside;
active [2] proctype P() {
  atomic { skip; key == 1; key = 0; inside++; assert(inside == 1); inside--; key = 1 };
  skip
}
