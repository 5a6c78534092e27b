/* Two calls of one inline do not share its local variables' start values.
 * expect: holds  states=22 transitions=22 */
byte sum;
inline add(n) { byte k = n; do :: k > 0 -> sum++; k-- :: else -> break od }
active proctype P() { add(2); add(3); assert(sum == 5) }
