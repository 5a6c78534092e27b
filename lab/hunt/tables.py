"""The tables of the experiment, beside that of the paper, and the targets."""

import math
import statistics

from coverage.common import row
from hunt.cases import CASES, PUBLISHED

LEVEL = 0.05


def signed_rank(values, rival):
    """Wilcoxon's signed-rank test of the values against one number: the two-sided p of the normal approximation, corrected for ties."""
    differences = sorted((value - rival for value in values if value != rival), key=abs)
    count = len(differences)
    if count == 0:
        return 1.0
    ranks, ties, start = [], 0, 0
    while start < count:
        end = start
        while end < count and abs(differences[end]) == abs(differences[start]):
            end += 1
        ranks += [(start + 1 + end) / 2] * (end - start)
        ties += (end - start) ** 3 - (end - start)
        start = end
    positive = sum(rank for rank, difference in zip(ranks, differences) if difference > 0)
    variance = count * (count + 1) * (2 * count + 1) / 24 - ties / 48
    distance = max(0.0, abs(positive - count * (count + 1) / 4) - 0.5)
    return math.erfc(distance / math.sqrt(2 * variance))


def hits(runs):
    return sum(run["best"] is not None for run in runs)


def values(runs, which, field):
    """Of the runs that found an error; `which`: first or best, field: 0 steps, 1 expansions, 2 generation."""
    return [run[which][field] for run in runs if run[which] is not None and run[which][field] is not None]


def mean(numbers):
    return statistics.fmean(numbers) if numbers else None


def least(found, case=None):
    """The shortest trace of all methods, and whether it is known that there is no shorter one."""
    runs = [run for method in found["methods"].values() for run in method]
    shortest = min(values(runs, "best", 0), default=None)
    proved = any(run["is_shortest"] and run["best"][0] == shortest for run in runs if run["best"])
    return shortest, proved or (case is not None and case.least == shortest)


def _number(value, digits=0):
    return "-" if value is None else f"{value:,.{digits}f}"


def _both(numbers, digits=0):
    """Mean and median."""
    return "-" if not numbers else f"{mean(numbers):,.{digits}f} / {statistics.median(numbers):,.{digits}f}"


def _sign(numbers, rival):
    """As in the paper: whether the numbers differ from the rival's."""
    return "" if not numbers else " (+)" if signed_rank(numbers, rival) < LEVEL else " (-)"


def _table(heads, rows):
    return [row(heads), row(["---"] * len(heads)), *map(row, rows), ""]


def _of_paper(name, method, rival):
    known = PUBLISHED.get(name)
    if known is None or method not in ("eda", rival):
        return ["", "", ""]
    if method == rival:
        return ["-"] * 3 if known.rival is None else [f"{known.rival[0]:,}", f"{known.rival[1]:,}", f"{known.rival[0]:,}"]
    return [f"{known.first[0]:,g}", f"{known.first[2]:,}", f"{known.best[0]:,g}, after {known.best[2]:,}"]


def hunt_table(results):
    lines = ["# Table 2: hunts", "",
             "Steps, expansions and generations: mean / median over the runs that found an error. (+): differs from the deterministic rival's by Wilcoxon's "
             "signed-rank test at 5 %, (-): does not. Least: the shortest trace of all methods; * where it is known that none is shorter. The last three columns: the paper's means.", ""]
    known = {case.name: case for case in CASES}
    rows = []
    for found in results:
        case = known[found["case"]]
        shortest, proved = least(found, case)
        rival = found["methods"].get(case.rival, [{"best": None}])[0]["best"]
        for method, runs in found["methods"].items():
            first, best = values(runs, "first", 0), values(runs, "best", 0)
            taken = values(runs, "best", 1)
            compares = rival is not None and method != case.rival
            rows.append([found["case"], f"{_number(shortest)}{'*' if proved else ''}", method, f"{hits(runs)}/{len(runs)}",
                         _both(first), _both(values(runs, "first", 1)), _both(best) + (_sign(best, rival[0]) if compares else ""),
                         _both(values(runs, "best", 2)) if method == "eda" else "", _both(taken) + (_sign(taken, rival[1]) if compares else ""),
                         _number(mean([run["cpu_s"] for run in runs]), 2), _number(max(run["peak_mb"] for run in runs)),
                         *_of_paper(found["case"], method, case.rival)])
    return lines + _table(["model", "least", "method", "hits", "first: steps", "expansions", "best: steps", "generation", "expansions", "s", "most MB",
                           "paper: first", "states", "best"], rows)


def corpus_table(results):
    lines = ["# Models of the corpus that nobody tuned on", "",
             "The default, a few seeds. Least: the shortest trace by breadth-first search, with the states that it saw, where it ends in time.", ""]
    rows = []
    for found in results:
        runs = found["runs"]
        best = values(runs, "best", 0)
        rows.append([f"{found['case']} {found['defines']}".strip(), _number(found["least"]), _number(found["least_states"]), f"{hits(runs)}/{len(runs)}",
                     _both(values(runs, "first", 0)), _both(values(runs, "first", 1)), f"{min(best)} to {max(best)}" if best else "-",
                     _number(mean(values(runs, "best", 1))), _number(max(run["peak_mb"] for run in runs))])
    return lines + _table(["model", "least", "states", "hits", "first: steps", "expansions", "best: steps", "expansions, mean", "most MB"], rows)


def _worst(pairs, which=max):
    """`value (name)` of the largest."""
    value, name = which(pairs)
    return f"{value:,.2f} ({name})"


def targets(table, corpus):
    if not table:
        return []
    lines = ["# Targets", ""]
    known = {case.name: case for case in CASES}
    every = [(found, found["methods"]["auto"], *least(found, known[found["case"]])) for found in table]
    first_by_length, first_by_eda, best_by_eda = [], [], []
    for found, runs, shortest, _ in every:
        if not hits(runs):
            continue
        first_by_length.append((mean(values(runs, "first", 1)) / shortest, found["case"]))
        eda = found["methods"].get("eda", [])
        for which, bound, pairs in (("first", 10_000, first_by_eda), ("best", 1_000_000, best_by_eda)):
            theirs = mean(values(eda, which, 1))
            if theirs is not None and theirs > bound:
                pairs.append((mean(values(runs, which, 1)) / theirs, found["case"]))
    rows = [
        ["hit rate of auto", "100 %", f"{sum(hits(runs) for _, runs, _, _ in every)} of {sum(len(runs) for _, runs, _, _ in every)} runs"],
        ["best length of auto over the least known, worst seed", "1.00", _worst([(max(values(runs, 'best', 0)) / shortest, found['case']) for found, runs, shortest, _ in every if hits(runs)])],
        ["runs of auto that reach the least known", "100 %",
         f"{sum(length == shortest for _, runs, shortest, _ in every for length in values(runs, 'best', 0))} of {sum(hits(runs) for _, runs, _, _ in every)}"],
        ["expansions to the first error over the least length, worst mean", "<= 50", _worst(first_by_length)],
        ["... over the EDA's where that needs more than 10,000", "<= 0.1", _worst(first_by_eda) if first_by_eda else "none does"],
        ["expansions to the best, worst mean", "<= 300,000", _worst([(mean(values(runs, 'best', 1)), found['case']) for found, runs, _, _ in every if hits(runs)])],
        ["... over the EDA's where that needs more than 1 M", "<= 0.1", _worst(best_by_eda) if best_by_eda else "none does"],
        ["memory of auto, MB", "<= 100", _worst([(run["peak_mb"], found["case"]) for found, runs, _, _ in every for run in runs])],
    ]
    if corpus:
        runs = [(found, run) for found in corpus for run in found["runs"]]
        none = sorted({found["case"] for found, run in runs if run["best"] is None})
        rows += [["corpus: hit rate of auto", "100 %", f"{sum(run['best'] is not None for _, run in runs)} of {len(runs)} runs" + (f"; not always: {', '.join(none)}" if none else "")],
                 ["corpus: runs that reach the least", "", f"{sum(run['best'][0] <= found['least'] for found, run in runs if run['best'] and found['least'])} of "
                                                          f"{sum(1 for found, run in runs if run['best'] and found['least'])}"]]
    return lines + _table(["what", "target", "seen"], rows)


def tables(results, about):
    lines = ["# Hunts", "", about.strip(), ""]
    for part, write in (("table", hunt_table), ("corpus", corpus_table)):
        if results[part]:
            lines += write(results[part])
    return "\n".join([*lines, *targets(results["table"], results["corpus"])]).rstrip() + "\n"
