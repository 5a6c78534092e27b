"""Coverage as `spoor check` reports it when its memory is used up: by probes within the time of the search (quick), and by as large ones as needed (full).

Each model is checked with 12 amounts of memory, from 256 KiB up by factors of 1.6, as far as not all of its states fit; breadth-first,
exact store, one thread. The cost is processor time of the whole program, relative to the same check with --coverage off.
"""

import os
import statistics

from coverage.common import MODELS, call, experiment, row

EFFORTS = ("quick", "full")
MEMORIES = [round(2 ** 18 * 1.6 ** step) for step in range(12)]
BANDS = (0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1)


def _check(options, model, memory, effort):
    """The report, and the processor time."""
    before = os.times()
    report = call(options, "check", "--json", "--exec", "native", "--store", "exact", "--threads", "1", "--memory", memory,
                  "--coverage", effort, *model["options"], MODELS / model["file"])
    after = os.times()
    return report, after.children_user + after.children_system - before.children_user - before.children_system


def measure(options, model):
    cases = []
    _check(options, model, MEMORIES[0], "off")  # the first check compiles the model
    for memory in MEMORIES:
        report, plain_s = _check(options, model, memory, "off")
        if report["limit"] is None:
            break
        case = {"model": model["name"], "held_out": model["held_out"], "memory": memory, "actual": report["states"] / model["states"],
                "plain_s": plain_s, "estimates": {}, "cost_s": {}}
        for effort in EFFORTS:
            report, seconds = _check(options, model, memory, effort)
            coverage = report["coverage"]
            case["estimates"][effort] = [coverage["estimate"], coverage["low"], coverage["high"], coverage["method"]]
            case["cost_s"][effort] = seconds - plain_s
        cases.append(case)
    return cases


def _line(title, cases, effort):
    known = [case for case in cases if case["estimates"][effort][0] is not None]
    if not known:
        return row([title, effort, str(len(cases)), *["-"] * 5])
    errors = [100 * abs(case["estimates"][effort][0] - case["actual"]) for case in known]
    held = [case for case in known if case["estimates"][effort][1] <= case["actual"] <= case["estimates"][effort][2]]
    width = statistics.mean(100 * (case["estimates"][effort][2] - case["estimates"][effort][1]) for case in known)
    plain = sum(case["plain_s"] for case in cases)
    cost = sum(case["cost_s"][effort] for case in cases)
    return row([title, effort, f"{len(cases)}, {len(cases) - len(known)} without", f"{statistics.mean(errors):.1f}", f"{max(errors):.1f}",
                f"{100 * len(held) / len(known):.0f} %", f"{width:.0f}", f"{100 * cost / plain:.0f} %"])


def tables(cases):
    lines = ["# Coverage of checks that run out of memory", "", __doc__.strip(), "",
             row(["models", "--coverage", "cases", "mean error", "worst", "90 % interval holds", "its mean width", "cost"]), row(["---"] * 8)]
    for title, part in (("tuning", [case for case in cases if not case["held_out"]]), ("held out", [case for case in cases if case["held_out"]])):
        for effort in EFFORTS:
            if part:
                lines.append(_line(title, part, effort))
    lines += ["", "All models, by actual coverage:", "",
              row(["coverage", "--coverage", "cases", "mean error", "worst", "90 % interval holds", "its mean width", "cost"]), row(["---"] * 8)]
    for low, high in zip(BANDS, BANDS[1:]):
        part = [case for case in cases if low <= case["actual"] < high]
        for effort in EFFORTS:
            if part:
                lines.append(_line(f"{100 * low:.0f} - {100 * high:.0f} %", part, effort))
    return "\n".join(lines) + "\n"


def run(options):
    experiment(options, "checks", lambda model: measure(options, model), tables)
