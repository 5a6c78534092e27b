/* A ring buffer in an array, each access one indivisible d_step. Values arrive in order.
 *
 * expect: holds  states=295 transitions=529
 */
#define SIZE 3
#define VALUES 4

byte slot[SIZE];
byte head, tail, used;

active proctype producer() {
  byte value;
  do
  :: d_step {
       used < SIZE ->
       slot[tail] = value;
       tail = (tail + 1) % SIZE;
       used++
     };
     value = (value + 1) % VALUES
  od
}

active proctype consumer() {
  byte value, expected;
  do
  :: d_step {
       used > 0 ->
       value = slot[head];
       slot[head] = 0;
       head = (head + 1) % SIZE;
       used--
     };
     assert(value == expected);
     expected = (expected + 1) % VALUES
  od
}
