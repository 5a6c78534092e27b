"""Hunts: how often they find an error, how soon, and how short its trace is, beside the published figures.

Each method hunts with many seeds: `auto` with 300,000 expansions, `walk` with a million (both make the trace shorter until then), `eda` as published,
200 generations. The deterministic rival hunts once, with a gigabyte and ten minutes of CPU time. One thread each, compiled code that is in the cache
before. Where the runs of one method on one model would take more than five minutes of CPU time, there are fewer of them, but at least ten; the
number of runs is in the table. Seconds are CPU seconds of the whole program, megabytes its largest resident set.

Corpus: the default on all models of ../shared/corpus of which the real SPIN knows a violation of safety, without their number of steps there being
comparable. The least is what a breadth-first search finds that gets the time.

A trace is replayed by the program before it is told. A hunt that ends otherwise than with or without an error ends the experiment.
"""

import concurrent.futures
import json
import os
import pathlib
import tempfile

from coverage.common import measured
from hunt import corpus
from hunt.cases import CASES
from hunt.tables import tables

PARTS = ("table", "corpus")
METHODS = {"auto": ("--expansions", "300000"), "walk": ("--expansions", "1000000"), "eda": ()}
RIVAL = ("--memory", "1G")
RIVAL_S = 600
METHOD_S = 300
LEAST_RUNS = 10


class Hunter:
    """Runs the program in a folder of its own."""

    def __init__(self, options, folder):
        self.program = pathlib.Path(options.program).resolve()
        self.folder = folder
        self.limits = ("--time", "10") if options.quick else ("--time", str(RIVAL_S))
        self.exec = ("--exec", "interp" if options.quick else "native")
        self.most = ("--expansions", "3000") if options.quick else ()

    def run(self, command, *arguments):
        """CPU seconds, and the report."""
        line = [self.program, command, "--json", *self.exec, *map(str, arguments)]
        return measured(line, self.folder, (0, 1, 3))

    def hunt(self, path, method, arguments, seed=1):
        seconds, report = self.run("hunt", "--method", method, "--seed", seed, *self.limits, *arguments, *self.most, path)
        found = report["hunt"]
        case = {"seed": seed, "cpu_s": round(seconds, 3), "peak_mb": round(report["memory_bytes"] / 1e6, 1), "expansions": found["expansions"], "limit": report["limit"]}
        for name in ("first", "best"):
            trace = found[name]
            case[name] = trace and [trace["steps"], trace["expansions"], trace.get("generation")]
        case["is_shortest"] = any(violation.get("is_shortest") for violation in report.get("violations", []))
        return case


def seeds(hunter, path, method, arguments, wanted, workers):
    """Runs with seeds 1, 2, ..., as many as the time allows."""
    runs, spent = [], 0.0
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for first in range(1, wanted + 1, workers):
            batch = range(first, min(first + workers, wanted + 1))
            runs += pool.map(lambda seed: hunter.hunt(path, method, arguments, seed), batch)
            spent = sum(run["cpu_s"] for run in runs)
            if spent >= METHOD_S and len(runs) >= LEAST_RUNS:
                break
    return runs


def measure(case, hunter, options):
    wanted, workers = (2, 1) if options.quick else (options.seeds, os.cpu_count())
    found = {"case": case.name, "methods": {}}
    hunter.hunt(case.path, "auto", (*case.arguments, "--expansions", "10"))  # compiles the model
    for method, limits in METHODS.items():
        if case.is_long and method != "auto":
            continue
        found["methods"][method] = seeds(hunter, case.path, method, (*case.arguments, *limits), wanted, workers)
    if not case.is_long:
        found["methods"][case.rival] = [hunter.hunt(case.path, case.rival, (*case.arguments, *RIVAL))]
    return found


def run(options):
    path = options.output / "hunt.json"
    parts = options.tables.split(",") if options.tables else PARTS
    names = options.models.split(",") if options.models else None
    old = json.loads(path.read_text()) if path.exists() else {}
    results = {part: old.get(part, []) for part in PARTS}

    def keep(part, found):
        results[part] = sorted([*(case for case in results[part] if case["case"] != found["case"]), found], key=lambda case: case["case"])
        lines = {name: ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) for name, cases in results.items()}
        path.write_text("{" + ",\n".join(f'"{name}": [\n{lines[name]}\n]' for name in PARTS) + "}\n")
        (options.output / "hunt.md").write_text(tables(results, __doc__))
        print(f"{part}: {found['case']}", flush=True)

    with tempfile.TemporaryDirectory(prefix="spoor-lab-") as folder:
        hunter = Hunter(options, folder)
        if "table" in parts:
            for case in CASES:
                if names is None or case.name in names:
                    keep("table", measure(case, hunter, options))
        if "corpus" in parts:
            for row in corpus.rows(names):
                keep("corpus", corpus.measure(row, hunter, options))
    if path.exists():
        print((options.output / "hunt.md").read_text())
