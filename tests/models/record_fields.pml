/* Records nest and hold arrays; each field has its own type.
 * expect: holds  states=8 transitions=8 */
typedef Point { byte x; bit on }
typedef Shape { Point corner[2]; Point middle; short size }
Shape s[2];
active proctype P() {
  s[1].corner[0].x = 300; assert(s[1].corner[0].x == 44);
  s[1].middle.on = 3; assert(s[1].middle.on == 1);
  s[0].size = -1; assert(s[0].size == -1 && s[1].size == 0)
}
