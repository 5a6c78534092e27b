/* enabled() asks in the middle of a choice whose first option was executable, and denies the else.
 * expect: violated deadlock  states=8 transitions=11 */
byte r;
active proctype A() { if :: r == 0 -> r = 1 :: enabled(1) -> r = 2 fi; skip }
active proctype B() { do :: r == 9 -> break :: else -> r == 7 od }
