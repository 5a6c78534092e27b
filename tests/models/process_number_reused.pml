/* A number is free again when its process has died.
 * expect: holds  states=12 transitions=14 */
byte first, second;
proctype P() { skip }
init { first = run P(); _nr_pr == 1 -> second = run P(); assert(first == 1 && second == 1) }
