"""Coverage of searches that run out of memory: table 5.1 of Taleghani's thesis (Waterloo 2010), and ours beside it.

A model is searched with so much memory that about 3, 10, 25, 50, 75 and 95 % of its states fit. The memory is found by trying, and
is real: the store grows by leaps, so some shares cannot be had, and what is compared is the estimated share with the actual one,
in percentage points. Ours is the number of states that `spoor estimate` says within the same memory (method `probes`, or what it
takes where there are none).
"""

import json
import statistics
import tempfile

from coverage.common import MODELS, call, experiment, row

LIMITS = (3, 10, 25, 50, 75, 95)
TRIALS = 8
SMALLEST_MEMORY, LARGEST_MEMORY = 2 ** 17, 2 ** 27
METHODS = ("monte_carlo", "level_curve", "overlap", "ours")
# Of the thesis: best, worst, average, sigma, as the averages over its nine programs.
PUBLISHED = {3: (3, 8, 5, 3), 10: (2, 9, 5, 3), 25: (3, 12, 6, 5), 50: (5, 15, 9, 5), 75: (5, 20, 10, 6), 95: (4, 15, 8, 4)}


def _survey(options, model, memory, seed):
    return call(options, "estimate", "--json", "--exec", "native", "--time", "100", "--memory", memory, "--seed", seed,
                *model["options"], MODELS / model["file"])


def _share(model, report):
    """Which share of the states the limited search has seen; all, where no limit was in its way."""
    return report["limited"]["states"] / model["states"] if report["limited"] else 1.0


class Memories:
    """How much memory a share of the states takes, found by trying."""

    def __init__(self, options, model):
        self._try = lambda memory: _share(model, _survey(options, model, memory, 1))
        self._shares = {}

    def for_share(self, wanted):
        """The memory with which the share is nearest, short of all; by halving, in the logarithm."""
        low, high = SMALLEST_MEMORY, LARGEST_MEMORY
        for _ in range(TRIALS):
            middle = round((low * high) ** 0.5)
            if middle not in self._shares:
                self._shares[middle] = self._try(middle)
            low, high = (middle, high) if self._shares[middle] < wanted else (low, middle)
        partial = {memory: share for memory, share in self._shares.items() if share < 1}
        return min(partial, key=lambda memory: abs(partial[memory] - wanted)) if partial else None


def estimates_of(options, report):
    """Estimated share, low, high by method; what is not there has none."""
    seen = report["limited"]["states"]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:  # about the limited search alone
        json.dump({"runs": [], "limited": report["limited"], "probes": report["probes"]}, file)
        file.flush()
        answers = call(options, "estimate", "--json", "--runs", file.name)["coverage"]["all"]
    estimates = {name: (answer["estimate"], None, None) for name, answer in answers.items()
                 if name in METHODS and answer["estimate"] is not None}
    total = report["total"]
    if total["estimate"] is not None:
        ends = [min(1.0, seen / total[end]) if total[end] else None for end in ("high", "low")]
        estimates["ours"] = (min(1.0, seen / total["estimate"]), *ends)
    return estimates


def measure(options, model, seeds):
    cases = []
    memories = Memories(options, model)
    for limit in LIMITS:
        memory = memories.for_share(limit / 100)
        if memory is None:
            continue
        for seed in range(1, seeds + 1):
            report = _survey(options, model, memory, seed)
            if not report["limited"]:
                continue
            cases.append({"model": model["name"], "held_out": model["held_out"], "limit": limit, "seed": seed, "memory": memory,
                          "actual": _share(model, report), "samples": report["limited"]["samples"], "method": report["coverage"]["method"],
                          "elapsed_s": report["limited"]["elapsed_s"], "estimates": estimates_of(options, report)})
    return cases


def _deviations(cases, method):
    return [100 * abs(case["estimates"][method][0] - case["actual"]) for case in cases if method in case["estimates"]]


def _figures(cases, method):
    found = _deviations(cases, method)
    if not found:
        return ["-"] * 4
    sigma = statistics.pstdev(found)
    return [f"{min(found):.1f}", f"{max(found):.1f}", f"{statistics.mean(found):.1f}", f"{sigma:.1f}"]


def tables(cases):
    lines = ["# Coverage of searches that run out of memory", "", __doc__.strip(), ""]
    for method in METHODS:
        lines += [f"## Table 5.1 with {method}: deviation in percentage points", "",
                  row(["model", *(f"{limit} %: {what}" for limit in LIMITS for what in ("best", "worst", "avg", "σ"))]), row(["---"] * 25)]
        for model in sorted({case["model"] for case in cases}):
            cells = [model + (" (held out)" if any(case["held_out"] for case in cases if case["model"] == model) else "")]
            for limit in LIMITS:
                cells += _figures([case for case in cases if case["model"] == model and case["limit"] == limit], method)
            lines.append(row(cells))
        if method == "monte_carlo":
            lines.append(row(["published, averages of nine programs", *(str(figure) for limit in LIMITS for figure in PUBLISHED[limit])]))
        lines.append("")
    lines += ["## Averages over all cases", "",
              row(["models", "method", *(f"{limit} %" for limit in LIMITS), "worst", "no estimate", "90 % interval holds"]), row(["---"] * 11)]
    for title, part in (("tuning", [case for case in cases if not case["held_out"]]), ("held out", [case for case in cases if case["held_out"]])):
        for method in METHODS:
            means = []
            for limit in LIMITS:
                found = _deviations([case for case in part if case["limit"] == limit], method)
                means.append(f"{statistics.mean(found):.1f}" if found else "-")
            everything = _deviations(part, method)
            with_interval = [case for case in part if case["estimates"].get(method, (None,) * 3)[2] is not None]
            held = sum((case["estimates"][method][1] or 0) <= case["actual"] <= case["estimates"][method][2] for case in with_interval)
            lines.append(row([title, method, *means, f"{max(everything):.1f}" if everything else "-",
                              str(sum(method not in case["estimates"] for case in part)),
                              f"{100 * held / len(with_interval):.0f} % of {len(with_interval)}" if with_interval else "-"]))
    lines += ["", "## Actual shares, and how many samples the published method could take", "",
              row(["model", *(f"{limit} %" for limit in LIMITS)]), row(["---"] * 7)]
    for model in sorted({case["model"] for case in cases}):
        cells = [model]
        for limit in LIMITS:
            mine = [case for case in cases if case["model"] == model and case["limit"] == limit]
            cells.append(f"{100 * statistics.mean(case['actual'] for case in mine):.1f} %, "
                         f"{statistics.mean(case['samples'] for case in mine):.1f} samples" if mine else "-")
        lines.append(row(cells))
    return "\n".join(lines) + "\n"


def run(options):
    experiment(options, "montecarlo", lambda model: measure(options, model, 1 if options.quick else options.runs), tables)
