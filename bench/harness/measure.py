"""Runs the two sides of a comparison in turn and condenses the rounds.

The machine is shared and its speed drifts, so the sides take turns within each round, the first one
changing from round to round, and the median over the rounds counts.
"""

import dataclasses
import math
import statistics

from harness.checkers import Failure

FIGURES = ("cpu_s", "wall_s", "peak_bytes", "bytes_per_state", "transitions_per_cpu_s", "own_cpu_s",
           "own_store_bytes")
RATIOS = {"cpu": "cpu_s", "wall": "wall_s", "memory": "peak_bytes",
          "bytes_per_state": "bytes_per_state"}


def measure(comparison, model, rounds, say):
    """One row: both sides on one model. Raises Failure when a side gives no answer."""
    sides = {"reference": comparison.reference, "ours": comparison.ours}
    for side in sides.values():
        side.prepare(model)
    taken = {name: [] for name in sides}
    for number in range(rounds):
        order = list(sides) if number % 2 == 0 else list(reversed(sides))
        for name in order:
            taken[name].append(sides[name].run(model))
            say(f"{model.name} {sides[name].name} round {number + 1}: {taken[name][-1].cpu_s:.2f} s")
    row = {"model": model.name, "size": model.size, "defines": list(model.defines)}
    for name, measurements in taken.items():
        row[name] = condense(measurements)
    row["ratios"] = {ratio: quotient(row["ours"][figure], row["reference"][figure])
                     for ratio, figure in RATIOS.items()}
    return row


def condense(measurements):
    """The counts, the median of every figure, and all rounds."""
    answers = {(one.verdict, one.states, one.transitions) for one in measurements}
    if len(answers) > 1:
        raise Failure(f"rounds disagree: {sorted(answers)}")
    verdict, states, transitions = answers.pop()
    rounds = []
    for one in measurements:
        figures = dataclasses.asdict(one)
        figures["bytes_per_state"] = one.peak_bytes / one.states
        figures["transitions_per_cpu_s"] = one.transitions / max(one.cpu_s, 1e-6)
        rounds.append({name: figures[name] for name in FIGURES})
    return {"verdict": verdict, "states": states, "transitions": transitions,
            **{name: median([figures[name] for figures in rounds]) for name in FIGURES},
            "rounds": rounds}


def find_problems(row, model, comparison):
    """Sentences about what must be equal and is not."""
    problems = []
    reference, ours = row["reference"], row["ours"]
    counts = ("states", "transitions") if comparison.same_counts else ()
    for what in ("verdict", *counts):
        if reference[what] != ours[what]:
            problems.append(f"{what} differ: {comparison.reference.name} {reference[what]}, "
                            f"{comparison.ours.name} {ours[what]}")
    for what in counts:
        if reference[what] == ours[what] != getattr(model, what):
            problems.append(f"both find {ours[what]} {what}, but {model.path.name} promises "
                            f"{getattr(model, what)}")
    return problems


def geometric_means(rows):
    means = {}
    for ratio in RATIOS:
        known = [row["ratios"][ratio] for row in rows if row["ratios"][ratio]]
        means[ratio] = math.exp(statistics.fmean(map(math.log, known))) if known else None
    return means


def median(values):
    return None if None in values else statistics.median(values)


def quotient(ours, reference):
    return ours / reference if ours and reference else None
