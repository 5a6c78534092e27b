/* A plain old telephone system: two subscribers, each with a line controller at the exchange. A subscriber lifts the receiver, dials,
   talks and hangs up; the controllers ring and connect each other over channels with room for one message.
   Error: both dial at the same time. Each controller waits until the other takes its call, and takes none itself
   (deadlock). */
mtype = { lift, dial, hang_up, tone, busy, ringing, talking, call, accept, refuse, release };
chan phone[2] = [0] of { mtype };  /* from the subscriber to the controller */
chan ear[2] = [0] of { mtype };    /* back */
chan trunk[2] = [1] of { mtype };  /* into the controller, from the other one */

active [2] proctype Subscriber() {
  byte me = _pid;
end:
  do
  :: phone[me]!lift;
     if
     :: ear[me]?tone ->
        if
        :: phone[me]!dial;
           if
           :: ear[me]?busy
           :: ear[me]?talking
           fi
        :: skip  /* has changed his mind */
        fi
     :: ear[me]?talking
     fi;
     phone[me]!hang_up
  :: ear[me]?ringing ->
     if
     :: phone[me]!lift; ear[me]?talking; phone[me]!hang_up
     :: ear[me]?busy  /* the caller was faster */
     fi
  od
}

active [2] proctype Controller() {
  byte me = _pid - 2;
#define OTHER (1 - me)
end:
  do
  :: phone[me]?lift ->
     ear[me]!tone;
     if
     :: phone[me]?dial ->
        trunk[OTHER]!call;
        if
        :: trunk[me]?accept ->
           ear[me]!talking;
           if
           :: phone[me]?hang_up -> trunk[OTHER]!release
           :: trunk[me]?release -> phone[me]?hang_up
           fi
        :: trunk[me]?refuse -> ear[me]!busy; phone[me]?hang_up
        fi
     :: phone[me]?hang_up
     :: trunk[me]?call -> trunk[OTHER]!refuse; phone[me]?hang_up
     fi
  :: trunk[me]?call ->
     ear[me]!ringing;
     phone[me]?lift;
     trunk[OTHER]!accept;
     ear[me]!talking;
     if
     :: phone[me]?hang_up -> trunk[OTHER]!release
     :: trunk[me]?release -> phone[me]?hang_up
     fi
  :: trunk[me]?release
  od
}
