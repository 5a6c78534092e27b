"""Random expressions over the names in scope.

Tame numbers stay within 0..3, so that state spaces stay small; wild ones use every operator and
overflow every type. Nothing here divides by zero, shifts by a negative amount or leaves an array,
unless the model aims at errors.
"""

from .tree import HOLE as H
from .tree import code

COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


class Expressions:
    """Mixin of the builder: needs rng, features, scope, errors, process."""

    def number(self, depth=1, wild=False):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.35:
            return self.atom(wild)
        if wild:
            return self.wild_number(depth)
        return rng.choice((
            lambda: code(f"(({H} + 1) % {rng.choice((2, 3))})", self.natural_atom()),
            lambda: code(f"(1 - {H})", self.bit_atom()),
            lambda: code(f"({H} -> {H} : {H})", self.truth(depth - 1), self.atom(), self.atom()),
            lambda: self.truth(depth - 1),
            lambda: self.atom(),
        ))()

    def wild_number(self, depth):
        rng = self.rng

        def left():
            return self.number(depth - 1, wild=True)

        kinds = [
            lambda: code(f"({H} {rng.choice(('+', '-', '*'))} {H})", left(), self.number(0)),
            lambda: code(f"({H} {rng.choice(('/', '%'))} {rng.choice((2, 3, 7, 10))})", left()),
            lambda: code(f"({H} {rng.choice(('&', '|', '^'))} {H})", left(), left()),
            lambda: code(f"({H} {rng.choice(('<<', '>>'))} {rng.choice((1, 2, 3))})", left()),
            lambda: code(f"(-{H})", left()),
            lambda: code(f"(~{H})", left()),
            lambda: code(f"({H} -> {H} : {H})", self.truth(depth - 1), left(), left()),
            lambda: code(rng.choice(("255", "256", "-1", "127", "128", "300", "65535", "40000"))),
            lambda: self.truth(depth - 1),
        ]
        if self.errors:
            kinds.append(lambda: code(f"({H} {rng.choice(('/', '%'))} {H})", left(), self.atom()))
        return rng.choice(kinds)()

    def atom(self, wild=False):
        rng = self.rng
        variables = [v for v in self.scope.all("variables") if wild or not v.wild]
        choices = [lambda: code(str(rng.choice((0, 0, 1, 1, 2, 3))))]
        if variables:
            choices += [lambda: code(rng.choice(variables).name)] * 3
        if self.scope.all("arrays"):
            choices.append(self.element)
        choices += self.special_atoms()
        return rng.choice(choices)()

    def special_atoms(self):
        """Atoms that features add."""
        rng, features = self.rng, self.features
        found = []
        if "specials" in features:
            found += [lambda: code(rng.choice(("_pid", "_nr_pr", "_last")))]
        if "priority" in features and self.process_known():
            found.append(lambda: code(rng.choice(("_priority", "get_priority(_pid)"))))
        if "remote" in features and not self.in_d_step and self.remote_variables():
            found.append(lambda: code(rng.choice(self.remote_variables())))
        if "enabled" in features and not self.in_inline and self.other_pids():
            found.append(lambda: code(f"pc_value({rng.choice(self.other_pids())})"))
        if "embedded_c" in features:
            found.append(self.c_number)
        if "macros" in features:
            found.append(lambda: code(f"LEAST({H}, {H})", code("1"), code(str(rng.randrange(4)))))
        if "buffered" in features and "polls" in features:
            buffers = [c for c in self.scope.all("channels") if c.capacity > 0]
            if buffers:
                found.append(lambda: code(f"len({rng.choice(buffers).name})"))
        return found

    def natural_atom(self):
        natural = [v for v in self.scope.all("variables") if v.natural and not v.wild]
        return code(self.rng.choice(natural).name if natural else str(self.rng.randrange(3)))

    def bit_atom(self):
        bits = [v for v in self.scope.all("variables") if v.type in ("bit", "bool") and not v.wild]
        return code(self.rng.choice(bits).name if bits else str(self.rng.randrange(2)))

    def index(self, size):
        """An expression within 0..size-1, or about so when the model aims at errors."""
        rng = self.rng
        roll = rng.random()
        if self.errors and roll < 0.15:
            return self.natural_atom()
        if roll < 0.6:
            return code(str(rng.randrange(size)))
        return code(f"({H} % {size})", self.natural_atom())

    def element(self):
        array = self.rng.choice(self.scope.all("arrays"))
        return code(f"{array.name}[{H}]", self.index(array.size))

    def truth(self, depth=1):
        rng = self.rng
        kinds = [lambda: code(f"({H} {rng.choice(COMPARISONS)} {H})", self.atom(), self.number(0)),
                 lambda: code(f"({H} {rng.choice(('<', '<=', '!='))} {rng.choice((1, 2))})",
                              self.natural_atom()),
                 lambda: code(f"({H} == {rng.choice((0, 0, 1))})", self.natural_atom())] * 2
        if depth > 0:
            kinds += [
                lambda: code(f"({H} {rng.choice(('&&', '||'))} {H})",
                             self.truth(depth - 1), self.truth(depth - 1)),
                lambda: code(f"(!{H})", self.truth(depth - 1)),
            ]
        kinds += [lambda: code(f"({H} != 0)", self.atom())]
        kinds += self.special_truths() * 2
        return rng.choice(kinds)()

    def special_truths(self):
        rng, features = self.rng, self.features
        found = []
        if "polls" in features:
            buffers = [c for c in self.scope.all("channels") if c.capacity > 0]
            if buffers:
                found.append(lambda: self.poll(rng.choice(buffers)))
        if "embedded_c" in features:
            found.append(self.c_expr)
        if "enabled" in features and not self.in_inline and self.other_pids():
            found.append(lambda: code(f"enabled({rng.choice(self.other_pids())})"))
        if "remote" in features and not self.in_d_step and self.remote_labels():
            found.append(lambda: code(rng.choice(self.remote_labels())))
        return found

    def probe(self):
        """full and its kin stand in the grammar above all operators but && and ||."""
        rng = self.rng
        question = rng.choice(("empty", "nempty", "full", "nfull"))
        plain = code(f"{question}({rng.choice(self.scope.all('channels')).name})")
        return rng.choice((
            lambda: plain,
            lambda: code(f"({H} {rng.choice(('&&', '||'))} {H})", plain, self.truth(0)),
            lambda: code(f"({H} {rng.choice(('&&', '||'))} {H})", self.truth(0), plain),
        ))()

    # What one process may know of the others, when their pids are fixed from the start.

    def process_known(self):
        return self.process is not None

    def other_pids(self):
        """For enabled and pc_value; only in one process, because SPIN does not let enabled() lead
        through another enabled() to the process that asks."""
        if self.process is not self.proctypes[-1] or self.process.active != 1:
            return []
        return [p.first_pid + k for p in self.proctypes for k in range(p.active)
                if p is not self.process]

    def remote_labels(self):
        return [f"{p.name}[{p.first_pid + k}]@{label}" for p in self.earlier_proctypes()
                for k in range(p.active) for label in p.labels]

    def remote_variables(self):
        return [f"{p.name}[{p.first_pid + k}]:{name}" for p in self.earlier_proctypes()
                for k in range(p.active) for name in p.watched]

    def earlier_proctypes(self):
        """SPIN wants the text of a proctype before any remote reference to it."""
        if self.process in self.proctypes:
            return self.proctypes[:self.proctypes.index(self.process)]
        return [] if self.process is None or self.init_first or self.in_inline else self.proctypes
