/* _ stands for any value in an event, of a send as well.
 * expect: violated trace-assertion  states=5 transitions=5 */
chan c = [3] of { byte, byte };
active proctype P() { c!1, 5; c!1, 6; c!2, 7 }
trace { do :: c!1, _ od }
