/* A plan executor in the manner of RaxExtended. A planner sends a plan of tasks to an executive, which dispatches them to
   N monitors; each locks its property of the spacecraft, achieves it and signals an event. Events count, so that a
   signal between the test and the wait is not lost. Assertions: an achieved property is locked by one task, a plan
   is over when all of its tasks are, and no signal is missed. Replanning and safe mode are switched off (FAILURES). */
#ifndef N
#define N 3
#endif
#define PROPERTIES 3
#define COUNTS 3
#define FAILURES false

mtype = { task, stop, done, failed };

chan plan = [2] of { mtype, byte };
chan dispatch[N] = [1] of { mtype, byte };
chan report = [N] of { mtype, byte };
byte event[PROPERTIES];
byte locked_by[PROPERTIES];
bool achieved[PROPERTIES];
byte pending;
byte plans;
byte replans;
bool safe_mode;

inline signal(e) {
  atomic {
    event[e] = (event[e] + 1) % COUNTS;
    assert(achieved[e])
  }
}

inline lock_property(p) {
  atomic {
    locked_by[p] == 0;
    locked_by[p] = _pid + 1
  }
}

inline unlock_property(p) {
  atomic {
    assert(locked_by[p] == _pid + 1);
    locked_by[p] = 0
  }
}

inline achieve(p) {
  lock_property(p);
  assert(!achieved[p]);
  achieved[p] = true;
  signal(p);
  achieved[p] = false;
  unlock_property(p)
}

inline send_plan() {
  length = 0;
  do
  :: length < N ->
    if
    :: property = 0
    :: property = 1
    :: property = 2
    fi;
    plan!task(property);
    property = 0;
    length++
  :: length > 0 -> break
  od;
  plan!stop(length);
  length = 0
}

inline dispatch_task(p) {
  i = 0;
  do
  :: i < N && full(dispatch[i]) -> i++
  :: else -> break
  od;
  if
  :: i < N ->
    pending++;
    dispatch[i]!task(p)
  :: else ->
    collect();
    pending++;
    i = 0;
    do
    :: i < N && full(dispatch[i]) -> i++
    :: else -> break
    od;
    if
    :: i < N -> dispatch[i]!task(p)
    :: else -> report!done(p)
    fi
  fi;
  i = 0
}

inline collect() {
  if
  :: report?done(_) ->
    assert(pending > 0);
    pending--
  :: report?failed(_) -> replan()
  fi
}

inline replan() {
  replans++;
  pending--;
  if
  :: replans > 2 -> enter_safe_mode()
  :: else -> skip
  fi
}

inline enter_safe_mode() {
  safe_mode = true;
  i = 0;
  do
  :: i < PROPERTIES ->
    achieved[i] = false;
    locked_by[i] = 0;
    i++
  :: else -> break
  od;
  i = 0
}

inline finish_plan() {
  do
  :: pending > 0 -> collect()
  :: else -> break
  od;
  assert(empty(report));
  plans = 1 - plans
}

active proctype Planner() {
  byte length;
  byte property;
  byte seen;
  do
  :: seen = plans;
    send_plan();
    plans != seen
  od
}

active proctype Executive() {
  byte p;
  byte i;
  end:
  do
  :: plan?task(p) ->
    dispatch_task(p);
    p = 0
  :: plan?stop(_) -> finish_plan()
  od
}

active [N] proctype Monitor() {
  byte p;
  byte count;
  end:
  do
  :: dispatch[_pid - 2]?task(p) ->
    count = event[p];
    achieve(p);
    if
    :: FAILURES -> report!failed(p)
    :: !FAILURES -> report!done(p)
    fi;
    assert(!FAILURES || count < COUNTS);
    p = 0;
    count = 0
  od
}
