/* Channels that are elements of arrays in records, in records of records and in arrays of records: each is a channel
 * of its own, and can be assigned to a channel variable.
 * expect: holds  states=68 transitions=112 */
typedef Port { chan line[2] = [1] of { byte }; chan spare = [1] of { byte } };
typedef Board { Port port[2]; Port last };
Port single;
Port many[2];
Board board;
byte i, x;

active proctype Writer() {
  chan h;
  h = single.line[0];
  h!1;
  h = board.last.line[1];
  h!2;
  i = 1;
  h = many[i].line[1];
  h!3;
  h = board.port[i].line[0];
  h!4;
  h = (i == 1 -> single.spare : single.line[1]);
  h!5
}

active proctype Reader() {
  single.line[0]?x;
  assert(x == 1);
  board.last.line[1]?x;
  assert(x == 2);
  many[1].line[1]?x;
  assert(x == 3);
  board.port[1].line[0]?x;
  assert(x == 4);
  single.spare?x;
  assert(x == 5 && empty(single.line[1]))
}
