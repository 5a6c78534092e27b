/* A message field is cut to the type of the field when sent, and to that of the variable when
 * received.
 * expect: holds  states=8 transitions=8 */
chan c = [1] of { byte };
chan w = [1] of { int };
active proctype P() { int x; bit b; c!300; c?x; assert(x == 44); w!3; w?b; assert(b == 1) }
