"""Records that contain records, arrays and channels, several levels deep.

    typedef Stub { bit w; short z }
    typedef Slip { byte v; Stub u }
    typedef Leaf { byte p; bit q[2]; Slip s; chan line = [1] of { byte } }   (the channel: in models with channels)
    typedef Branch { Leaf l[2]; short n }
    typedef Root { Branch b[2]; Leaf one; bit f }
    Root root            (or an array of two)
    byte at              (used as `at % 2`: an index into every array of records)
    chan mail = [1] of { byte, Slip }

A statement uses a few places in these: fields as variables, channels, a Slip as a part of a message, and a Leaf as the
argument of an inline.
"""

from .names import Array, Channel, Variable
from .tree import code, declaration

INDICES = ("0", "1", "(at % 2)")
FEW = 3  # leaves that one model uses


class Records:
    """Mixin of the builder: needs rng, features, scope."""

    def deep_records(self):
        if "deep_records" not in self.features:
            return []
        rng = self.rng
        lines = [c for c in self.scope.channels if not c.carried]
        self.leaf_line = rng.choice(lines) if lines else None
        line = ""
        if self.leaf_line:
            line = f"; chan line = [{self.leaf_line.capacity}] of {{ {', '.join(self.leaf_line.fields)} }}"
        many = rng.random() < 0.3
        declared = [code("typedef Stub { bit w; short z }"), code("typedef Slip { byte v; Stub u }"),
                    code(f"typedef Leaf {{ byte p; bit q[2]; Slip s{line} }}"),
                    code("typedef Branch { Leaf l[2]; short n }"),
                    code("typedef Root { Branch b[2]; Leaf one; bit f }"),
                    code("Root root[2]" if many else "Root root"), code("byte at")]
        self.scope.variables.append(Variable("at", "byte"))
        roots = [f"root[{index}]" for index in INDICES] if many else ["root"]
        self.leaves = [self.leaf_of(rng.choice(roots)) for _ in range(FEW)]
        for leaf in self.leaves:
            self.use_leaf(leaf)
        self.scope.variables += [Variable(f"{roots[0]}.f", "bit"), Variable(f"{roots[-1]}.b[1].n", "short")]
        if self.features & {"buffered", "rendezvous"}:
            kinds = ((0, "rendezvous"), (1, "buffered"), (2, "buffered"))
            capacities = [capacity for capacity, kind in kinds if kind in self.features]
            self.mail = code(f"chan mail = [{rng.choice(capacities)}] of {{ byte, Slip }}")
            declared.append(self.mail)
        return declared

    def leaf_of(self, root):
        rng = self.rng
        if rng.random() < 0.25:
            return f"{root}.one"
        return f"{root}.b[{rng.choice(INDICES)}].l[{rng.choice(INDICES)}]"

    def use_leaf(self, leaf):
        """Some of its fields, as names of the present scope."""
        rng = self.rng
        fields = [("p", "byte"), ("s.v", "byte"), ("s.u.w", "bit"), ("s.u.z", "short")]
        self.scope.variables += [Variable(f"{leaf}.{name}", kind) for name, kind in rng.sample(fields, 2)]
        if rng.random() < 0.4:
            self.scope.arrays.append(Array(f"{leaf}.q", "bit", 2))
        if self.leaf_line and rng.random() < 0.6:
            self.scope.channels.append(Channel(f"{leaf}.line", self.leaf_line.capacity, self.leaf_line.fields))

    def local_record(self):
        """A Leaf of a process, with a channel of its own."""
        name = self.fresh("leaf")
        self.use_leaf(name)
        return declaration(f"Leaf {name}")

    def send_record(self):
        return code(f"mail!{self.rng.choice((0, 1))}, {self.rng.choice(self.leaves)}.s")

    def receive_record(self):
        return code(f"mail?{self.rng.choice(('_', '_', '1'))}, {self.rng.choice(self.leaves)}.s")
