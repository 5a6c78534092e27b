/* A message cannot have an unsigned field, not even deep inside a record.
 * expect: rejected */
typedef T { unsigned u : 3 };
typedef S { byte b; T t };
chan c = [1] of { S };
init { skip }
