/* The values of an mtype are numbered from the last name to the first.
 * expect: holds  states=3 transitions=3 */
mtype = { a, b, c };
mtype = { d };
active proctype P() { assert(c == 1 && b == 2 && a == 3 && d == 4) }
