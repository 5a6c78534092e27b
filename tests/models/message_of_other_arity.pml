/* A message with too few fields, through a channel variable whose shape is not known before.
 * expect: violated runtime-error  states=3 transitions=3 */
chan c = [1] of { byte, byte };
active proctype P() { c!1 }
