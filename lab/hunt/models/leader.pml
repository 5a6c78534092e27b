/* Election of a leader in a ring that can be read one way (Peterson; Dolev, Klawe and Rodeh). An active node sends its
   name and that of its left neighbour; it stays active, under the neighbour's name, if that is larger than its own and than that of
   the neighbour's neighbour. The others relay. Who meets its own name is the leader, and tells all others.
   Error: two nodes have the largest name, and each can take itself for the leader (assertion).
   -DN=5: nodes. */
#ifndef N
#define N 5
#endif

mtype = { first, second, elected };
chan ring[N] = [2 * N] of { mtype, byte };
byte leaders;

proctype Node(byte me; byte name) {
  byte mine, neighbour, heard;
  bool stays, done;
  stays = true;
  mine = name;
  ring[(me + 1) % N]!first(name);
end:
  do
  :: ring[me]?first(heard) ->
     if
     :: !stays -> ring[(me + 1) % N]!first(heard)
     :: stays && heard != mine -> neighbour = heard; ring[(me + 1) % N]!second(heard)
     :: stays && heard == mine ->
        leaders++;
        assert(leaders == 1);
        ring[(me + 1) % N]!elected(heard);
        done = true
     fi
  :: ring[me]?second(heard) ->
     if
     :: !stays -> ring[(me + 1) % N]!second(heard)
     :: stays && neighbour > heard && neighbour > mine -> mine = neighbour; ring[(me + 1) % N]!first(mine)
     :: stays && (neighbour <= heard || neighbour <= mine) -> stays = false
     fi
  :: ring[me]?elected(heard) ->
     if
     :: done
     :: else -> ring[(me + 1) % N]!elected(heard)
     fi;
     break
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) {
      if
      :: i == 1 -> run Node(i, N - 1)
      :: else -> run Node(i, i)
      fi
    }
    i = 0
  }
}
