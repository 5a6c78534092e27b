/* A process moves only while its condition holds; the last step that breaks it is taken.
 * expect: violated deadlock  states=3 transitions=3 */
byte x;
active proctype P() provided (x < 2) { do :: x++ od }
