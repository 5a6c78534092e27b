/* !! inserts a message before the first that is larger, field by field.
 * expect: holds  states=10 transitions=10 */
chan c = [4] of { byte, byte };
active proctype P() {
  c!!3, 1; c!!1, 2; c!!3, 0; c!!2, 9;
  c?1, 2; c?2, 9; c?3, 0; c?3, 1
}
