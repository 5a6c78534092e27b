/* A tree of arbiters gives a resource to one of N clients at a time. Cells 1 to N-1 are a binary heap
   whose leaves N to 2N-1 are the clients; request and grant are wires that go up and down again.
   Graph: wide; behind the first grants one strongly connected part, with most of the states.
   Without reduction at the defaults: states=809273 transitions=4175262
   -DN=5: clients. */
#ifndef N
#define N 5
#endif

bool request[2 * N], grant[2 * N];
byte users;

proctype Cell(byte me) {
  byte child;
  do
  :: if
     :: request[2 * me] -> child = 2 * me
     :: request[2 * me + 1] -> child = 2 * me + 1
     fi;
     if
     :: me > 1 -> request[me] = true; grant[me]
     :: else
     fi;
     grant[child] = true;
     !request[child];
     grant[child] = false;
     if
     :: me > 1 -> request[me] = false; !grant[me]
     :: else
     fi
  od
}

proctype Client(byte me) {
  do
  :: request[me] = true;
     grant[me];
     users++;
     assert(users == 1);
     users--;
     request[me] = false;
     !grant[me]
  od
}

init {
  byte i;
  atomic {
    for (i : 1 .. N - 1) { run Cell(i) }
    for (i : N .. 2 * N - 1) { run Client(i) }
    i = 0
  }
}
