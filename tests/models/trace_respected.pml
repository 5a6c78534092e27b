/* The same trace, kept.
 * expect: holds  states=8 transitions=8 */
chan c = [2] of { byte };
trace { do :: c!1; c!2 od }
active proctype P() { c!1; c!2; c?1; c?2; c!1; c!2 }
