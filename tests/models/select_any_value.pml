/* select chooses any value of a range, bounds included.
 * expect: violated assertion  states=13 transitions=13 */
byte i;
active proctype P() { select (i : 2 .. 4); assert(i >= 2 && i <= 4); assert(i != 4) }
