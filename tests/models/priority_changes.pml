/* set_priority takes effect at once.
 * expect: holds  states=9 transitions=9 */
byte x;
active proctype A() priority 5 { x = 1; set_priority(_pid, 1); assert(get_priority(_pid) == 1); x = 3 }
active proctype B() priority 3 { assert(x == 1); x = 2 }
