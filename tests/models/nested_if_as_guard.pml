/* A nested if as the first statement: its guards are the guards of the option.
 * expect: violated deadlock  states=1 transitions=1 */
byte x;
active proctype P() { if :: if :: x == 1 :: x == 2 fi; x = 5 :: do :: x == 3 -> break od; x = 6 fi }
