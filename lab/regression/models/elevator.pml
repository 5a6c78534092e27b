/* An elevator with N persons in a building. A person calls the car to a floor, enters, chooses a floor and leaves there.
   The controller sweeps up and down as long as there are requests. Assertions: the car does not move with an open
   door or beyond the building, holds no more persons than it may, and a person leaves where they wanted to.
   The fire mode and the maintenance mode are part of the program and are switched off (FIRE, MAINTENANCE). */
#ifndef N
#define N 3
#endif
#define FLOORS 3
#define CAPACITY 2
#define FIRE false
#define MAINTENANCE false
#define ANY_REQUEST (called[0] || called[1] || called[2] || wanted[0] || wanted[1] || wanted[2])

mtype = { up, down, idle };

byte floor;
bool door_open;
mtype direction = idle;
bool called[FLOORS];
bool wanted[FLOORS];
byte inside;
byte stops;
byte leaving[FLOORS];
byte entering[FLOORS];
bool alarm;

inline request_above(found) {
  d_step {
    f = floor + 1;
    found = false;
    do
    :: f < FLOORS && (called[f] || wanted[f]) ->
      found = true;
      f = FLOORS
    :: f < FLOORS && !(called[f] || wanted[f]) -> f++
    :: else -> break
    od;
    f = 0
  }
}

inline request_below(found) {
  d_step {
    f = 0;
    found = false;
    do
    :: f < floor && (called[f] || wanted[f]) ->
      found = true;
      f = floor
    :: f < floor && !(called[f] || wanted[f]) -> f++
    :: else -> break
    od;
    f = 0
  }
}

inline choose_direction() {
  request_above(some);
  if
  :: some && direction != down -> direction = up
  :: else ->
    request_below(some);
    if
    :: some -> direction = down
    :: else ->
      request_above(some);
      if
      :: some -> direction = up
      :: else -> direction = idle
      fi
    fi
  fi;
  some = false
}

inline move() {
  assert(!door_open);
  if
  :: direction == up ->
    assert(floor < FLOORS - 1);
    floor++
  :: direction == down ->
    assert(floor > 0);
    floor--
  :: else -> skip
  fi
}

inline open_door() {
  assert(!door_open);
  door_open = true;
  stops = (stops + 1) % 4
}

inline serve_floor() {
  wanted[floor] = false;
  leaving[floor] == 0;
  called[floor] = false;
  (entering[floor] == 0 || inside == CAPACITY)
}

inline close_door() {
  atomic {
    door_open = false;
    if
    :: entering[floor] > 0 -> called[floor] = true
    :: else -> skip
    fi
  }
}

inline go_to_ground() {
  do
  :: floor > 0 -> floor--
  :: else -> break
  od;
  door_open = true;
  alarm = true
}

inline rest_at_top() {
  do
  :: floor < FLOORS - 1 -> floor++
  :: else -> break
  od;
  direction = idle
}

active proctype Car() {
  bool some;
  byte f;
  end:
  do
  :: FIRE -> go_to_ground()
  :: MAINTENANCE -> rest_at_top()
  :: called[floor] || wanted[floor] ->
    open_door();
    serve_floor();
    close_door()
  :: !called[floor] && !wanted[floor] && ANY_REQUEST ->
    choose_direction();
    move()
  od
}

inline call_car(from) {
  atomic {
    entering[from]++;
    called[from] = true
  }
}

inline enter(from) {
  atomic {
    door_open && floor == from && inside < CAPACITY;
    entering[from]--;
    inside++;
    assert(inside <= CAPACITY)
  }
}

inline ride(to) {
  atomic {
    leaving[to]++;
    wanted[to] = true
  }
}

inline leave(to) {
  atomic {
    door_open && floor == to;
    leaving[to]--;
    assert(inside > 0);
    inside--
  }
}

active [N] proctype Person() {
  byte here;
  byte there;
  end:
  do
  :: true ->
    if
    :: there = 0
    :: there = 1
    :: there = 2
    fi;
    if
    :: there == here -> skip
    :: else ->
      call_car(here);
      enter(here);
      ride(there);
      leave(there);
      here = there
    fi;
    there = 0
  od
}
