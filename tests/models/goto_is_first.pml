/* A process that begins with goto starts at its target: the goto is no place.
 * expect: holds  states=3 transitions=3 */
active proctype P() { goto there; there: skip }
