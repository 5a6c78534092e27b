/* Two clerks each add one to a counter, but not in one step: an update is lost.
   expect: violated assertion  states=42 transitions=54 */
byte counter, done;

active [2] proctype Clerk() {
  byte seen;
  seen = counter;
  counter = seen + 1;
  done++
}

active proctype Auditor() {
  done == 2 -> assert(counter == 2)
}
