/* for (i in a) runs over all indices.
 * expect: holds  states=14 transitions=14 */
byte i, a[3] = 2, sum;
active proctype P() { for (i in a) { sum = sum + a[i] }; assert(sum == 6) }
