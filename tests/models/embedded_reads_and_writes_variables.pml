/* Embedded C sees every type of variable as SPIN's C does, and truncates as it does.
 * expect: holds  states=98 transitions=144 */
typedef In { byte a[3]; bit f; unsigned u : 3 }
typedef Out { In in[2]; short s }
mtype = { red, green };
Out o; bit flags[5]; bool ok; unsigned w : 4; mtype col; chan q = [2] of { byte, int };
int neg = -3; short sh = -7; pid who;
proctype r(byte n; chan c; mtype m)
{	int loc[3];
	c_code {
		Pr->loc[1] = Pr->n * 2; now.o.in[1].a[2] = Pr->n + 255; now.flags[Pr->n] = 1; now.ok = 2;
		now.w = 17 + Pr->n; now.o.in[0].u = 9; now.o.s = now.sh - 40000; now.col = Pr->m;
		now.who = Pr->_pid; now.neg *= 2;
	};
	atomic { c!loc[1],o.s; c_code { now.ok = !now.ok; }; c?_,_ };
	c_expr { now.neg < -5 };
	d_step { c_code { Pr->loc[2] = 5; }; loc[0] = loc[2] + c_expr { Pr->loc[1] } }
}
init {
	atomic { run r(1, q, red); run r(2, q, green) };
	c_expr { now._nr_pr == 1 } -> assert(c_expr { now.neg } == -12)
}
