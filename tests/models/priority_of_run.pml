/* A process gets its priority when it is created.
 * expect: holds  states=8 transitions=8 */
byte x;
proctype P() { assert(x == 0); x = 1; assert(_priority == 4) }
init { run P() priority 4; assert(x == 1) }
