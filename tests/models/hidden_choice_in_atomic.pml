/* A choice inside an atomic sequence: the scratch variable is written and read without a state between.
 * expect: holds  states=11 transitions=28 */
hidden byte h;
byte x;
active proctype A() { do :: atomic { h = x; if :: h > 3 -> x = 0 :: else -> x = h + 1 fi } od }
active proctype B() { do :: x < 5 -> x++ :: x = 0 od }
