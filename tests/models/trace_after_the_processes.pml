/* The assertion of trace_before_the_processes.pml at another place.
 * expect: holds  states=11 transitions=12 */
chan c = [0] of { byte };
chan named = [0] of { byte };
byte x;

active proctype Sender() { c!1; x = 1 }
active proctype Receiver() { c?_; x = 2 }

trace { do :: named!1 od }
