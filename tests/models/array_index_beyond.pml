/* An index beyond the array is reported; SPIN then goes on with a neighbour of the array.
 * counts-differ: what SPIN writes after the error is not part of the model.
 * expect: violated runtime-error */
byte a[2], i = 1;
active proctype P() { i++; a[i] = 1 }
