/* An elevator with a door and a controller that meet in rendezvous: it never moves with open door.
 *
 * expect: holds  states=5460 transitions=12457
 */
#define FLOORS 3

mtype = { open, close, done };

chan door = [0] of { mtype };
chan moved = [0] of { byte };
bool is_open;
bool called[FLOORS];
byte floor;

active proctype Door() {
  end: do
  :: door?open -> is_open = true; door!done; door?close; is_open = false; door!done
  od
}

active proctype Cabin() {
  byte target;
  end: do
  :: moved?target ->
     do
     :: floor < target -> assert(!is_open); floor++
     :: floor > target -> assert(!is_open); floor--
     :: else -> break
     od;
     moved!target
  od
}

active proctype Controller() {
  byte next;
  do
  :: select (next : 0 .. FLOORS - 1);
     if
     :: called[next] ->
        moved!next;
        moved?eval(next);
        door!open; door?done;
        called[next] = false;
        door!close; door?done
     :: else
     fi
  od
}

active proctype Passengers() {
  byte where;
  do
  :: select (where : 0 .. FLOORS - 1);
     called[where] = true
  od
}
