"""Statements and conditions of embedded C.

C reads and writes the integers of the model: globals as `now.x`, variables at the top of a process as `PP0->y`, two
numbers in a c_state, and tracked memory of its own. Results are small natural numbers, and no data outlive a state
unseen, so that the model means the same in every order of the search.
"""

from .tree import code

C_DATA = ("now.c_seen", "c_own[0]", "c_own[1]")


class EmbeddedC:
    """Mixin of the builder: needs rng, features, scope, process, errors."""

    def c_declarations(self):
        """Before the processes, whose names a local c_state contains."""
        if "embedded_c" not in self.features:
            return []
        made = [code("c_decl { int c_own[2]; int c_next(int); }"), code('c_track "c_own" "sizeof(c_own)"'),
                code('c_state "int c_seen" "Global" "1"'),
                code("c_code { int c_next(int v) { return (v + 1) % 3; } }")]
        for process in self.proctypes:
            if self.rng.random() < 0.4:
                process.c_local = True
                made.append(code(f'c_state "short c_mine" "Local {process.name}" "1"'))
        return made

    def c_names(self):
        """The C text of the places that a statement here may use."""
        found = list(C_DATA)
        top = self.scope
        while top.parent is not None:
            top = top.parent
        for variable in top.variables:
            found.append("now." + variable.name.replace("(at ", "(now.at "))
        if self.process in self.proctypes and not self.in_inline:
            pointer = f"P{self.process.name}"
            found += [f"{pointer}->{name}" for name in self.process.c_variables]
            if self.process.c_local:
                found.append(f"{pointer}->c_mine")
        return found

    def c_value(self):
        """Without a call: SPIN takes every call in a c_expr for a side effect."""
        rng, names = self.rng, self.c_names()
        one, other = rng.choice(names), rng.choice((*names, "1", "2"))
        return rng.choice((f"({one} == {other})", f"(({one} ^ {other}) & 3)", f"((unsigned)({one} + {other}) % 3)"))

    def c_condition(self):
        rng, names = self.rng, self.c_names()
        return f"{rng.choice(names)} {rng.choice(('<', '!=', '=='))} {rng.choice(('0', '1', '2', rng.choice(names)))}"

    def c_code(self):
        rng = self.rng
        steps = " ".join(f"{rng.choice(self.c_names())} = {rng.choice(('', 'c_next'))}({self.c_value()});"
                         for _ in range(rng.choice((1, 1, 2))))
        needs = f"[{self.c_condition()}] " if self.errors and rng.random() < 0.2 else ""
        return code(f"c_code {needs}{{ {steps} }}")

    def c_expr(self):
        return code(f"c_expr {{ {self.c_condition()} }}")

    def c_number(self):
        return code(f"c_expr {{ {self.c_value()} }}")
