/* Data that are tracked and not matched do not tell states apart: the counters never end, the states do.
 * expect: holds  states=12 transitions=37 */
c_decl { int hits; long long sum; }
c_track "&hits" "sizeof(hits)" "UnMatched"
c_track "&sum" "sizeof(sum)" "StackOnly"
byte x;
active [2] proctype p()
{	do
	:: c_code { hits++; sum += hits; }; x = (x + 1) % 3
	:: c_code { hits = 0; }
	od
}
