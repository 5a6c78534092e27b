/* The elements of an array of channels are channels of their own.
 * expect: holds  states=7 transitions=7 */
chan c[2] = [1] of { byte };
active proctype P() { c[0]!1; c[1]!2; assert(len(c[0]) == 1 && full(c[1])); c[0]?1; assert(empty(c[0]) && nempty(c[1])) }
