/* A process that blocks inside atomic loses the privilege: others run, and when the guard becomes
 * true it goes on, indivisible again. Only at the blocked guard can anybody see x == 1.
 * expect: holds  states=23 transitions=28 */
byte x, go, seen;
active proctype P() { atomic { x = 1; go == 1; x = 2; x = 3 } }
active proctype Q() { go = 1; seen = x; assert(seen == 0 || seen == 1 || seen == 3) }
