"""The models of the benchmark, and the sizes at which they are run.

A model says its sizes in its first comment, one line each: the macros that make it, and the numbers
of states and transitions without any reduction.

    full:  states=1790668 transitions=12774512
    quick: -DN=8 states=32860 transitions=168698
    small: -DN=7 states=8668 transitions=38720
"""

import dataclasses
import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "models"
SIZE = re.compile(r"^\s*(full|quick|small):((?: +-D\w+=\w+)*) +states=(\d+) +transitions=(\d+)", re.M)
SMALL = 10_000  # a small model has fewer states


@dataclasses.dataclass(frozen=True)
class Sized:
    """A model at one of its sizes."""

    name: str
    path: pathlib.Path
    size: str
    defines: tuple
    states: int
    transitions: int
    gcc: tuple = ()   # what each of these needs for this one
    pan: tuple = ()
    ours: tuple = ()


def read_sizes(path):
    sizes = {}
    for size, defines, states, transitions in SIZE.findall(path.read_text(encoding="utf-8")):
        sizes[size] = Sized(path.stem, path, size, tuple(defines.split()), int(states), int(transitions))
    if set(sizes) != {"full", "quick", "small"}:
        raise ValueError(f"{path.name}: its comment must give the sizes full, quick and small")
    if sizes["small"].states >= SMALL:
        raise ValueError(f"{path.name}: its size small has {SMALL} states or more")
    return sizes


def all_models():
    """Name -> size -> model."""
    return {path.stem: read_sizes(path) for path in sorted(FOLDER.glob("*.pml"))}
