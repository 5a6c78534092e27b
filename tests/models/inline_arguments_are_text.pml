/* An argument of an inline is put in as text: it is assigned to, and evaluated each time.
 * expect: holds  states=9 transitions=9 */
byte x = 1, y = 2;
inline swap(a, b) { byte t = a; a = b; b = t }
inline twice(s, e) { s = e; s = s + e }
active proctype P() { swap(x, y); assert(x == 2 && y == 1); twice(x, y + 1); assert(x == 4) }
