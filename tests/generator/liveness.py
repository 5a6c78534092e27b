"""Random models for properties of infinite runs, with a random formula over each.

    case = generate_case(seed)
    case.formula          # "[] (q0 -> <> q1)", for `spin -f` and for a block `ltl p { ... }`
    case.atoms            # {"q0": "(x0 == 1)", ...}
    str(case.with_ltl())  # the model with the formula as `ltl p`
    str(case.with_claim(text))  # the model with a never claim
    str(case.tree)        # the model alone, its accept and progress labels included

The model defines the atoms as macros, so that a formula means the same to `spin -f`, to an ltl block and to
--ltl. Formulas are free of X, which SPIN refuses. They ask for global variables, for the lengths of channels, and, where no
process is created (SPIN then looks at whoever has the number), for the places of processes.

Accept labels of processes count in SPIN under a formula too, but not in Spoor: `with_ltl` leaves them out.
"""

import dataclasses
import random

from .builder import Builder
from .tree import HOLE as H
from .tree import Node, code, walk

# Without what ends a run by an error (asserts), what says nothing about runs (hidden, prints, claims), and what
# looks at the process that moved last, or at the number of processes (a death is a step of its own).
LIVELY = {"rendezvous": 4, "buffered": 4, "atomic": 4, "else": 3, "gotos": 3, "d_step": 2, "unless": 2,
          "timeout": 1, "run": 1, "skips": 2, "arrays": 1, "mtypes": 1, "polls": 1, "provided": 1, "inlines": 1,
          "scopes": 1, "remote": 1, "counted": 1}
UNARY = ("[]", "<>", "!", "[]", "<>")
BINARY = ("U", "V", "W", "&&", "||", "->", "U", "&&", "<->")


@dataclasses.dataclass(frozen=True)
class Case:
    seed: int
    features: frozenset
    tree: Node      # with the macros of the atoms, without a formula
    formula: Node

    @property
    def atoms(self):
        found = {}
        for node in self.tree.kids:
            if node.kind == "code" and node.text.startswith("#define q"):
                found[node.text.split()[1]] = str(node).split(" ", 2)[2]
        return found

    def with_ltl(self):
        return with_part(without_labels(self.tree, "accept"), code(f"ltl p {{ {H} }}", self.formula))

    def with_claim(self, text):
        return with_part(self.tree, code(text.strip().replace(H, "")))

    def having(self, tree):
        """The case that a tree made by `with_ltl`, or a smaller one, stands for."""
        formulas = [node for node in tree.kids if node.kind == "code" and node.text.startswith("ltl p")]
        rest = Node("model", "", [node for node in tree.kids if node not in formulas])
        return dataclasses.replace(self, tree=rest, formula=formulas[0].kids[0] if formulas else code("1"))


def with_part(tree, part):
    return tree.with_kids([*tree.kids, part])


def without_labels(tree, prefix):
    if tree.kind == "label" and tree.text.startswith(prefix):
        return without_labels(tree.kids[0], prefix)
    return tree.with_kids([without_labels(kid, prefix) for kid in tree.kids])


def labels_of(tree):
    return {node.text for _, node in walk(tree) if node.kind == "label"}


def generate_case(seed, features=None):
    return LivelyBuilder(seed, features).case()


def pick_lively(rng):
    picked = set()
    while len(picked) < rng.choice((2, 3, 3, 4)):
        picked.add(rng.choices(list(LIVELY), list(LIVELY.values()))[0])
    if "polls" in picked:
        picked.add("buffered")
    return picked


class LivelyBuilder(Builder):
    """Models that tend to go on, with a label here and there."""

    def __init__(self, seed, features):
        super().__init__(seed, False, features or pick_lively(random.Random(f"lively {seed}")))
        self.features |= {"ends"}

    def special_labels(self):
        rng = self.rng
        return [label for label in ("accept_a", "progress_a", "end_a") if rng.random() < 0.4]

    def way_out(self):
        return super().way_out() if self.rng.random() < 0.4 else []

    def case(self):
        tree = self.model().tree
        count = self.rng.choice((1, 2, 2, 3))
        atoms = [code(f"#define q{i} {H}", self.question(labels_of(tree))) for i in range(count)]
        # After the processes: SPIN wants the text of a proctype before a remote reference to it.
        tree = tree.with_kids([*tree.kids, *atoms])
        formula = self.temporal([f"q{i}" for i in range(count)], self.rng.choice((1, 2, 2, 3)))
        return Case(self.seed, frozenset(self.features), tree, formula)

    def question(self, labels):
        """A condition on a state; from outside of all processes."""
        rng = self.rng
        kinds = [lambda: code(f"({H} == {rng.choice((0, 1, 1, 2))})", self.global_atom()),
                 lambda: code(f"({H} {rng.choice(('<', '!=', '>'))} {rng.choice((0, 1, 2))})", self.global_atom())]
        places = [] if "run" in self.features else [
            f"({p.name}[{p.first_pid + k}]@{label})" for p in self.proctypes if p.active
            for k in range(p.active) for label in p.labels if label in labels]
        if places:
            kinds.append(lambda: code(rng.choice(places)))
        buffers = [c.name for c in self.scope.channels if c.capacity > 0]
        if buffers:
            kinds.append(lambda: code(f"(len({rng.choice(buffers)}) {rng.choice(('==', '>'))} {rng.choice((0, 1))})"))
        return rng.choice(kinds)()

    def global_atom(self):
        return code(self.rng.choice([v.name for v in self.scope.variables if v.type != "mtype"] or ["x0"]))

    def temporal(self, atoms, depth):
        rng = self.rng
        if depth == 0:
            return code(rng.choice(atoms)) if rng.random() < 0.8 else code(f"!{H}", code(rng.choice(atoms)))
        if rng.random() < 0.5:
            return code(f"({rng.choice(UNARY)} {H})", self.temporal(atoms, depth - 1))
        operator = rng.choice(BINARY)
        return code(f"({H} {operator} {H})", self.temporal(atoms, depth - 1), self.temporal(atoms, depth - 1))
