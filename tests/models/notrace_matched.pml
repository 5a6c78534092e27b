/* notrace: the forbidden sequence happens to its end.
 * expect: violated trace-assertion  states=5 transitions=5 */
chan c = [2] of { byte };
notrace { c!1; c!2 }
active proctype P() { c!1; c?1; c!2 }
