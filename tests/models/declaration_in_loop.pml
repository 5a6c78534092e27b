/* Each time the place is passed, the variable starts again.
 * expect: holds  states=13 transitions=13 */
byte n;
active proctype P() { do :: n < 2 -> byte y = 1; y++; assert(y == 2); n++ :: else -> break od }
