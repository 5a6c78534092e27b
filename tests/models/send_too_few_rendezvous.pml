/* An offer with too few fields is an error, even when nobody takes it.
 * expect: violated deadlock+runtime-error  states=1 transitions=1 */
chan c = [0] of { byte, byte };
active proctype P() { c!1 }
