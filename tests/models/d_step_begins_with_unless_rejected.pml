/* A d_step cannot begin with an unless.
 * expect: rejected */
byte x;
init { d_step { { { x = 1 } unless { x == 1 } } x = 2 } }
