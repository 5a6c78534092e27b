/* c_track: a list in C's own memory, with its pointers, is part of the state.
 * expect: holds  states=3045 transitions=7640 */
c_decl {
	typedef struct Node { struct Node *next; int v; } Node;
	Node pool[4]; Node *head; int used;
}
c_track "pool" "sizeof(pool)"
c_track "&head" "sizeof(Node *)"
c_track "&used" "sizeof(used)" "Matched"
c_code {
	static void push(int v) { Node *n = &pool[used++]; n->v = v; n->next = head; head = n; }
	static int pop(void) { int v = head->v; head = head->next; used--; return v; }
}
byte last;
active [2] proctype p()
{	byte k;
	do
	:: atomic { c_expr { used < 3 } -> c_code { push(Pp->_pid + 1); } }
	:: atomic { c_expr { head != 0 } -> c_code { now.last = pop(); } };
		k = last;
		if :: c_expr { Pp->k == 2 } -> skip :: else fi
	od
}
