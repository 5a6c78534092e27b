/* c?[...] asks whether a receive would succeed; its variables are not filled.
 * expect: holds  states=7 transitions=7 */
chan c = [2] of { byte };
active proctype P() { byte x = 9; c!4; if :: c?[4] -> assert(x == 9 && len(c) == 1) fi; assert(!(c?[5])); assert(c?[x]) }
