/* One sender, three receivers: one step per partner.
 * expect: violated deadlock  states=8 transitions=8 */
chan c = [0] of { byte };
byte who;
active proctype S() { c!1 }
active [3] proctype R() { c?_; who = _pid }
