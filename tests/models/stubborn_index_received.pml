/* A receive stores the index first and the element afterwards: which element, only the message tells.
 * counts-differ: when SPIN goes back it restores another element than it saved, and sees states twice.
 * expect: violated assertion */
chan c = [1] of { byte, byte };
byte a[3];
active proctype P() { byte i; c?i,a[i] }
active proctype Q() { assert(a[1] == 5) }
active proctype R() { c!1,5 }
