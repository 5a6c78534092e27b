/* trace: the sends on c must be 1, 2, 1, 2, ...
 * expect: violated trace-assertion  states=7 transitions=7 */
chan c = [2] of { byte };
trace { do :: c!1; c!2 od }
active proctype P() { c!1; c!2; c?1; c?2; c!2 }
