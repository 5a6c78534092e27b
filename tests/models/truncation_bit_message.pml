/* A field of type bit in a message holds a byte, as an element of an array of bits does.
 * expect: holds  states=11 transitions=11 */
chan c = [1] of { bit };
chan r = [0] of { bool };
active proctype P() { byte x; c!3; c?x; assert(x == 3); c!258; c?x; assert(x == 2); r!5 }
active proctype Q() { byte y; r?y; assert(y == 5) }
