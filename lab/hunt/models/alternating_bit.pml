/* The alternating-bit protocol between two processes, over channels that lose messages.
   Error: nothing obliges the lossy channels to deliver, so neither response holds (both have to fail for the error that
   is wanted: the formula is their conjunction, and one failure violates it). */
mtype = { message, acknowledgement };
chan forth = [1] of { mtype, bit };
chan back = [1] of { mtype, bit };
bool sending, delivered, received, acknowledged;

active proctype Sender() {
  bit parity, seen;
  do
  :: sending = true;
     delivered = false;
     acknowledged = false;
     do
     :: forth!message(parity)
     :: back?acknowledgement(seen) ->
        if
        :: seen == parity -> break
        :: else
        fi
     :: nempty(forth) -> forth?_(_)  /* is lost */
     od;
     acknowledged = true;
     sending = false;
     parity = 1 - parity
  od
}

active proctype Receiver() {
  bit expected, seen;
  do
  :: forth?message(seen) ->
     if
     :: seen == expected -> received = true; delivered = true; expected = 1 - expected
     :: else
     fi;
     back!acknowledgement(seen);
     received = false
  :: nempty(back) -> back?_(_)  /* is lost */
  od
}

ltl responses { [] (sending -> <> delivered) && [] (received -> <> acknowledged) }
