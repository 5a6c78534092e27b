/* A variable that only C reads is neither dead nor local: no reduction may touch it.
 * expect: violated assertion  states=36 transitions=60 */
byte seen;
active proctype p() { byte x; x = 1; x = 2; skip; skip; c_code { now.seen = Pp->x; }; assert(seen == 2) }
active proctype q() { byte y; y = 1; y = 2; assert(!(c_expr { now.seen == 2 && Pq->y == 2 })) }
