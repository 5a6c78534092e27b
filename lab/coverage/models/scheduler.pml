/* An operating system schedules TASKS tasks on one processor: a queue of the ready, a time slice of SLICE
   ticks, two devices with a queue each that wake a task when they are done, and tasks that nap.
   Graph: wide, of medium depth, strongly connected; the orders of the queues make most states.
   Without reduction at the defaults: states=242652 transitions=1280252
   -DTASKS=5, -DSLICE=2. */
#ifndef TASKS
#define TASKS 5
#endif
#ifndef SLICE
#define SLICE 2
#endif
#define NOBODY TASKS

mtype = { ready, running, waiting, napping };

chan queue = [TASKS] of { byte };
chan disk = [TASKS] of { byte };
chan network = [TASKS] of { byte };
mtype mode[TASKS];
byte current = NOBODY;
byte ticks;

inline give_up(new_mode) {
  mode[current] = new_mode;
  current = NOBODY;
  ticks = 0
}

active proctype Dispatcher() {
  do
  :: atomic {
       current == NOBODY && nempty(queue) ->
       queue?current;
       assert(mode[current] == ready);
       mode[current] = running
     }
  od
}

active proctype Clock() {
  do
  :: atomic {
       current != NOBODY && ticks < SLICE -> ticks++
     }
  :: atomic {
       current != NOBODY && ticks == SLICE ->
       queue!current;
       give_up(ready)
     }
  od
}

/* What the current task asks for; a tick may come first. */
active proctype System_call() {
  do
  :: atomic { current != NOBODY -> disk!current; give_up(waiting) }
  :: atomic { current != NOBODY -> network!current; give_up(waiting) }
  :: atomic { current != NOBODY -> give_up(napping) }
  od
}

proctype Device(chan requests) {
  byte task;
  do
  :: requests?task;
     atomic {
       assert(mode[task] == waiting);
       mode[task] = ready;
       queue!task;
       task = 0
     }
  od
}

active proctype Alarm() {
  byte task;
  do
  :: atomic {
       select (task : 0 .. TASKS - 1);
       mode[task] == napping ->
       mode[task] = ready;
       queue!task;
       task = 0
     }
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. TASKS - 1) { mode[i] = ready; queue!i }
    run Device(disk);
    run Device(network);
    i = 0
  }
}
