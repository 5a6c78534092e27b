"""Random never claims: what a user writes by hand, and what a translator of formulas writes.

A claim is one of two shapes: states with jumps between them, or a body of nested choices, loops and indivisible
sequences. Its conditions are about globals, channels and places of processes. It changes nothing.
"""

from .tree import HOLE as H
from .tree import Node, SKIP, code, seq

STATES = ("T0", "accept_T1", "T2", "accept_T3")


class Claims:
    """Mixin of the builder: needs rng, features, scope, proctypes."""

    def never_claim(self):
        rng = self.rng
        body = self.claim_of_states() if rng.random() < 0.5 else self.claim_of_statements()
        return Node("proc", "", [code("never"), seq(body)])

    def claim_of_states(self):
        rng = self.rng
        names = list(rng.sample(STATES, rng.choice((1, 2, 2, 3))))
        found = []
        for name in names:
            options = [self.jump(rng.choice(names)) for _ in range(rng.choice((1, 2, 2, 3)))]
            if rng.random() < 0.3:
                options.append(seq([code("else"), code(f"goto {rng.choice(names)}")]))
            found.append(Node("label", name, [Node(rng.choice(("do", "if")), "", options)]))
        if rng.random() < 0.4:
            found.append(Node("label", "accept_all", [rng.choice((SKIP, Node("do", "", [seq([SKIP])])))]))
        return found

    def jump(self, target):
        """A condition and a jump; at times an assertion in one indivisible step, as SPIN's translator writes it."""
        rng = self.rng
        if rng.random() < 0.15:
            condition = self.claim_comparison()
            return seq([Node("atomic", "", [seq([condition, code(f"assert(!{H})", condition)])])])
        return seq([self.claim_condition(), code(f"goto {target}")])

    def claim_of_statements(self):
        rng = self.rng
        found = self.claim_statements(rng.choice((1, 2, 3)), 2, False)
        if rng.random() < 0.6:
            at = rng.randrange(len(found))
            found[at] = Node("label", "accept_here", [found[at]])
        if rng.random() < 0.6:
            label = rng.choice(("accept_end", "last"))
            found.append(Node("label", label, [Node("do", "", [seq([self.claim_condition()])])]))
        return found

    def claim_statements(self, count, depth, in_loop):
        return [self.claim_statement(depth, in_loop) for _ in range(count)]

    def claim_statement(self, depth, in_loop):
        rng = self.rng
        kinds = [(self.claim_condition, 4), (lambda: SKIP, 1)]
        if in_loop:
            kinds.append((lambda: code("break"), 2))
        if depth > 0:
            kinds += [(lambda: Node("if", "", self.claim_options(depth, in_loop)), 2),
                      (lambda: Node("do", "", self.claim_options(depth, True)), 4),
                      (self.claim_sequence, 1)]
        makers, weights = zip(*kinds)
        return rng.choices(makers, weights)[0]()

    def claim_options(self, depth, in_loop):
        rng = self.rng
        found = [seq([self.claim_condition(), *self.claim_statements(rng.choice((0, 0, 1, 2)), depth - 1, in_loop)])
                 for _ in range(rng.choice((1, 2, 2)))]
        if in_loop and rng.random() < 0.4:
            found.append(seq([self.claim_condition(), code("break")]))
        if rng.random() < 0.4:
            found.append(seq([code("else"), *self.claim_statements(rng.choice((0, 0, 1)), depth - 1, in_loop)]))
        return found

    def claim_sequence(self):
        """Indivisible. In a d_step one condition at the start: SPIN's search ends where a later one is false."""
        rng = self.rng
        kind = rng.choice(("atomic", "d_step"))
        found = [self.claim_condition() for _ in range(1 if kind == "d_step" else rng.choice((1, 2)))]
        if rng.random() < 0.3:
            found.append(code(f"assert({H})", self.claim_comparison()))
        if kind == "d_step" and rng.random() < 0.5:
            checked = code(f"assert({H})", self.claim_comparison())
            found.append(Node("if", "", [seq([self.claim_condition(), SKIP]), seq([code("else"), checked])]))
        return Node(kind, "", [seq([*found, SKIP])])

    def claim_comparison(self):
        rng = self.rng
        names = [v.name for v in self.scope.variables if v.type != "mtype"] or ["x0"]
        return code(f"({rng.choice(names)} {rng.choice(('==', '==', '!=', '<', '>'))} {rng.choice((0, 1, 1, 2))})")

    def claim_condition(self):
        rng, features, compared = self.rng, self.features, self.claim_comparison
        kinds = [(compared, 6), (lambda: code("true"), 3), (lambda: code(f"(!{H})", compared()), 1),
                 (lambda: code(f"({H} {rng.choice(('&&', '||'))} {H})", compared(), compared()), 2)]
        buffers = [c.name for c in self.scope.channels if c.capacity > 0]
        if buffers:
            kinds += [(lambda: code(f"(len({rng.choice(buffers)}) > {rng.choice((0, 1))})"), 1),
                      (lambda: code(f"{rng.choice(('empty', 'nempty', 'full', 'nfull'))}({rng.choice(buffers)})"), 1)]
        fixed = [] if "run" in features else [p for p in self.proctypes if p.active]
        places = [f"({p.name}[{p.first_pid + k}]@{label})"
                  for p in fixed for k in range(p.active) for label in p.labels]
        if places:
            kinds.append((lambda: code(rng.choice(places)), 2))
        watched = [f"{p.name}[{p.first_pid + k}]:{name}" for p in fixed for k in range(p.active) for name in p.watched]
        if watched:
            kinds.append((lambda: code(f"({rng.choice(watched)} == {rng.choice((0, 1))})"), 2))
        if "specials" in features:
            kinds.append((lambda: code(f"(_last == {rng.choice((0, 1))})"), 1))
        if "embedded_c" in features:
            kinds.append((self.c_expr, 3))
        makers, weights = zip(*kinds)
        return rng.choices(makers, weights)[0]()
