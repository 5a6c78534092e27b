/* A block may not reuse a name that is still in scope around it.
 * expect: rejected */
active proctype P() { byte t; { byte t; t = 1 }; t = 2 }
