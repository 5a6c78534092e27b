"""Hunts in models of other people: all of ../shared/corpus of which the real SPIN knows a violation of safety. Nobody has tuned on them."""

import csv
import pathlib

CORPUS = pathlib.Path(__file__).resolve().parents[3] / "shared" / "corpus"
KINDS = ("deadlock", "assertion")
SEEDS = 6
LEAST_S = 120


def rows(names):
    """Nothing where the corpus is absent."""
    table = CORPUS / "oracle.tsv"
    if not table.exists():
        print("lab: ../shared/corpus is absent: its models are left out", flush=True)
        return
    with table.open(newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            if row["mode"] == "safety" and any(kind in row["verdict"] for kind in KINDS) and (names is None or row["id"] in names):
                yield row


def measure(row, hunter, options):
    path = CORPUS / row["path"]
    exec_auto = () if options.quick else ("--exec", "auto")  # some cannot be compiled
    arguments = (*row["defines"].split(), "--property", "safety", "--allow-c", *exec_auto)
    wanted = 1 if options.quick else SEEDS
    runs = [hunter.hunt(path, "auto", (*arguments, "--expansions", "300000"), seed) for seed in range(1, wanted + 1)]
    _, report = hunter.run("check", "--reduce", "dead", "--search", "bfs", "--coverage", "off", "--threads", "1", "--time", LEAST_S,
                              "--memory", "4G", *arguments, path)
    traces = [violation["trace"]["steps"] for violation in report.get("violations", []) if violation["is_shortest"]]
    least = [trace[-1]["step"] if trace else 0 for trace in traces]
    return {"case": row["id"], "defines": row["defines"], "runs": runs, "least": min(least, default=None), "least_states": report["states"]}
