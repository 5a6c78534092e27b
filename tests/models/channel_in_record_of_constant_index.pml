/* A channel in an element of an array of records can be assigned, whatever the index is. SPIN takes a constant index of
 * the records for a number that is assigned to a channel, and refuses the model.
 * spin-says: rejected
 * expect: holds  states=6 transitions=6 */
typedef Port { chan line[2] = [1] of { byte } };
Port many[2];
byte x;

active proctype P() {
  chan h;
  h = many[1].line[0];
  h!7;
  many[1].line[0]?x;
  assert(x == 7 && empty(many[0].line[0]))
}
