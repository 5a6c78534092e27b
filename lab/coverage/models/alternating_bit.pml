/* The alternating-bit protocol on CHANNELS conversations that share one lossy line for frames and one for
   acknowledgements: a frame names its conversation, and the line holds LINE of them.
   Graph: wide, of medium depth, strongly connected; nearly a product of the conversations.
   Without reduction at the defaults: states=161793 transitions=537602
   -DCHANNELS=3, -DLINE=1. */
#ifndef CHANNELS
#define CHANNELS 3
#endif
#ifndef LINE
#define LINE 1
#endif

chan line = [LINE] of { byte, bool, bool };  /* conversation, alternating bit, content */
chan back = [LINE] of { byte, bool };
bool content[CHANNELS];  /* of the message that is being sent */
bool agreed[CHANNELS];   /* it has arrived */

proctype Sender(byte me) {
  bool parity;
  do
  :: line!me, parity, content[me]
  :: atomic {
       back??[eval(me), eval(parity)] ->
       back??eval(me), eval(parity);
       assert(agreed[me]);
       agreed[me] = false;
       parity = !parity;
       if
       :: content[me] = 0
       :: content[me] = 1
       fi
     }
  od
}

active proctype Receiver() {
  bool expected[CHANNELS];
  byte who;
  bool parity, seen;
  do
  :: line?who, parity, seen;
     if
     :: parity == expected[who] ->
        d_step {
          assert(seen == content[who]);
          agreed[who] = true;
          expected[who] = !expected[who]
        }
     :: else
     fi;
     back!who, parity;
     d_step { who = 0; parity = 0; seen = 0 }
  od
}

active proctype Loss() {
  do
  :: line?_, _, _
  :: back?_, _
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. CHANNELS - 1) { run Sender(i) }
    i = 0
  }
}
