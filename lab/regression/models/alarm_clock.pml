/* An alarm clock. N clients ask a monitor to be woken after some ticks of a clock, and wait. The clock's process
   advances the time when each client has had its turn, and wakes those whose time has come. Assertions: a client is
   woken neither early nor late, the list of alarms is in order, and the monitor has one process inside.
   Cancelled alarms and a change of the time zone are part of the program and are switched off (CANCELS, ZONES). */
#ifndef N
#define N 4
#endif
#define PERIOD 12
#define LONGEST 3
#define FREE 15
#define CANCELS false
#define ZONES false

byte now;
byte monitor;
byte deadline[N];
bool waiting[N];
bool ringing[N];
byte alarms;
byte earliest = FREE;
byte zone;
byte cancelled;

inline enter_monitor() {
  atomic {
    monitor == 0;
    monitor = _pid + 1
  }
}

inline leave_monitor() {
  atomic {
    assert(monitor == _pid + 1);
    monitor = 0
  }
}

inline set_alarm(me, ticks) {
  enter_monitor();
  deadline[me] = (now + ticks) % PERIOD;
  waiting[me] = true;
  alarms++;
  assert(alarms <= N);
  if
  :: earliest == FREE -> earliest = deadline[me]
  :: else ->
    if
    :: (deadline[me] + PERIOD - now) % PERIOD < (earliest + PERIOD - now) % PERIOD -> earliest = deadline[me]
    :: else -> skip
    fi
  fi;
  leave_monitor()
}

inline wait_for_alarm(me) {
  ringing[me];
  enter_monitor();
  assert(deadline[me] == now);
  ringing[me] = false;
  deadline[me] = 0;
  leave_monitor()
}

inline cancel_alarm(me) {
  enter_monitor();
  if
  :: waiting[me] ->
    waiting[me] = false;
    deadline[me] = 0;
    alarms--;
    cancelled++
  :: else -> skip
  fi;
  leave_monitor()
}

inline change_zone() {
  enter_monitor();
  zone = (zone + 1) % 3;
  i = 0;
  do
  :: i < N && waiting[i] ->
    deadline[i] = (deadline[i] + zone) % PERIOD;
    i++
  :: i < N && !waiting[i] -> i++
  :: else -> break
  od;
  i = 0;
  leave_monitor()
}

inline ring() {
  i = 0;
  do
  :: i < N ->
    if
    :: waiting[i] && deadline[i] == now ->
      waiting[i] = false;
      ringing[i] = true;
      assert(alarms > 0);
      alarms--
    :: else -> skip
    fi;
    i++
  :: else -> break
  od;
  i = 0
}

inline find_earliest() {
  earliest = FREE;
  best = PERIOD;
  i = 0;
  do
  :: i < N ->
    if
    :: waiting[i] && (deadline[i] + PERIOD - now) % PERIOD < best ->
      best = (deadline[i] + PERIOD - now) % PERIOD;
      earliest = deadline[i]
    :: else -> skip
    fi;
    i++
  :: else -> break
  od;
  i = 0;
  best = 0
}

inline tick() {
  enter_monitor();
  now = (now + 1) % PERIOD;
  if
  :: earliest == now ->
    ring();
    find_earliest()
  :: else -> skip
  fi;
  assert(earliest != now);
  leave_monitor()
}

proctype Client(byte me) {
  byte ticks;
  do
  :: true ->
    if
    :: ticks = 1
    :: ticks = 2
    :: ticks = LONGEST
    fi;
    set_alarm(me, ticks);
    ticks = 0;
    if
    :: CANCELS -> cancel_alarm(me)
    :: !CANCELS -> wait_for_alarm(me)
    fi
  od
}

proctype Clock() {
  byte i;
  byte best;
  do
  :: atomic {
      alarms > 0;
      i = 0;
      do
      :: i < N && !ringing[i] -> i++
      :: else -> break
      od;
      if
      :: i == N -> i = 0
      :: else -> i = 0; goto later
      fi
    };
    tick();
    later:
    skip
  :: ZONES -> change_zone()
  od
}

init {
  byte k;
  atomic {
    run Clock();
    do
    :: k < N -> run Client(k); k++
    :: else -> break
    od
  }
}
