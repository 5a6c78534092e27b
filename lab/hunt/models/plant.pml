/* The operators of a power plant: UNITS units with a sensor, a controller and a valve each, an alarm that collects what
   the controllers report, and an operator who answers the alarm and shuts the plant down when two units are too hot at once.
   20 processes with 6 units.
   Error: the plant need not ever be shut down (formula).
   -DUNITS=6. */
#ifndef UNITS
#define UNITS 6
#endif

mtype = { cold, warm, hot };
chan reading[UNITS] = [0] of { mtype };
chan valve[UNITS] = [1] of { bool };
chan report = [2] of { byte, bool };
bool opened[UNITS], is_shut;
byte too_hot;

proctype Sensor(byte me) {
  mtype level = cold;
  do
  :: atomic { level == cold && !opened[me] -> level = warm }
  :: atomic { level == warm && !opened[me] -> level = hot }
  :: atomic { level == hot && opened[me] -> level = warm }
  :: atomic { level == warm && opened[me] -> level = cold }
  :: reading[me]!level
  :: is_shut -> break
  od
}

proctype Controller(byte me) {
  mtype last = cold;
  do
  :: reading[me]?cold -> if :: last != cold -> last = cold; valve[me]!false :: else fi
  :: reading[me]?warm -> if :: last == hot -> report!me(false) :: else fi; last = warm
  :: reading[me]?hot -> if :: last != hot -> last = hot; report!me(true); valve[me]!true :: else fi
  :: is_shut -> break
  od
}

proctype Valve(byte me) {
  do
  :: valve[me]?opened[me]
  :: is_shut -> break
  od
}

active proctype Operator() {
  byte unit;
  bool is_hot;
  do
  :: report?unit(is_hot) ->
     if
     :: is_hot -> too_hot++
     :: else -> too_hot--
     fi;
     if
     :: too_hot >= 2 -> is_shut = true; break
     :: else
     fi
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. UNITS - 1) {
      run Sensor(i);
      run Controller(i);
      run Valve(i)
    }
    i = 0
  }
}

ltl shut_down { <> is_shut }
