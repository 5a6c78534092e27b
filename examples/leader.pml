/* Election of a leader in a ring where messages go one way (Dolev, Klawe, Rodeh 1982).
 *
 * Every node begins as a candidate and owns a rank. A candidate compares three ranks: the one it
 * stands for, that of the nearest candidate upstream, and that of the next one. If the nearest is the
 * largest of the three, the candidate goes on and stands for that rank; otherwise it only relays. At
 * least half of the candidates drop out in each round. Whoever meets the rank it stands for again is
 * the last one, and announces it to all.
 *
 * Checked: the announced rank is the highest, and no process is left waiting.
 *
 * expect: holds  states=7210 transitions=24970
 */
#define NODES 5

mtype = { first, second, elected };

chan ring[NODES] = [NODES] of { mtype, byte };
byte informed;

proctype node(byte place, rank) {
  chan upstream = ring[place];
  chan downstream = ring[(place + 1) % NODES];
  bool candidate = true;
  byte stands_for = rank;
  byte nearest, next;

  downstream!first(stands_for);
  do
  :: upstream?first(nearest) ->
     if
     :: !candidate -> downstream!first(nearest)
     :: candidate && nearest != stands_for -> downstream!second(nearest)
     :: candidate && nearest == stands_for ->
        downstream!elected(nearest);
        upstream?elected(_);          /* it has gone all the way around */
        break
     fi
  :: upstream?second(next) ->
     if
     :: !candidate -> downstream!second(next)
     :: candidate && nearest > next && nearest > stands_for ->
        stands_for = nearest;
        downstream!first(stands_for)
     :: else -> candidate = false
     fi
  :: upstream?elected(next) ->
     assert(next == NODES);
     downstream!elected(next);
     break
  od;
  informed++
}

init {
  byte i;
  atomic {
    for (i : 0 .. NODES - 1) {
      run node(i, (i * 3) % NODES + 1)
    }
  };
  _nr_pr == 1 -> assert(informed == NODES)
}
