"""Builds one random model from a seed.

    model = generate(seed)               # small, valid, no undefined behaviour of SPIN
    model = generate(seed, errors=True)  # aims at run-time errors
    model = generate(seed, wide=True)    # with at least one feature of features.WIDE
    str(model.tree)                      # the text

The same seed gives the same model on every machine and in every run.
"""

import dataclasses
import random

from .claims import Claims
from .embedded import EmbeddedC
from .expressions import Expressions
from .features import pick_features
from .messages import Messages
from .names import Array, Channel, Proctype, Scope, TAME_TYPES, Variable, WILD_TYPES
from .records import Records
from .statements import Statements
from .tree import HOLE as H
from .tree import Node, code, declaration, is_declaration, replace, seq, walk

MTYPES = ("red", "green", "blue")


@dataclasses.dataclass(frozen=True)
class Model:
    seed: int
    features: frozenset
    tree: Node

    @property
    def text(self):
        listed = ", ".join(sorted(self.features))
        return f"/* seed {self.seed}: {listed} */\n{self.tree}"


def generate(seed, errors=False, features=None, wide=False):
    return Builder(seed, errors, features, wide).model()


class Builder(Expressions, Messages, Records, Statements, EmbeddedC, Claims):
    def __init__(self, seed, errors, features, wide=False):
        self.rng = random.Random(f"spoor {seed} {errors}")
        self.seed = seed
        self.errors = errors
        self.features = set(features) if features else pick_features(self.rng, wide)
        self.scope = Scope()
        self.process = None
        self.proctypes = []
        self.inlines = []
        self.leaves, self.leaf_line, self.mail = [], None, None
        self.mtype_values = MTYPES
        self.parameter_shape = None
        self.counters = {}
        self.budget = self.depth = 0
        self.in_atomic = self.in_d_step = self.in_loop = self.in_inline = False
        # SPIN refuses else beside messages when there are xr and xs, and its enabled() takes the
        # else of another process for one of the process that asks.
        self.may_use_else = not self.features & {"exclusive", "enabled"}
        self.init_first = self.has_init = False

    def fresh(self, stem):
        number = self.counters.get(stem, 0)
        self.counters[stem] = number + 1
        return f"{stem}{number}"

    def model(self):
        features = self.features
        parts = []
        if "macros" in features:
            parts.append(code("#define LEAST(a, b) ((a) < (b) -> (a) : (b))"))
        if "mtypes" in features:
            parts.append(code(f"mtype = {{ {', '.join(MTYPES)} }}"))
        parts += self.global_variables()
        parts += self.global_channels()
        parts += self.deep_records()
        self.plan_processes()
        parts += self.c_declarations()
        parts += self.make_inlines()
        bodies = [self.make_process(process) for process in self.proctypes]
        parts += self.around_init(bodies)
        parts += self.make_events()
        parts += self.make_claims()
        return Model(self.seed, frozenset(features), Node("model", "", parts))

    # Declarations

    def global_variables(self):
        rng, features, found = self.rng, self.features, []
        for _ in range(rng.choice((1, 2, 2, 3))):
            kind = rng.choice(TAME_TYPES)
            name = self.fresh("x")
            prefix = ""
            if "hidden" in features and rng.random() < 0.4:
                prefix = rng.choice(("hidden ", "show ", "local "))
                kind = "byte" if prefix == "hidden " else kind
            start = f" = {rng.choice((0, 1))}" if rng.random() < 0.3 else ""
            found.append(code(f"{prefix}{kind} {name}{start}"))
            # The value of a hidden variable is no part of a state: reading it back would make the
            # behaviour depend on the order of the search.
            if prefix != "hidden ":
                self.scope.variables.append(Variable(name, kind))
        if "types" in features:
            for _ in range(rng.choice((1, 2))):
                kind = rng.choice(WILD_TYPES)
                name = self.fresh("w")
                width = f" : {rng.choice((1, 2, 3, 5))}" if kind == "unsigned" else ""
                found.append(code(f"{kind} {name}{width}"))
                self.scope.variables.append(Variable(name, kind, wild=True))
        if "mtypes" in features:
            found.append(code("mtype color = red"))
            self.scope.variables.append(Variable("color", "mtype"))
        if "arrays" in features:
            size = rng.choice((1, 2, 3))
            kind = rng.choice(("byte", "bit", "bool", "short", "int"))
            start = rng.choice(("", " = 1"))
            found.append(code(f"{kind} a0[{size}]{start}"))
            self.scope.arrays.append(Array("a0", kind, size))
        if "records" in features:
            found += self.records()
        return found

    def records(self):
        """A record with every shape of field, global and in an array."""
        rng = self.rng
        inner = rng.choice(("byte", "bit", "short"))
        found = [code(f"typedef Inner {{ {inner} p; byte q[2] }}"),
                 code("typedef Outer { bit f; Inner g; Inner k[2] }")]
        if rng.random() < 0.6:
            found.append(code("Outer r"))
            places = [("r.f", "bit"), ("r.g.p", inner), ("r.k[1].p", inner), ("r.g.q[1]", "byte")]
            self.scope.arrays.append(Array("r.k[0].q", "byte", 2))
        else:
            found.append(code("Outer s[2]"))
            places = [("s[0].f", "bit"), ("s[1].g.p", inner), ("s[1].k[0].q[1]", "byte")]
        for name, kind in rng.sample(places, 2):
            self.scope.variables.append(Variable(name, kind))
        return found

    def make_inlines(self):
        if "inlines" not in self.features:
            return []
        found = []
        for _ in range(self.rng.choice((1, 1, 2))):
            name = self.fresh("step")
            parameters = self.rng.choice((("place",), ("place", "value"), ("value",)))
            if self.leaves and self.rng.random() < 0.6:
                parameters = (*parameters, "record")
            names = [f"arg{index}" for index in range(len(parameters))]
            outer, self.scope = self.scope, self.scope.inner()
            self.scope.variables += [Variable(n, "byte") for n, kind in zip(names, parameters)
                                     if kind == "place"]
            self.scope.variables += [Variable(f"{n}.{field}", "byte") for n, kind in zip(names, parameters)
                                     if kind == "record" for field in ("p", "s.v")]
            self.process = Proctype("none", [])
            self.in_inline = True
            self.budget = 4
            body = self.statements(1, 3)
            if self.rng.random() < 0.4:
                local = f"tmp_{name}"  # one that calls another must not declare the same name
                body.insert(0, declaration(f"byte {local} = 1"))
                body.append(code(f"{local} = 0"))
            for n, kind in zip(names, parameters):
                if kind == "value":
                    body.append(code(f"x0 = {n}") if self.rng.random() < 0.5 else code(f"({n} >= 0)"))
            self.in_inline = False
            self.process = None
            self.scope = outer
            found.append(Node("proc", "", [code(f"inline {name}({', '.join(names)})"), seq(body)]))
            self.inlines.append((name, parameters))
        return found

    # Processes

    def plan_processes(self):
        rng, features = self.rng, self.features
        count = rng.choice((2, 2, 3) if "rendezvous" in features else (1, 2, 2, 2, 3))
        pid = 0
        # SPIN refuses else beside messages when there are xr and xs, and its enabled() takes the
        # else of another process for one of the process that asks.
        self.may_use_else = not self.features & {"exclusive", "enabled"}
        self.init_first = rng.random() < 0.3
        has_init = "run" in features or rng.random() < 0.15
        self.has_init = has_init
        if has_init and self.init_first:
            pid = 1
        if "handles" in features and self.scope.channels:
            self.parameter_shape = rng.choice(
                [c for c in self.scope.channels if not c.carried]).shape
        for number in range(count):
            process = Proctype(f"P{number}", [])
            dormant = has_init and rng.random() < 0.6
            process.active = 0 if dormant else rng.choice((1, 1, 1, 2))
            if process.active:
                process.first_pid = pid
                pid += process.active
            if not process.active or rng.random() < 0.15:
                process.parameters = self.parameters()
            if "gotos" in features or "remote" in features:
                process.labels = [f"L{number}{letter}"
                                  for letter in "abc"[:rng.choice((1, 2, 2, 3))]]
            if "remote" in features:
                process.watched = [f"seen{number}"]
            self.proctypes.append(process)
        if all(not p.active for p in self.proctypes) and not has_init:
            self.proctypes[0].active = 1

    def parameters(self):
        rng, found = self.rng, []
        for number in range(rng.choice((0, 1, 1, 2))):
            kinds = ["byte", "byte", "bit", "int"]
            if self.parameter_shape is not None:
                kinds += ["chan"] * 3
            if "mtypes" in self.features:
                kinds.append("mtype")
            found.append((rng.choice(kinds), f"p{number}"))
        return found

    def make_process(self, process):
        rng, features = self.rng, self.features
        outer, self.scope = self.scope, self.scope.inner()
        self.process = process
        start = []
        for kind, name in process.parameters:
            if kind == "chan":
                # An instance that is active from the start has no channel in its parameter.
                if not process.active:
                    template = next(c for c in outer.channels if c.shape == self.parameter_shape)
                    channel = Channel(name, template.capacity, template.fields)
                    self.scope.channels.append(channel)
                    self.scope.handles.append(channel)
            else:
                self.scope.variables.append(Variable(name, kind))
        for name in process.watched:
            start.append(declaration(f"byte {name}"))
            self.scope.variables.append(Variable(name, "byte"))
        start += self.padding()
        if rng.random() < 0.6:
            name = self.fresh("y")
            kind = rng.choice(TAME_TYPES)
            start.append(declaration(f"{kind} {name}"))
            self.scope.variables.append(Variable(name, kind))
        if "arrays" in features and rng.random() < 0.5:
            name = self.fresh("b")
            start.append(declaration(f"{rng.choice(('byte', 'bit', 'short'))} {name}[2]"))
            self.scope.arrays.append(Array(name, "byte", 2))
        if features & {"handles", "local_channels"}:
            start += [self.local_channel() for _ in range(rng.choice((1, 1, 2)))]
        if "exclusive" in features:
            start += self.exclusive(process)
        if self.leaves and rng.random() < 0.4:
            start.append(self.local_record())
        process.c_variables = [v.name for v in self.scope.variables]
        crowded = features & {"counted", "inlines", "types"} and len(self.proctypes) > 1
        self.budget = rng.choice((3, 4, 5) if crowded else (4, 6, 8, 10))
        body = self.statements(2, 5)
        if rng.random() < 0.6:
            body = [Node("do", "", [seq(body), *self.way_out()])]
        whole = self.place_labels(seq(start + body), process.labels)
        if "ends" in features:
            whole = self.place_labels(whole, self.special_labels())
        self.process = None
        self.scope = outer
        return Node("proc", "", [self.header(process), whole])

    def special_labels(self):
        return [self.rng.choice(("end", "end1", "progress", "accept_a"))]

    def padding(self):
        """A byte in each process of a model with priorities. In a process that has no local larger
        than a bit, SPIN's verifier takes the priority for padding and leaves it out of the state."""
        return [declaration("byte pad")] if "priority" in self.features else []

    def way_out(self):
        rng = self.rng
        return rng.choice(([], [seq([code("break")])], [seq([self.truth(1), code("break")])],
                           [seq([code("else"), code("break")])] if self.may_use_else else []))

    def exclusive(self, process):
        """Claims on channels that this process alone uses, which are then its own secret."""
        if process.active != 1:
            return []
        name = self.fresh("own")
        return [declaration(f"chan {name} = [1] of {{ byte }}"), code(f"xr {name}"),
                code(f"xs {name}"), code(f"{name}!1"), code(f"{name}?_")]

    def header(self, process):
        rng, features = self.rng, self.features
        parameters = "; ".join(f"{kind} {name}" for kind, name in process.parameters)
        active = ""
        if process.active:
            active = "active " if process.active == 1 else f"active [{process.active}] "
        word = "proctype"
        if "deterministic" in features and rng.random() < 0.7:
            word = "D_proctype"
        text = f"{active}{word} {process.name}({parameters})"
        kids = []
        if "priority" in features and rng.random() < 0.7 and process.active:
            text += f" priority {rng.choice((1, 2, 3))}"
        if "provided" in features and rng.random() < 0.6:
            text += f" provided ({H})"
            kids.append(self.truth(1))
        return code(text, *kids)

    def place_labels(self, tree, labels):
        """Puts each label on a random statement outside of d_step, or at the end."""
        for label in labels:
            places = []
            for path, node in walk(tree):
                parent = tree
                inside = False
                for index in path:
                    inside = inside or parent.kind == "d_step"
                    last, parent = parent, parent.kids[index]
                if path and not inside and last.kind == "seq" and self.may_carry(label, node, path):
                    places.append((path, node))
            if places and self.rng.random() < 0.9:
                path, node = self.rng.choice(places)
                tree = replace(tree, path, Node("label", label, [node]))
            else:
                tree = seq([*tree.kids, Node("label", label, [code("skip")])])
        return tree

    def may_carry(self, label, node, path):
        """SPIN refuses labels on declarations and on what begins an atomic or an escape."""
        if node.kind == "code" and (is_declaration(node) or node.text in ("else", f"goto {label}")
                                    or node.text.startswith(("xr ", "xs "))):
            return False
        return node.kind != "label" and (path[-1] > 0 or len(path) == 1 or self.rng.random() < 0.03)

    # The rest of the file

    def around_init(self, bodies):
        if not self.has_init:
            return bodies
        self.process = Proctype("init", [])
        self.budget = 4
        calls = []
        for process in self.proctypes:
            if not process.active or self.rng.random() < 0.2:
                arguments = [self.argument(kind) for kind, _ in process.parameters]
                call = code(f"run {process.name}({', '.join([H] * len(arguments))})", *arguments)
                if "priority" in self.features and self.rng.random() < 0.5:
                    call = code(f"{H} priority {self.rng.choice((1, 2, 3))}", call)
                calls.append(call)
        if self.rng.random() < 0.4:
            calls = [Node("atomic", "", [seq(calls)])] if calls else []
        rest = list(self.body(0, 2).kids) if self.rng.random() < 0.5 else []
        self.process = None
        init = Node("proc", "", [code("init"), seq(self.padding() + calls + rest)])
        return [init, *bodies] if self.init_first else [*bodies, init]

    def make_events(self):
        """trace or notrace over a global channel; sends and receives with constants or _.

        Never the first in the file: SPIN's verifier then takes the steps of process 0 for those of the
        trace (docs/spin-differences.md).
        """
        if "events" not in self.features:
            return []
        rng = self.rng
        channels = [c for c in self.scope.channels if not c.carried and not set("[.") & set(c.name)]
        if not channels:
            return []
        channel = rng.choice(channels)

        def event():
            fields = ["_" if kind == "mtype" or rng.random() < 0.6 else str(rng.randrange(2))
                      for kind in channel.fields]
            return code(f"{channel.name}{rng.choice('!?')}{', '.join(fields)}")

        if rng.random() < 0.5:
            events = [event() for _ in range(rng.choice((1, 2)))]
            return [Node("proc", "", [code("notrace"), seq(events)])]
        loop = Node("do", "", [seq([event() for _ in range(rng.choice((1, 2)))])
                               for _ in range(rng.choice((1, 2)))])
        return [Node("proc", "", [code("trace"), seq([loop])])]

    def make_claims(self):
        if "never" in self.features:
            return [self.never_claim()]
        if "claims" not in self.features:
            return []
        if self.rng.random() < 0.5:
            return [code("ltl always { [] (x0 < 9) }")]
        loop = Node("do", "", [seq([code("(x0 > 9)"), code("break")]), seq([code("else")])])
        return [Node("proc", "", [code("never"), seq([loop])])]
