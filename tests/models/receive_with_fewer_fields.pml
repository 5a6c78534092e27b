/* A receive that names fewer fields than the channel has is an error, and takes the message.
   counts-differ: SPIN restores only the named fields when it backtracks (13 states; ours are 10)
   expect: violated runtime-error */
chan c1 = [2] of { int, byte };

active [2] proctype P1() {
  if
  :: c1!0, 1
  :: c1?_
  fi
}
