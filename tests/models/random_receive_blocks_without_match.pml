/* ?? blocks when no message in the whole buffer matches.
 * expect: violated deadlock  states=3 transitions=3 */
chan c = [2] of { byte };
active proctype P() { c!1; c!2; c??3 }
