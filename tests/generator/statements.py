"""Random statements and sequences.

`body` makes a sequence, `statement` one statement; the features decide which kinds are on the
table. A budget bounds the size of a process. Inside d_step only what is deterministic and cannot
block is made, unless the model aims at errors.
"""

import re

from .names import Variable
from .tree import HOLE as H
from .tree import Node, SKIP, code, declaration, inline_text, is_declaration, seq


class Statements:
    """Mixin of the builder: needs rng, features, scope, errors, process, and the place flags."""

    def body(self, least, most):
        """A sequence between braces, which are a scope of their own."""
        outer, self.scope = self.scope, self.scope.inner()
        made = seq(self.statements(least, most))
        self.scope = outer
        return made

    def statements(self, least, most):
        found = []
        for _ in range(self.rng.randint(least, most)):
            if "scopes" in self.features and self.rng.random() < 0.25:
                found.append(self.local_variable(self.rng.choice(("t", "u", None))))
            found.append(self.statement())
        return found

    def local_variable(self, name=None):
        """Declares a variable in mid-body; sibling blocks may reuse a name, nested ones may not."""
        if name is None or self.in_inline or any(v.name == name for v in self.scope.all("variables")):
            name = self.fresh("v")
        kind = self.rng.choice(("byte", "byte", "bit", "int"))
        made = declaration(f"{kind} {name}")
        value = self.number(1)
        # SPIN does not find what a remote reference in an initial value refers to, nor the process of embedded C there.
        if self.rng.random() < 0.5 and not re.search(r"\]:|@|c_expr", inline_text(value)):
            made = declaration(f"{kind} {name} = {H}", value)
        self.scope.variables.append(Variable(name, kind))
        return made

    def statement(self):
        self.budget -= 1
        kinds = self.simple_kinds()
        if self.budget > 0 and self.depth < 4:
            kinds += self.compound_kinds()
        makers, weights = zip(*kinds)
        self.depth += 1
        made = self.rng.choices(makers, weights)[0]()
        self.depth -= 1
        return made

    def simple_kinds(self):
        features, found = self.features, [(self.assign, 5)]
        may_block = not self.in_d_step or self.errors
        if may_block:
            found.append((lambda: self.truth(1), 1))
        if "skips" in features:
            found.append((lambda: SKIP, 4))
        if self.in_loop and not (self.in_d_step and self.rng.random() < 0.5):
            found.append((lambda: code("break"), 1 + 2 * ("gotos" in features)))
        if "gotos" in features and self.process.labels and not self.in_d_step:
            found.append((lambda: code(f"goto {self.rng.choice(self.process.labels)}"), 4))
        if self.scope.all("channels") and may_block:
            found += [(self.send, 5), (self.receive, 5)]
        if self.scope.all("handles"):
            found.append((self.assign_handle, 2))
        if self.mail and may_block:
            found += [(self.send_record, 3), (self.receive_record, 3)]
        if "embedded_c" in features:
            found.append((self.c_code, 5))
        if "asserts" in features:
            found.append((lambda: code(f"assert({H})", self.truth(1)), 3))
        if "prints" in features:
            found.append((lambda: code(f'printf("%d\\n", {H})', self.atom()), 2))
        if "run" in features and not self.in_d_step:
            found.append((self.run, 3))
        if "timeout" in features and may_block:
            found.append((lambda: code("timeout"), 1))
        if "priority" in features:
            # Process 0 is there as long as any other; SPIN damages its state where there is none (docs/spin-differences.md).
            found.append((lambda: code(f"set_priority({self.rng.choice(('_pid', '0'))}, {self.rng.choice((1, 2, 3))})"), 1))
        if self.inlines and may_block:  # in an inline: those before it
            found.append((self.call_inline, 3))
        if "hidden" in features:
            found.append((lambda: code(f"_ = {H}", self.number(1)), 1))
        return found

    def assign_handle(self):
        handle = self.rng.choice(self.scope.all("handles"))
        # SPIN refuses a constant index of records here (docs/spin-differences.md).
        names = [name for name in self.like(handle.capacity, handle.fields) if "]." not in name]
        return code(f"{handle.name} = {self.rng.choice(names)}")

    def assign(self):
        rng = self.rng
        variables = self.scope.all("variables")
        arrays = self.scope.all("arrays")
        if arrays and rng.random() < 0.3:
            return code(f"{H} = {H}", self.element(), self.number(1))
        if not variables:
            return SKIP
        variable = rng.choice(variables)
        if variable.type == "mtype":
            return code(f"{variable.name} = {rng.choice(self.mtype_values)}")
        if variable.wild:
            if rng.random() < 0.2:
                return code(f"{variable.name}{rng.choice(('++', '--'))}")
            return code(f"{variable.name} = {H}", self.number(2, wild=True))
        if variable.type in ("bit", "bool") and rng.random() < 0.1:
            return code(f"{variable.name}{rng.choice(('++', '--'))}")
        return code(f"{variable.name} = {H}", self.number(1))

    def compound_kinds(self):
        features = self.features
        found = [(self.choice, 4), (self.loop, 2 if not (self.in_d_step or self.in_atomic) else 0)]
        if "scopes" in features or "skips" in features:
            found.append((lambda: Node("block", "", [self.body(1, 3)]), 2))
        if "counted" in features:
            found += [(self.for_loop, 3), (self.select, 0 if self.in_d_step else 2)]
        if "atomic" in features:
            found.append((self.atomic, 6))
        if "d_step" in features:
            found.append((self.d_step, 5))
        if "escapes" in features:
            found.append((self.escape, 8))
        if "unless" in features and not self.in_d_step:
            found.append((self.unless, 6))
        return found

    def option(self, guard):
        """Options are no scopes: what is declared in one is known to all that follows."""
        return seq([guard, *self.statements(0, 2)])

    def guard(self):
        """The first statement of an option."""
        rng, features = self.rng, self.features
        kinds = [(lambda: self.truth(1), 5), (self.assign, 1)]
        if self.scope.all("channels"):
            kinds += [(self.send, 3), (self.receive, 3)]
            if "polls" in features:
                kinds.append((self.probe, 3))
        if self.mail:
            kinds += [(self.send_record, 1), (self.receive_record, 1)]
        if "embedded_c" in features:
            kinds += [(self.c_expr, 2), (self.c_code, 1)]
        if "skips" in features:
            kinds += [(lambda: SKIP, 2)]
            if self.budget > 0 and self.depth < 4:
                kinds += [(self.nested, 3)]
        if "gotos" in features and self.process.labels:
            kinds.append((lambda: code(f"goto {rng.choice(self.process.labels)}"), 1))
        if "timeout" in features:
            kinds.append((lambda: code("timeout"), 2))
        if "atomic" in features and self.depth < 4 and self.budget > 0:
            kinds.append((self.atomic, 2))
        if "d_step" in features and self.depth < 4 and self.budget > 0:
            kinds.append((self.d_step, 1))
        if "unless" in features and self.depth < 4 and self.budget > 0 and rng.random() < 0.3:
            kinds.append((self.unless, 1))
        makers, weights = zip(*kinds)
        return rng.choices(makers, weights)[0]()

    def nested(self):
        """A choice or loop that begins an option. SPIN allows one else among all their guards."""
        outer, self.may_use_else = self.may_use_else, False
        made = self.choice() if self.in_atomic or self.rng.random() < 0.6 else self.loop()
        self.may_use_else = outer
        return made

    def choice(self):
        if self.in_d_step:
            return self.deterministic_choice()
        return Node("if", "", self.options(self.rng.choice((1, 2, 2, 3))))

    def options(self, count, leave=False):
        """Options in random order, made in the order of the text because names flow downwards."""
        rng = self.rng
        kinds = ["guard"] * count
        if rng.random() < (0.6 if "else" in self.features else 0.2) and self.may_use_else:
            kinds.append("else")
        if leave:
            kinds.append("leave")
        rng.shuffle(kinds)
        found = []
        for kind in kinds:
            if kind == "guard":
                found.append(self.option(self.guard()))
            elif kind == "else":
                found.append(self.option(code("else")))
            else:
                found.append(seq([self.truth(0), code("break")] if rng.random() < 0.6
                                 else [code("break")]))
        return found

    def deterministic_choice(self):
        condition = self.truth(0)
        first = self.option(condition)
        if self.rng.random() < 0.5:
            return Node("if", "", [first, self.option(code("else"))])
        return Node("if", "", [first, self.option(code(f"!({H})", condition))])

    def loop(self):
        rng = self.rng
        outer, self.in_loop = self.in_loop, True
        options = self.options(rng.choice((1, 2, 2)), leave=rng.random() < 0.8)
        self.in_loop = outer
        return Node("do", "", options)

    def for_loop(self):
        rng = self.rng
        counters = [v for v in self.scope.all("variables")
                    if v.type in ("byte", "int", "short") and "[" not in v.name and "." not in v.name]
        if not counters:
            return SKIP
        counter = rng.choice(counters)
        arrays = self.scope.all("arrays")
        arrays = [a for a in arrays if a.name.isalnum()]
        if arrays and rng.random() < 0.4:
            head = f"for ({counter.name} in {rng.choice(arrays).name})"
        else:
            low = rng.choice((0, 0, 1, 2))
            head = f"for ({counter.name} : {low} .. {low + rng.choice((0, 1, 2))})"
        outer, self.in_loop = self.in_loop, True
        hidden = self.hide(counter)
        made = Node("loop", "", [code(head), self.body(1, 2)])
        self.unhide(hidden)
        self.in_loop = outer
        return made

    def hide(self, variable):
        """Leaves the counter of a loop alone, which would otherwise not end inside d_step."""
        scope = self.scope
        while variable not in scope.variables:
            scope = scope.parent
        scope.variables.remove(variable)
        return scope, variable

    @staticmethod
    def unhide(hidden):
        scope, variable = hidden
        scope.variables.append(variable)

    def select(self):
        counters = [v.name for v in self.scope.all("variables")
                    if v.type == "byte" and "[" not in v.name and "." not in v.name]
        if not counters:
            return SKIP
        return code(f"select ({self.rng.choice(counters)} : 0 .. {self.rng.choice((0, 1, 2))})")

    def atomic(self):
        outer, self.in_atomic = self.in_atomic, True
        made = Node("atomic", "", [self.body(1, 4)])
        self.in_atomic = outer
        return made

    def d_step(self):
        """Begins with a guard as often as not; what follows must not block."""
        rng = self.rng
        first = []
        if not self.in_d_step and rng.random() < 0.5:
            buffers = [c for c in self.scope.all("channels") if c.capacity > 0]
            first = [self.receive(rng.choice(buffers)) if buffers and rng.random() < 0.4
                     else self.truth(1)]
        flags = self.in_d_step, self.in_atomic, self.in_loop
        self.in_d_step, self.in_atomic, self.in_loop = True, True, False
        if "escapes" in self.features and not first:
            first = [self.assign()]  # SPIN refuses a d_step that begins with an unless
        rest = self.body(1, 3)
        self.in_d_step, self.in_atomic, self.in_loop = flags
        return Node("d_step", "", [seq([*first, *rest.kids])])

    def unless(self):
        """A sequence, or a whole loop, with an escape that is mostly a guard first."""
        rng = self.rng
        outer, self.scope = self.scope, self.scope.inner()
        only_loop = rng.random() < 0.3 and not self.in_atomic
        main = seq([self.loop()] if only_loop else self.statements(1, 3))
        self.scope = outer.inner()
        escape = self.option(self.guard())
        self.scope = outer
        if is_declaration(main.kids[0]):
            main = seq([SKIP, *main.kids])
        return Node("unless", "", [main, escape])

    def escape(self):
        """An unless of which both parts may be atomic, a d_step, a choice, or an unless again."""
        outer, self.scope = self.scope, self.scope.inner()
        self.budget -= 1
        self.depth += 1
        main = self.part_of_escape([SKIP, *self.statements(1, 2)] if self.in_d_step else self.statements(1, 3))
        self.scope = outer.inner()
        guard = self.truth(1) if self.in_d_step else self.guard()
        rest = self.part_of_escape([guard, *self.statements(0, 2)])
        self.depth -= 1
        self.scope = outer
        if is_declaration(main.kids[0]):
            main = seq([SKIP, *main.kids])
        return Node("unless", "", [main, rest])

    def part_of_escape(self, plain):
        """The statements as they are, within one indivisible sequence, or with a compound statement in their place."""
        rng = self.rng
        kinds = ["plain", "plain"]
        if not self.in_d_step and not any(is_declaration(node) for node in plain[:1]):
            kinds += ["atomic", "atomic"]
        if self.budget > 0 and self.depth < 4:
            kinds += ["choice", "escape", "before", "after"]
            if not self.in_d_step:
                kinds.append("d_step")
        kind = rng.choice(kinds)
        if kind == "atomic":
            return seq([Node("atomic", "", [seq(plain)])])
        if kind in ("choice", "escape", "d_step"):
            return seq([getattr(self, kind)()])
        if kind in ("before", "after"):
            inner = self.escape()
            return seq([inner, *plain] if kind == "before" else [*plain, inner])
        return seq(plain)

    def run(self):
        """Creates a process while there are few, so that creation and death go on but end."""
        target = self.rng.choice(self.proctypes)
        arguments = [self.argument(type) for type, _ in target.parameters]
        call = code(f"run {target.name}({', '.join([H] * len(arguments))})", *arguments)
        counter = [v.name for v in self.scope.all("variables") if v.type in ("byte", "pid", "int")]
        if counter and self.rng.random() < 0.3:
            call = code(f"{self.rng.choice(counter)} = {H}", call)
        few = code(f"(_nr_pr < {self.rng.choice((3, 4))})")
        kind = self.rng.choice(("atomic", "seq", "if"))
        if kind == "atomic":
            return Node("atomic", "", [seq([few, call])])
        if kind == "if":
            return Node("if", "", [seq([few, call]), seq([code("else")])])
        return Node("block", "", [seq([few, call])])

    def argument(self, type):
        if type == "chan":
            names = [c.name for c in self.scope.all("channels") if c.shape == self.parameter_shape]
            return code(self.rng.choice(names))
        if type == "mtype":
            return code(self.rng.choice(self.mtype_values))
        return self.number(1)

    def call_inline(self):
        name, parameters = self.rng.choice(self.inlines)
        arguments = []
        for kind in parameters:
            if kind == "place":
                places = [v.name for v in self.scope.all("variables")
                          if v.type in ("byte", "int") and not v.wild]
                if not places:
                    return SKIP
                arguments.append(code(self.rng.choice(places)))
            elif kind == "record":
                arguments.append(code(self.rng.choice(self.leaves)))
            else:
                argument = self.rng.choice((self.atom, lambda: self.truth(0)))()
                # SPIN cannot read a conditional expression or embedded C here.
                is_odd = re.search("LEAST|c_expr", inline_text(argument))
                arguments.append(code("1") if is_odd else argument)
        return code(f"{name}({', '.join([H] * len(arguments))})", *arguments)
