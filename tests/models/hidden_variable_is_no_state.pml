/* The value of a hidden variable is not part of a state: ten values, one state.
 * expect: holds  states=9 transitions=9 */
hidden byte scratch;
byte n;
active proctype P() { do :: n < 2 -> scratch = n; n++ :: else -> break od }
