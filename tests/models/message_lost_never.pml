/* Without the option -m of SPIN a full buffer blocks; nothing is lost.
 * expect: violated deadlock  states=2 transitions=2 */
chan c = [1] of { byte };
active proctype P() { c!1; c!2 }
