/* SPIN cannot take back a receive that compares with a variable of another process.
 * expect: rejected */
chan c = [1] of { byte };
active proctype P() { byte v; v = 1 }
active proctype Q() { c!1; c?eval(P[0]:v) }
