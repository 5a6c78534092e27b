/* c_expr wherever an expression may stand: guards, messages, eval, provided, beside other conditions.
 * expect: violated deadlock  states=365 transitions=634 */
byte x; chan r = [0] of { byte }; chan b = [1] of { byte };
active proctype p()
{	byte v;
	{ do
	:: r?v -> c_code { now.x += Pp->v; }
	:: b?eval(c_expr { now.x }) -> x = 0
	:: c_expr { now.x > 4 } -> break
	od } unless { x == 9 };
end:	x == 200
}
active proctype s()
{	byte i;
	for (i : 1 .. 3) {
		if
		:: r!c_expr { Ps->i * 2 }
		:: b!i
		:: c_expr { now.x == 2 } && i > 1 -> skip
		:: len(b) == 1 -> skip
		fi
	};
endx:	false
}
active proctype t() provided (c_expr { now.x < 6 }) { x == 2 -> c_code { now.x = 9; }; timeout -> skip }
