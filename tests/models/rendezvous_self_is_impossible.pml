/* A process does not meet itself.
 * expect: violated deadlock  states=1 transitions=1 */
chan c = [0] of { byte };
active proctype P() { if :: c!1 :: c?_ fi }
