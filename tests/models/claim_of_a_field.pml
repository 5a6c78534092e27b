/* xr of a field is accepted whatever its type is.
 * expect: holds  states=4 transitions=4 */
typedef T { byte f };
T t;
chan c = [1] of { byte };
init { xr t.f; c!1; c?t.f }
