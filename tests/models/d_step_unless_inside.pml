/* After its first statement, and in options, a d_step can have an unless.
 * expect: holds  states=4 transitions=4 */
byte x, y;
init {
  d_step { y = 1; { x = 1; x = 3 } unless { x == 1 }; y = x };
  d_step { if :: { x = 1 } unless { x == 3 } :: else fi; y = 2 }
}
