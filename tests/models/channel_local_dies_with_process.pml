/* A channel declared in a process is part of it, and gone when the process dies.
 * expect: holds  states=11 transitions=11 */
proctype P() { chan own = [1] of { byte }; own!1; own?_ }
init { run P(); _nr_pr == 1; run P() }
