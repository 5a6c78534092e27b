/* A send to a channel variable that holds none is an error, and the send does not happen.
 * expect: violated deadlock+runtime-error  states=2 transitions=2 */
chan a = [1] of { byte };
byte x;
active proctype P() { chan c; if :: x == 1 -> c = a :: else fi; c!1 }
