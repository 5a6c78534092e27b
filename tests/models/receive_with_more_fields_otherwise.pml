/* A receive that names more fields than the channel has, where SPIN treats it differently: the copying receive is no error
 * there, and one that names constants only is an error that ends the search. Here both are executed, as errors.
 * spin-says: violated runtime-error
 * expect: violated runtime-error  states=7 transitions=7 */
chan c = [1] of { byte };
byte x, y = 9;

active proctype P() {
  c!3;
  c?<x, y>;
  c?3, 0;
  assert(x == 3 && y == 0 && empty(c));
  y = 1
}
