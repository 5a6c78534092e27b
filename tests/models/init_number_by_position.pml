/* init has no special number: processes are numbered as they stand in the file.
 * expect: holds  states=15 transitions=25 */
active proctype P() { assert(_pid == 0) }
init { assert(_pid == 1) }
active proctype Q() { assert(_pid == 2) }
