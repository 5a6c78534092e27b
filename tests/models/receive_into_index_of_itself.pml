/* A later field is stored with the values that earlier fields of the same message have just left.
 * expect: holds  states=5 transitions=5 */
chan c = [1] of { byte, byte };
byte i, a[2];
active proctype P() { c!1, 5; c?i, a[i]; assert(a[1] == 5) }
