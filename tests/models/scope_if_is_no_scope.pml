/* The options of an if are no scopes: what is declared in one is known after it.
 * expect: holds  states=5 transitions=5 */
active proctype P() { if :: byte t = 3; t = t + 1 fi; assert(t == 4) }
