/* So many places that need a name of their own in compiled code that a number behind a letter becomes the name of a type: i32.
 * expect: holds  states=81 transitions=81 */
byte n;
active proctype P() {
  end_p: n == 200
}
active proctype Q() {
end:
  do
    :: n == 0 && pc_value(0) < 9 -> n = 1
    :: n == 1 && pc_value(0) < 9 -> n = 2
    :: n == 2 && pc_value(0) < 9 -> n = 3
    :: n == 3 && pc_value(0) < 9 -> n = 4
    :: n == 4 && pc_value(0) < 9 -> n = 5
    :: n == 5 && pc_value(0) < 9 -> n = 6
    :: n == 6 && pc_value(0) < 9 -> n = 7
    :: n == 7 && pc_value(0) < 9 -> n = 8
    :: n == 8 && pc_value(0) < 9 -> n = 9
    :: n == 9 && pc_value(0) < 9 -> n = 10
    :: n == 10 && pc_value(0) < 9 -> n = 11
    :: n == 11 && pc_value(0) < 9 -> n = 12
    :: n == 12 && pc_value(0) < 9 -> n = 13
    :: n == 13 && pc_value(0) < 9 -> n = 14
    :: n == 14 && pc_value(0) < 9 -> n = 15
    :: n == 15 && pc_value(0) < 9 -> n = 16
    :: n == 16 && pc_value(0) < 9 -> n = 17
    :: n == 17 && pc_value(0) < 9 -> n = 18
    :: n == 18 && pc_value(0) < 9 -> n = 19
    :: n == 19 && pc_value(0) < 9 -> n = 20
    :: n == 20 && pc_value(0) < 9 -> n = 21
    :: n == 21 && pc_value(0) < 9 -> n = 22
    :: n == 22 && pc_value(0) < 9 -> n = 23
    :: n == 23 && pc_value(0) < 9 -> n = 24
    :: n == 24 && pc_value(0) < 9 -> n = 25
    :: n == 25 && pc_value(0) < 9 -> n = 26
    :: n == 26 && pc_value(0) < 9 -> n = 27
    :: n == 27 && pc_value(0) < 9 -> n = 28
    :: n == 28 && pc_value(0) < 9 -> n = 29
    :: n == 29 && pc_value(0) < 9 -> n = 30
    :: n == 30 && pc_value(0) < 9 -> n = 31
    :: n == 31 && pc_value(0) < 9 -> n = 32
    :: n == 32 && pc_value(0) < 9 -> n = 33
    :: n == 33 && pc_value(0) < 9 -> n = 34
    :: n == 34 && pc_value(0) < 9 -> n = 35
    :: n == 35 && pc_value(0) < 9 -> n = 36
    :: n == 36 && pc_value(0) < 9 -> n = 37
    :: n == 37 && pc_value(0) < 9 -> n = 38
    :: n == 38 && pc_value(0) < 9 -> n = 39
    :: n == 39 && pc_value(0) < 9 -> n = 40
  od
}
