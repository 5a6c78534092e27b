"""Coverage as `spoor check` reports it by default after a long search, measured on short ones.

Each model is searched with three filters (three hash functions): about half a bit, 2 and 8 bits per state. Then the coverage is
asked for as if the search had taken 30 seconds, and four minutes: all times of the product are divided by the same number
(lab/coverage/long_search.cpp). `count` is the default; `probes` is the default where a count of all states would need more memory
than the check may use. The models are those of `filters` with at least 150,000 states, so that the searches are not too short to be
measured. Errors and widths are in percentage points of coverage; the cost is in multiples of the time of the search.
"""

import json
import math
import statistics
import subprocess

from coverage import filters
from coverage.common import row

FEWEST = 150_000  # states
AS_IF = (30, 240)  # seconds
MEMORY = 8 << 30  # address space
BUILDS = "spoor_long_search"  # the target that lab/run builds for this part


def _measure(options, model, wanted):
    bits = 2 ** round(math.log2(wanted * model["states"]))
    reduce = model["options"][model["options"].index("--reduce") + 1]
    defines = [option for option in model["options"] if option.startswith("-D")]
    program = options.program.parent / BUILDS
    result = subprocess.run(["bash", "-c", f"ulimit -v {MEMORY >> 10}; exec nice -n 5 timeout 100 \"$@\"", "run", program, model["path"],
                             reduce, str(bits), ",".join(map(str, AS_IF)), *defines], capture_output=True, text=True, check=False)
    cases = []
    for line in result.stdout.splitlines():
        case = json.loads(line)
        if case["states"] > 1.001 * model["states"]:
            return []  # another number of states than SPIN's
        cases.append({"model": model["name"], "set": model["set"], "held_out": model["held_out"], "bits": bits,
                      "actual": min(1, case["states"] / model["states"]), **case})
    return cases


def _line(title, cases, as_if, counts):
    part = [case for case in cases if case["as_if_s"] == as_if and case["counts"] == counts]
    known = [case for case in part if case["estimate"] is not None]
    if not known:
        return row([title, f"{as_if} s", "count" if counts else "probes", str(len(part)), *["-"] * 7])
    errors = [100 * abs(case["estimate"] - case["actual"]) for case in known]
    intervals = [(case["low"] or 0, 1 if case["high"] is None else case["high"], case["actual"]) for case in known]
    held = sum(low - 1e-6 <= actual <= high + 1e-6 for low, high, actual in intervals)
    width = statistics.mean(100 * (high - low) for low, high, _ in intervals)
    counted = sum(case["method"] == "count" for case in known)
    cost = statistics.mean(case["cost_s"] / as_if for case in known)
    return row([title, f"{as_if} s", "count" if counts else "probes", f"{len(part)}, {len(part) - len(known)} without", str(counted),
                f"{statistics.median(errors):.1f}", f"{statistics.mean(errors):.1f}", f"{max(errors):.1f}",
                f"{100 * held / len(known):.0f} %", f"{width:.0f}", f"{cost:.1f}"])


def tables(cases):
    lines = ["# Coverage of long searches", "", __doc__.strip(), "",
             row(["models", "as if", "way", "cases", "counted", "median error", "mean", "worst", "90 % interval holds", "its mean width",
                  "mean cost"]), row(["---"] * 11)]
    for title, held_out in (("tuning", False), ("held out", True)):
        part = [case for case in cases if case["held_out"] == held_out]
        lines += [_line(title, part, as_if, counts) for as_if in AS_IF for counts in (True, False) if part]
    worst = sorted((case for case in cases if not case["held_out"] and case["estimate"] is not None),
                   key=lambda case: -abs(case["estimate"] - case["actual"]))[:12]
    lines += ["", "The farthest off (tuning):", "", row(["model", "bits", "as if", "way", "actual", "estimate", "low", "high"]),
              row(["---"] * 8)]
    for case in worst:
        lines.append(row([case["model"], f"2^{round(math.log2(case['bits']))}", f"{case['as_if_s']} s", "count" if case["counts"] else "probes",
                          *(f"{100 * share:.1f} %" for share in (case["actual"], case["estimate"], case["low"] or 0, case["high"] or 1))]))
    return "\n".join(lines) + "\n"


def run(options):
    chosen = [model for model in filters.chosen_models(options) if model["states"] >= FEWEST]
    if options.quick:
        chosen = sorted(chosen, key=lambda model: model["states"])[:2]
    cases = []
    for model in chosen:
        for wanted in filters.BITS_PER_STATE:
            cases += _measure(options, model, wanted)
        print(f"{model['name']}: {len(cases)} cases", flush=True)
        (options.output / "long.json").write_text(json.dumps({"cases": cases}, separators=(",", ":")) + "\n")
        (options.output / "long.md").write_text(tables(cases))
    print(tables(cases))
