/* Another process gets the higher priority in the middle of an atomic sequence. The sequence is
 * interrupted there, and the hidden variable must be found as it was left.
 * expect: holds  states=6 transitions=6 */
hidden byte h;
byte go;
active proctype A() priority 5 { atomic { h = 1; set_priority(1, 10); assert(h == 1) } }
active proctype B() priority 1 { go = 1 }
