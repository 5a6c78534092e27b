/* A crossing for one car at a time, two cars and a controller that gives green to a waiting car. Two cars never meet;
   and every car that waits crosses, if no process is kept from moving permanently (without --fair the clock may be the
   only process that moves):

       spoor check examples/crossing.pml
       spoor check --fair examples/crossing.pml

   expect: holds  states=88 transitions=253 */
bool green[2], waits[2], crosses[2];

active [2] proctype Car() {
  do
  :: waits[_pid] = true;
     atomic { green[_pid] -> waits[_pid] = false; crosses[_pid] = true };
     atomic { crosses[_pid] = false; green[_pid] = false }
  od
}

active proctype Controller() {
  byte next;
  do
  :: waits[next] -> green[next] = true;
     !green[next];  /* it has passed */
     next = 1 - next
  :: else -> next = 1 - next
  od
}

active proctype Clock() {
  bool tick;
  do
  :: tick = !tick
  od
}

ltl safe { [] !(crosses[0] && crosses[1]) }
ltl served { [] (waits[0] -> <> crosses[0]) }
