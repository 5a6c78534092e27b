/* An index beyond an array in a provided clause.
 * counts-differ: SPIN reads a neighbour of the array.
 * expect: violated runtime-error */
byte a[2], i;
active proctype P() provided (a[i] >= 0) { i = 1; i = 2; i = 3 }
