/* Waiting at an end label is no deadlock; waiting elsewhere is.
 * expect: holds  states=7 transitions=8 */
chan c = [1] of { byte };
active proctype Server() { end: do :: c?_ od }
active proctype Client() { c!1; c!2 }
