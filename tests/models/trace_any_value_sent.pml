/* In an event of a trace assertion, _ stands for any value, in sends too.
   expect: violated trace-assertion  states=5 transitions=5 */
chan q = [1] of { byte };

active proctype P() {
  byte x;
  q!1; q?x; q!2
}

trace {
  q!_
}
