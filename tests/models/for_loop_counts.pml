/* for includes both bounds, and leaves its variable one beyond.
 * expect: holds  states=14 transitions=14 */
byte i, n;
active proctype P() { for (i : 1 .. 3) { n++ }; assert(n == 3 && i == 4) }
