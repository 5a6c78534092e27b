/* c_state: data of C in the state, in each process, and in neither.
 * expect: holds  states=3095 transitions=8785 */
c_state "int counts[3]" "Global"
c_state "short li" "Local w" "5"
c_state "char tag" "Local w"
c_state "int gi" "Global" "7"
c_state "int hid" "Hidden" "3"
byte n;
proctype w(byte me)
{	do
	:: c_expr { Pw->li < 8 } ->
		c_code { Pw->li++; now.counts[Pw->me]++; Pw->tag = 'a' + Pw->me; now.gi = 7 + now.counts[0] * hid; }
	:: else -> break
	od;
	n++
}
init { run w(0); run w(1); run w(2); c_code { now.gi++; } }
