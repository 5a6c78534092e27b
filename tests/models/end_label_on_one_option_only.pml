/* An end label on a place inside the loop does not cover its head.
 * expect: violated deadlock  states=11 transitions=12 */
chan c = [1] of { byte };
active proctype Server() { do :: c?1 -> end_here: c?2 od }
active proctype Client() { c!1; c!2; c!1; c!2 }
