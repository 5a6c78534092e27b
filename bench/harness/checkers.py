"""The two checkers as the benchmark sees them: prepare a model, then run it as often as needed.

SPIN writes a verifier in C that gcc compiles; ours compiles native code, which it keeps in a cache.
Neither is part of a measurement, unless the checker is `cold`: then a run begins with nothing.
"""

import copy
import dataclasses
import json
import pathlib
import re
import sys
import tempfile

from harness.process import run_bounded

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tests"))
from lib.spin_oracle import read_verifier  # noqa: E402


class Failure(Exception):
    """A checker gave no answer: an error of its own, or a limit was reached."""


@dataclasses.dataclass
class Measurement:
    """One answer and what it cost. The own figures are what a checker says of itself, if it does."""

    verdict: str
    states: int
    transitions: int
    cpu_s: float
    wall_s: float
    peak_bytes: int
    own_cpu_s: float = None
    own_store_bytes: int = None


class Spin:
    """spin, gcc and the verifier they make."""

    name = "SPIN"

    def __init__(self, scratch, bounds, *, spin=(), gcc=(), pan=(), cold=False):
        self.scratch, self.bounds, self.cold = scratch, bounds, cold
        self.spin = ["spin", *spin]
        self.gcc = ["gcc", "-O2", "-w", *gcc, f"-DMEMLIM={bounds.memory_mb}"]
        self.pan = ["./pan", *pan]
        self.built = {}  # (model, size) -> folder of its verifier

    def describe(self):
        return [" ".join([*self.spin, "-a", "MODEL"]), " ".join([*self.gcc, "-o", "pan", "pan.c"]),
                " ".join(self.pan)]

    def build(self, model):
        """Makes the verifier in a new folder; returns the folder and the two runs."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.scratch, prefix="spin-"))
        (folder / model.path.name).write_bytes(model.path.read_bytes())
        for included in model.path.parent.glob("*.h"):
            (folder / included.name).write_bytes(included.read_bytes())
        runs = []
        for command in ([*self.spin, *model.defines, "-a", model.path.name],
                        [*self.gcc, *model.gcc, "-o", "pan", "pan.c"]):
            runs.append(run_bounded(command, self.bounds, folder))
            expect(runs[-1], command[0], {0})
        return folder, runs

    def prepare(self, model):
        if not self.cold:
            self.built[model.name, model.size] = self.build(model)[0]

    def run(self, model):
        if self.cold:
            folder, runs = self.build(model)
        else:
            folder, runs = self.built[model.name, model.size], []
        runs.append(run_bounded([*self.pan, *model.pan], self.bounds, folder))
        expect(runs[-1], "the verifier of SPIN", {0})
        answer = read_verifier(runs[-1].code, runs[-1].out + runs[-1].err)
        if not answer.complete:
            why = "; ".join(answer.messages) or answer.text.strip()[:200]
            raise Failure(f"the verifier of SPIN ended {answer.outcome}: {why}")
        store = re.search(r"^\s*([0-9.]+)\s+actual memory usage for states", runs[-1].out, re.M)
        return Measurement(
            "violated" if answer.kinds else "holds", answer.states, answer.transitions,
            sum(run.cpu_s for run in runs), sum(run.wall_s for run in runs),
            max(run.peak_bytes for run in runs),
            own_store_bytes=int(float(store[1]) * 2**20) if store else None)


class Spoor:
    """Our own program; a warm one finds its native code in a cache."""

    def __init__(self, program, scratch, bounds, *, options=(), cold=False, name="spoor"):
        self.program, self.scratch, self.bounds, self.cold = program, scratch, bounds, cold
        self.name = name
        self.options = ["check", *options, "--no-unreached", "--memory", f"{bounds.memory_mb}M"]
        self.cache = scratch / "cache"

    def by(self, program, name):
        """Another program, called in the same way."""
        other = copy.copy(self)
        other.program, other.name, other.cache = program, name, self.scratch / f"cache-{name}"
        return other

    def describe(self):
        return [" ".join(["spoor", *self.options, "--json", "MODEL"])]

    def call(self, model, *options, cache=None):
        command = [self.program, *self.options, *options, *model.ours, *model.defines, model.path]
        return run_bounded(command, self.bounds, self.scratch,
                           {"XDG_CACHE_HOME": str(cache or self.cache)})

    def prepare(self, model):
        """Two states are enough to have the code compiled and kept."""
        if not self.cold:
            expect(self.call(model, "--depth", "1", "--quiet"), "spoor", {0, 1, 3})

    def run(self, model):
        cache = pathlib.Path(tempfile.mkdtemp(dir=self.scratch)) if self.cold else None
        run = self.call(model, "--json", cache=cache)
        expect(run, "spoor", {0, 1, 3})
        report = json.loads(run.out)
        is_complete = report["limit"] in (None, "coverage")  # a filter has an end, however much it may have missed
        if not is_complete:
            raise Failure(f"spoor reached a limit: {report['limit']}")
        verdict = "violated" if report["verdict"] == "violated" else "holds"
        return Measurement(verdict, report["states"], report["transitions"], run.cpu_s, run.wall_s,
                           run.peak_bytes, own_cpu_s=report["cpu_s"],
                           own_store_bytes=report["search_memory_bytes"])


def expect(run, what, codes):
    if run.code is None:
        raise Failure(f"{what} did not end within the time limit")
    if run.code not in codes:
        said = (run.err or run.out).strip()[-500:]
        raise Failure(f"{what} ended with code {run.code}: {said}")


def offered(help_text):
    """The options that `spoor check --help` lists: name -> its values (empty when any will do)."""
    options = {}
    for name, values in re.findall(r"^\s+(?:-\w, ?)?(--[a-z-]+)(?: (\S+))?", help_text, re.M):
        options[name] = values.split("|") if "|" in values else []
    return options


def offers(options, name, value=None):
    return name in options and (value is None or not options[name] or value in options[name])
