/* Two processes wait for timeout at once: either may see it first, then the other.
 * expect: holds  states=11 transitions=12 */
byte x;
active [2] proctype P() { timeout -> x++ }
