"""What is compared with what. Each configuration is one function; its document string is its title."""

import dataclasses

from harness import liveness as corpus_rows
from harness.checkers import Spin, Spoor, offers

PLAIN = ("-o1", "-o2", "-o3")  # no rewriting of the model by spin: the states are then ours
EXACT = ("-DSAFETY", "-DNOREDUCE", "-DNOCLAIM")
PAN = ("-c0", "-E", "-m2000000", "-w24")
ALL = ("--all-errors", "--no-end-states")


@dataclasses.dataclass
class Comparison:
    """Two checkers, the figure that matters, and whether their counts must be equal."""

    reference: object
    ours: object
    figure: str = "cpu_s"
    same_counts: bool = True
    size: str = None  # when not the one that was asked for
    rows: object = None  # quick -> models, instead of those of bench/models


class Absent(Exception):
    """The program does not have what the configuration compares."""


class Workshop:
    """Makes the checkers of one benchmark run."""

    def __init__(self, program, options, scratch, bounds):
        self.program, self.options, self.scratch, self.bounds = program, options, scratch, bounds

    def spin(self, **how):
        return Spin(self.scratch, self.bounds, **how)

    def spoor(self, *options, name="spoor", cold=False, store="exact", threads="1"):
        """One thread and the exact store are asked for by name as soon as there are others."""
        chosen = list(options)
        for option, value in (("--store", store), ("--threads", threads)):
            if offers(self.options, option, value):
                chosen += [option, value]
        return Spoor(self.program, self.scratch, self.bounds, options=chosen, cold=cold, name=name)

    def need(self, option, value=None):
        if not offers(self.options, option, value):
            raise Absent(f"spoor has no {option} {value or ''}".rstrip())


def exact(shop):
    """Every state stored, no reduction: the same work for both."""
    return Comparison(shop.spin(spin=PLAIN, gcc=EXACT, pan=PAN),
                      shop.spoor("--exec", "native", "--reduce", "none", *ALL))


def depth(shop):
    """The same depth-first, as SPIN searches."""
    return Comparison(shop.spin(spin=PLAIN, gcc=EXACT, pan=PAN),
                      shop.spoor("--exec", "native", "--reduce", "none", "--search", "dfs", *ALL))


def small(shop):
    """Time to the verdict on a small model from nothing, all included (wall time)."""
    return Comparison(shop.spin(spin=PLAIN, gcc=EXACT, pan=("-c0", "-E"), cold=True),
                      shop.spoor("--reduce", "none", *ALL, cold=True), figure="wall_s", size="small")


def reduced(shop):
    """What each does by default to have fewer states: the counts may differ."""
    return Comparison(shop.spin(gcc=("-DSAFETY", "-DNOCLAIM"), pan=PAN),
                      shop.spoor("--exec", "native", "--reduce", "default", *ALL), same_counts=False)


def tree(shop):
    """Compressed without loss: SPIN's COLLAPSE against a tree table."""
    shop.need("--store", "tree")
    return Comparison(shop.spin(spin=PLAIN, gcc=(*EXACT, "-DCOLLAPSE"), pan=PAN),
                      shop.spoor("--exec", "native", "--reduce", "none", *ALL, store="tree"))


def bitstate(shop):
    """A few bits per state, some of them lost: the counts may differ."""
    return with_filter(shop, "classic")


def blocked(shop):
    """The same with the bits of a state in one cache line."""
    return with_filter(shop, "blocked")


def with_filter(shop, kind):
    shop.need("--store", "bitstate")
    return Comparison(
        shop.spin(spin=PLAIN, gcc=(*EXACT, "-DBITSTATE"), pan=("-c0", "-E", "-m2000000", "-w30", "-k3")),
        shop.spoor("--exec", "native", "--reduce", "none", *ALL, "--bits", "2^30", "--hashes", "3",
                   "--filter", kind, "--coverage", "off", store="bitstate"), same_counts=False)


def threads(shop):
    """Ours with two threads against ours with one (wall time)."""
    shop.need("--threads")
    native = ("--exec", "native", "--reduce", "none", *ALL)
    return Comparison(shop.spoor(*native, name="1 thread"),
                      shop.spoor(*native, name="2 threads", threads="2"), figure="wall_s")


def liveness(shop):
    """Formulas, never claims and progress labels of the shared corpus, each with its own reductions."""
    if not corpus_rows.rows(quick=True):
        raise Absent("the shared corpus is not there")
    return Comparison(shop.spin(pan=("-m2000000",)), shop.spoor("--exec", "native"), same_counts=False,
                      rows=corpus_rows.rows)


CONFIGURATIONS = {entry.__name__: entry for entry in (exact, depth, small, reduced, tree, bitstate, blocked,
                                                      threads, liveness)}
