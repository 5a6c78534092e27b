/* skip is a step, and so is a true expression.
 * expect: holds  states=6 transitions=6 */
active proctype P() { skip; skip; 1; true }
