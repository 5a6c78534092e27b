/* A record in a message is sent field by field.
 * expect: holds  states=7 transitions=7 */
typedef Pair { byte a; byte b }
chan c = [1] of { byte, Pair };
active proctype P() { Pair p, q; p.a = 1; p.b = 2; c!9, p; c?9, q; assert(q.a == 1 && q.b == 2) }
