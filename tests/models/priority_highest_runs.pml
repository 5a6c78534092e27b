/* Only a process of the highest priority among those that can move, moves.
 * expect: holds  states=7 transitions=7 */
byte x;
active proctype Low() priority 1 { x = 1; assert(x == 1) }
active proctype High() priority 5 { x = 2; x = 3 }
