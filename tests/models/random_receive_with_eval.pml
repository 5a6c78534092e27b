/* ?? with eval compares with the value of a variable.
 * expect: holds  states=6 transitions=6 */
chan c = [3] of { byte, byte };
active proctype P() { byte k = 5, x; c!4, 1; c!5, 2; c??eval(k), x; assert(x == 2 && k == 5 && len(c) == 1) }
