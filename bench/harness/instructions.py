"""Instructions per transition, counted by valgrind: exact where the clock is noisy.

Start-up (reading the model, loading code, clearing tables) is counted on a model of one process
that does nothing, and subtracted.
"""

import pathlib
import re

from harness.checkers import expect
from harness.models import Sized
from harness.process import Bounds, run_bounded

TRIVIAL = "active proctype P() { skip }\n"
SIZE = "small"  # phils 7, some 40,000 transitions: a second under valgrind


def count(comparison, models, scratch, bounds):
    """Both sides of the configuration exact on phils 7."""
    trivial_path = pathlib.Path(scratch, "trivial.pml")
    trivial_path.write_text(TRIVIAL)
    trivial = Sized("trivial", trivial_path, "only", (), 0, 0)
    model = models["phils"][SIZE]
    bounds = Bounds(bounds.timeout_s, bounds.memory_mb + 2048)  # valgrind needs some itself
    found = {"model": model.name, "defines": list(model.defines), "transitions": model.transitions}
    for name, side in (("reference", comparison.reference), ("ours", comparison.ours)):
        totals = [count_one(side, which, scratch, bounds) for which in (model, trivial)]
        found[name] = {"instructions": totals[0], "start_up": totals[1],
                       "per_transition": totals[0] / model.transitions,
                       "per_transition_net": (totals[0] - totals[1]) / model.transitions}
    return found


def count_one(side, model, scratch, bounds):
    """The instructions of one run; whatever the preparation compiles is not counted."""
    side.prepare(model)
    out = pathlib.Path(scratch, "callgrind.out")
    valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
    if side.name == "SPIN":
        command, folder, env = side.pan, side.built[model.name, model.size], {}
    else:
        command = [side.program, *side.options, "--json", *model.defines, model.path]
        folder, env = scratch, {"XDG_CACHE_HOME": str(side.cache)}
    run = run_bounded([*valgrind, *command], bounds, folder, env)
    expect(run, f"valgrind on {side.name}", {0, 1})
    return int(re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.M)[1])
