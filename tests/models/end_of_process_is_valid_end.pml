/* All processes at their ends: no deadlock, though messages are left over.
 * expect: holds  states=4 transitions=4 */
chan c = [2] of { byte };
active proctype P() { c!1; c!2 }
