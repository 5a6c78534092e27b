/* Each instance has its own local channel.
 * expect: holds  states=21 transitions=33 */
byte x;
active [2] proctype P() { chan own = [1] of { byte }; own!_pid; own?eval(_pid); x++ }
