/* The first statement of atomic decides whether the sequence can be entered at all.
 * expect: violated deadlock  states=3 transitions=3 */
byte x;
active proctype P() { atomic { x == 1; x = 2 } }
active proctype Q() { x = 3 }
