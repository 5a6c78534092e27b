/* Two-phase commit: a coordinator asks all for their vote, and tells all the result. A participant
 * may die while the coordinator waits for its vote; the coordinator then decides for all.
 *
 * expect: holds  states=22516 transitions=64558
 */
#define N 3

mtype = { none, commit, abort };

chan ask[N] = [1] of { bit };
chan vote = [N] of { byte, mtype };
chan result[N] = [1] of { mtype };
mtype outcome[N] = none;
mtype voted[N] = none;

active [N] proctype participant() {
  mtype decision;
  ask[_pid]?_;
  if
  :: voted[_pid] = commit; vote!_pid, commit
  :: voted[_pid] = abort; vote!_pid, abort
  :: goto dead                           /* dies without a vote */
  fi;
  result[_pid]?decision;
  outcome[_pid] = decision;
  assert(decision != commit || voted[_pid] == commit);
dead:
  skip
}

active proctype coordinator() {
  byte i, who;
  mtype answer, decision = commit;
  for (i : 0 .. N - 1) { ask[i]!0 }
  i = 0;
  do
  :: i < N ->
     if
     :: vote?who, answer ->
        if
        :: answer == abort -> decision = abort
        :: else
        fi
     :: timeout -> decision = abort       /* a participant has failed */
     fi;
     i++
  :: else -> break
  od;
  for (i : 0 .. N - 1) { result[i]!decision }
}
