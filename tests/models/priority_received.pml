/* So does a receive into _priority.
 * expect: holds  states=19 transitions=22 */
byte x;
chan c = [1] of { byte };
active proctype A() { x = 1; x = 2 }
active proctype B() { c!2; c?_priority; x = 3 }
