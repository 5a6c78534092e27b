/* A guard that stays false can still go wrong: P must wait for Q even though x is nobody's business.
 * counts-differ: SPIN's verifier crashes on a division by zero.
 * expect: violated runtime-error */
byte x, y = 1, z;
active proctype P() { if :: (10 / y > 1 && x == 1) :: z == 0 -> z = 1 fi }
active proctype Q() { y = 0 }
