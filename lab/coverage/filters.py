"""Coverage as `spoor check` reports it where the filter is too small: by default, with --coverage full, and by probes alone.

Each model is checked with three filters (--store bitstate, three hash functions): about half a bit, 2 and 8 bits per state.
`probes` is what `spoor estimate --bits` makes of the same search, without a count of all states: what a check reports of a model
whose states cannot be counted. The models are all those of models.json and, where there is a folder ../shared/corpus beside the
repository, those of the corpus with a known number of states; a third of these is held out, chosen by a hash of the file name.
Errors and widths are in percentage points of coverage.
"""

import csv
import hashlib
import json
import math
import statistics
import subprocess
import time

from coverage.common import HERE, MODELS, all_models, row

CORPUS = HERE.parent.parent.parent / "shared" / "corpus"
FEWEST, MOST = 10_000, 1_500_000  # states of a model of the corpus
BITS_PER_STATE = (0.5, 2, 8)
WAYS = ("default", "full", "probes")
MEMORY = 6 << 30  # address space


def _ours(options):
    for model in all_models():
        if not options.models or model["name"] in options.models.split(","):
            yield {"name": model["name"], "path": MODELS / model["file"], "options": model["options"], "states": model["states"],
                   "set": "ours", "held_out": model["held_out"]}


def _of_corpus(options):
    """Searches that SPIN has completed. The verdict does not matter: all errors are looked for."""
    if not (CORPUS / "oracle.tsv").exists():
        return
    with open(CORPUS / "oracle.tsv", newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["mode"] == "safety" and row["complete"] == "y"]
    for entry in rows:
        is_known = FEWEST <= int(entry["states"]) <= MOST and "COUNTS-UNRELIABLE" not in entry["note"] and not entry["spin_flags"]
        name = entry["path"].split("/", 1)[1]
        if not is_known or (options.models and name not in options.models.split(",")):
            continue
        digest = hashlib.sha256(name.rsplit("/", 1)[-1].encode()).digest()
        yield {"name": name + "".join(" " + define for define in entry["defines"].split()), "path": CORPUS / entry["path"],
               "options": ["--reduce", "none", *entry["defines"].split()], "states": int(entry["states"]), "set": "corpus",
               "held_out": digest[0] % 3 == 0}


def _call(options, *arguments):
    """The program's JSON and its time; nothing where it fails or takes too long."""
    begin = time.monotonic()
    result = subprocess.run(["bash", "-c", f"ulimit -v {MEMORY >> 10}; exec nice -n 10 timeout 60 \"$@\"", "run", options.program,
                             *map(str, arguments)], capture_output=True, text=True, check=False)
    seconds = time.monotonic() - begin
    try:
        return json.loads(result.stdout), seconds
    except json.JSONDecodeError:
        return None, seconds


def _check(options, model, bits, *more):
    return _call(options, "check", "--json", "--property", "safety", "--exec", "native", "--all-errors", "--store", "bitstate",
                 "--bits", bits, *model["options"], *more, model["path"])


def measure(options, model):
    cases = []
    for wanted in BITS_PER_STATE:
        bits = f"2^{round(math.log2(wanted * model['states']))}"
        plain, plain_s = _check(options, model, bits, "--coverage", "off")
        if plain is None or not 0 < plain.get("states", 0) <= 1.001 * model["states"]:
            print(f"{model['name']}: cannot be used", flush=True)
            return []
        case = {"model": model["name"], "set": model["set"], "held_out": model["held_out"], "bits": bits,
                "actual": plain["states"] / model["states"], "search_s": plain["elapsed_s"], "estimates": {}, "cost_s": {}}
        for way in WAYS:
            if way == "probes":
                report, seconds = _call(options, "estimate", "--json", "--exec", "native", "--time", "40", "--bits", bits, "--hashes",
                                        "3", *model["options"], model["path"])
                seconds -= 2 * plain_s
            else:
                report, seconds = _check(options, model, bits, "--coverage", "quick" if way == "default" else way)
                seconds -= plain_s
            coverage = (report or {}).get("coverage") or {"estimate": None, "low": None, "high": None, "method": None}
            case["estimates"][way] = [coverage["estimate"], coverage["low"], coverage["high"], coverage["method"]]
            case["cost_s"][way] = seconds
        cases.append(case)
    return cases


def _line(title, cases, way):
    """A case without an interval has that from 0 to 1."""
    known = [case for case in cases if case["estimates"][way][0] is not None]
    if not known:
        return row([title, way, str(len(cases)), *["-"] * 6])
    errors = [100 * abs(case["estimates"][way][0] - case["actual"]) for case in known]
    intervals = [(case["estimates"][way][1] or 0, 1 if case["estimates"][way][2] is None else case["estimates"][way][2], case["actual"])
                 for case in known]
    held = sum(low - 1e-6 <= actual <= high + 1e-6 for low, high, actual in intervals)
    width = statistics.mean(100 * (high - low) for low, high, _ in intervals)
    cost = statistics.mean(case["cost_s"][way] for case in cases)
    return row([title, way, f"{len(cases)}, {len(cases) - len(known)} without", f"{statistics.median(errors):.1f}",
                f"{statistics.mean(errors):.1f}", f"{max(errors):.1f}", f"{100 * held / len(known):.0f} %", f"{width:.0f}", f"{cost:.1f} s"])


def tables(cases):
    head = [row(["models", "coverage", "cases", "median error", "mean", "worst", "90 % interval holds", "its mean width", "mean cost"]),
            row(["---"] * 9)]
    lines = ["# Coverage of checks with small filters", "", __doc__.strip(), "", *head]
    for title, kind, held_out in (("ours, tuning", "ours", False), ("ours, held out", "ours", True),
                                  ("corpus, tuning", "corpus", False), ("corpus, held out", "corpus", True)):
        part = [case for case in cases if case["set"] == kind and case["held_out"] == held_out]
        lines += [_line(title, part, way) for way in WAYS if part]
    worst = sorted((case for case in cases if not case["held_out"] and case["estimates"]["probes"][0] is not None),
                   key=lambda case: -abs(case["estimates"]["probes"][0] - case["actual"]))[:12]
    lines += ["", "Where probes alone are farthest off (tuning):", "", row(["model", "bits", "actual", "estimate", "low", "high"]),
              row(["---"] * 6)]
    for case in worst:
        lines.append(row([case["model"], case["bits"], *(f"{100 * share:.1f} %" for share in
                                                         (case["actual"], *(end or 0 for end in case["estimates"]["probes"][:3])))]))
    return "\n".join(lines) + "\n"


def chosen_models(options):
    return [*_ours(options), *_of_corpus(options)]


def run(options):
    chosen = chosen_models(options)
    if options.quick:
        chosen = sorted(chosen, key=lambda model: model["states"])[:2]
    cases = []
    for model in chosen:
        cases += measure(options, model)
        print(f"{model['name']}: {len(cases)} cases", flush=True)
        (options.output / "filters.json").write_text(json.dumps({"cases": cases}, separators=(",", ":")) + "\n")
        (options.output / "filters.md").write_text(tables(cases))
    print(tables(cases))
