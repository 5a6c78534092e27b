/* A process with more locations than a byte can tell apart, which another one looks at.
 * expect: holds  states=607 transitions=708 */
#define TEN(x) x x x x x x x x x x
byte a;
active proctype P() { TEN(TEN(a++;)) TEN(TEN(a++;)) TEN(TEN(a++;)) far: TEN(TEN(a++;)) assert(a == 144) }
active proctype Q() { end: atomic { P@far -> assert(a == 44) } }
