/* _ has no value that could be counted up.
 * expect: rejected */
init { _++ }
