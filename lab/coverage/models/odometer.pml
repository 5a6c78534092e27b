/* An odometer of D digits to base B. The lowest T digits count without a choice; at each full turn of them any
   one of the others is advanced.
   Graph: lines without a branch, which meet again.
   Without reduction at the defaults: states=589824 transitions=602113
   -DB=8, -DD=6, -DT=2. */
#ifndef B
#define B 8
#endif
#ifndef D
#define D 6
#endif
#ifndef T
#define T 2
#endif

byte digit[D];

active proctype Odometer() {
  byte i;
end:
  do
  :: d_step {
       i = 0;
       do
       :: i < T && digit[i] == B - 1 -> digit[i] = 0; i++
       :: else -> break
       od;
       if
       :: i < T -> digit[i]++; i = 0
       :: else
       fi
     };
     if
     :: i == 0
     :: i == T ->
        select(i : T .. D - 1);
        skip;
        d_step { digit[i] = (digit[i] + 1) % B; i = 0 }
     fi
  od
}
