"""Coverage of bitstate searches: the tables and figures of Ikeda, Jibiki and Kuno (IEEE TSE 2013), and ours beside them.

For a model with 2^i states, searches with filters of 2^([i]-10) to 2^([i]+4) bits, k = 1, 2, 3, several seeds. An estimate is
about one of the ten largest, and made from that and the five sizes below it. Its residual error is the distance between the
estimated and the actual coverage, in percentage points.
"""

import json
import math
import statistics
import tempfile

from coverage import chart
from coverage.common import MODELS, call, kept, models, row, states_of

KS = (1, 2, 3)
BELOW = 5  # sizes that an estimate needs beside the one it is about
SMALLEST_FILTER = 6  # log2 of its bits
SMALLEST, LARGEST = -5, 4  # around [i], of those that are compared
ESTIMATORS = ("stern", "dillinger", "growth_curve", "simple_formula", "probes")

# Table 1: R^2 and r for k = 1, 2, 3. Table 3: min, first quartile, median, third, max, mean, failures of 120.
PUBLISHED_FIT = {
    "arbiter": (0.98, 0.57, 1.00, 0.63, 1.00, 0.62), "brp": (1.00, 0.60, 1.00, 0.58, 1.00, 0.55),
    "cambridge": (1.00, 0.95, 1.00, 0.76, 1.00, 0.68), "elevator": (1.00, 0.79, 1.00, 0.67, 1.00, 0.63),
    "leader": (1.00, 0.88, 1.00, 0.73, 1.00, 0.69), "needham_schroeder": (1.00, 0.79, 1.00, 0.60, 1.00, 0.62),
    "scheduler": (1.00, 0.83, 1.00, 0.69, 1.00, 0.65), "peterson": (1.00, 0.76, 1.00, 0.64, 1.00, 0.62),
    "pftp": (1.00, 0.71, 1.00, 0.63, 1.00, 0.60), "philosophers": (1.00, 0.82, 1.00, 0.69, 1.00, 0.65),
    "random_4": (1.00, 0.82, 1.00, 0.69, 1.00, 0.65), "random_6": (1.00, 0.82, 1.00, 0.69, 1.00, 0.65),
}
PUBLISHED_ERRORS = {
    ("growth_curve", 1): (0.09, 2.20, 4.33, 12.29, 57.79, 8.93, 3), ("growth_curve", 2): (0.09, 1.33, 5.48, 17.81, 73.75, 13.10, 12),
    ("growth_curve", 3): (0.03, 1.46, 8.54, 33.19, 74.37, 17.14, 14), ("simple_formula", 1): (0.02, 1.33, 5.63, 13.58, 54.09, 9.14, 0),
    ("simple_formula", 2): (0.00, 1.06, 8.82, 19.65, 58.91, 13.81, 0), ("simple_formula", 3): (0.00, 1.83, 14.94, 36.45, 80.24, 21.65, 0),
    ("stern", 1): (0.00, 1.40, 12.69, 39.54, 78.59, 24.00, 8), ("stern", 2): (0.30, 3.92, 25.08, 49.55, 79.62, 28.19, 0),
    ("stern", 3): (0.02, 4.87, 31.14, 58.92, 79.14, 32.56, 0), ("dillinger", 1): (0.60, 4.81, 14.12, 26.48, 69.19, 20.92, 0),
    ("dillinger", 2): (0.07, 2.22, 20.06, 40.42, 78.47, 24.12, 0), ("dillinger", 3): (0.02, 1.62, 24.11, 47.50, 80.45, 27.10, 0),
}


def _search(options, model, log_bits, k, seed):
    """One search and its probes: the run, and what the probes say."""
    report = call(options, "estimate", "--json", "--exec", "native", "--time", "500", "--bits", f"2^{log_bits}",
                   "--hashes", str(k), "--seed", str(seed), *model["options"],
                   MODELS / model["file"])
    return {**report["runs"][0], "probes": report["probes"]}


def _estimate(options, runs):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"runs": runs, "probes": runs[-1]["probes"]}, file)
        file.flush()
        return call(options, "estimate", "--json", "--runs", file.name)


def measure(options, model, seeds):
    """All searches and estimates of a model."""
    middle = math.floor(math.log2(model["states"]))
    cases, fits = [], {}
    for k in KS:
        for seed in range(1, seeds + 1):
            runs = [_search(options, model, middle + at, k, seed * 1000 + at + 50)
                    for at in range(SMALLEST - BELOW, LARGEST + 1) if middle + at >= SMALLEST_FILTER]
            compared = runs[BELOW:]
            if seed == 1:
                fits[k] = _estimate(options, compared)["curve"]
            for at in range(BELOW, len(runs)):
                report = _estimate(options, runs[at - BELOW:at + 1])
                actual = min(1.0, runs[at]["states"] / model["states"])
                cases.append({"model": model["name"], "held_out": model["held_out"], "k": k, "seed": seed,
                              "log_bits": int(math.log2(runs[at]["bits"])), "actual": actual,
                              "estimates": {name: [answer["estimate"], answer["low"], answer["high"]]
                                            for name, answer in report["coverage"]["all"].items()}})
    return cases, fits


def _quantiles(errors):
    if not errors:
        return None
    ordered = sorted(errors)
    def at(share):
        place = share * (len(ordered) - 1)
        low = math.floor(place)
        high = min(low + 1, len(ordered) - 1)
        return ordered[low] + (place - low) * (ordered[high] - ordered[low])
    return (at(0), at(0.25), at(0.5), at(0.75), at(1), statistics.mean(ordered))


def _errors(cases, name):
    """Residual errors in percentage points, and how many cases have no estimate."""
    errors, failures = [], 0
    for case in cases:
        estimate = case["estimates"].get(name, [None])[0]
        if estimate is None:
            failures += 1
        else:
            errors.append(100 * abs(estimate - case["actual"]))
    return errors, failures


def _numbers(values):
    return [f"{value:.2f}" for value in values] if values else ["-"] * 6


def tables(cases, fits):
    names = [name for name in ESTIMATORS if any(name in case["estimates"] for case in cases)]
    lines = ["# Coverage of bitstate searches", "", __doc__.strip(), "",
             "## Table 1: the growth curve through ten sizes", "",
             "Published figures are about models of the same kind, not the same models.", "",
             row(["model", *(f"{what}, k = {k}{who}" for k in KS for what in ("R²", "r") for who in ("", " (published)"))]),
             row(["---"] * 13)]
    for model, curves in fits.items():
        cells = [model]
        published = PUBLISHED_FIT.get(model)
        for number, k in enumerate(KS):
            for at, what in enumerate(("determination", "rate")):
                cells.append(f"{curves[k][what]:.2f}" if curves[k] else "-")
                cells.append(f"{published[2 * number + at]:.2f}" if published else "-")
        lines.append(row(cells))
    lines += ["", "## Table 2: residual errors by actual coverage, k = 1, all models", "",
              row(["actual coverage", "estimator", "cases", "min", "1Q", "median", "3Q", "max", "mean", "failed"]), row(["---"] * 10)]
    for low in (0, 0.2, 0.4, 0.6, 0.8):
        part = [case for case in cases if case["k"] == 1 and low <= case["actual"] < low + 0.2 + (1e-9 if low == 0.8 else 0)]
        for name in names:
            errors, failures = _errors(part, name)
            lines.append(row([f"{100 * low:.0f} - {100 * low + 20:.0f} %", name, str(len(part)), *_numbers(_quantiles(errors)), str(failures)]))
    lines += ["", "## Table 3: residual errors, in percentage points", "",
              row(["models", "estimator", "k", "cases", "min", "1Q", "median", "3Q", "max", "mean", "failed", "90 % interval holds"]),
              row(["---"] * 12)]
    for title, part in (("published", None), ("tuning", [c for c in cases if not c["held_out"]]),
                        ("held out", [c for c in cases if c["held_out"]])):
        for name in names:
            for k in KS:
                if part is None:
                    if (name, k) in PUBLISHED_ERRORS:
                        figures = PUBLISHED_ERRORS[name, k]
                        lines.append(row([title, name, str(k), "120", *_numbers(figures[:6]), str(figures[6]), "-"]))
                    continue
                of_k = [case for case in part if case["k"] == k]
                errors, failures = _errors(of_k, name)
                with_interval = [case for case in of_k if case["estimates"].get(name, [None] * 3)[1] is not None]
                held = [case for case in with_interval
                        if case["estimates"][name][1] <= case["actual"] <= case["estimates"][name][2]]
                share = f"{100 * len(held) / len(with_interval):.0f} %" if with_interval else "-"
                lines.append(row([title, name, str(k), str(len(of_k)), *_numbers(_quantiles(errors)), str(failures), share]))
    return "\n".join(lines) + "\n"


PICTURED = "brp"  # the model that the paper shows


def _value(fit, k, t):
    """Of the growth curve, where t counts from the largest size."""
    return fit["total"] / (1 + fit["constant"] * math.exp(-k * fit["rate"] * t)) ** (1 / k)


def _picture_of_fit(cases, fits, states):
    """Figure 5: the curves through ten sizes, and what was measured."""
    series = []
    for k in KS:
        points = sorted((case["log_bits"], 100 * case["actual"]) for case in cases
                        if case["model"] == PICTURED and case["k"] == k and case["seed"] == 1)
        series.append((f"k = {k}, measured", points, False))
        if points and fits[k]:
            least, most = points[0][0], points[-1][0]
            at = [least + step * (most - least) / 100 for step in range(101)]
            series.append((f"k = {k}, curve", [(x, 100 * _value(fits[k], k, x - most) / states) for x in at], True))
    sizes = [x for _, points, _ in series for x, _ in points]
    return chart.svg(f"{PICTURED}: growth curves", "log2 of the bits", "coverage, %", series, (min(sizes), max(sizes), 1), (0, 100, 20))


def _picture_of_estimates(cases):
    """Figure 6: what each estimator says, by the size of the filter, k = 1."""
    mine = sorted((case for case in cases if case["model"] == PICTURED and case["k"] == 1 and case["seed"] == 1),
                  key=lambda case: case["log_bits"])
    series = [("actual", [(case["log_bits"], 100 * case["actual"]) for case in mine], True)]
    for name in ESTIMATORS:
        points = [(case["log_bits"], 100 * case["estimates"][name][0]) for case in mine
                  if case["estimates"].get(name, [None])[0] is not None]
        series.append((name, points, False))
    sizes = [case["log_bits"] for case in mine]
    return chart.svg(f"{PICTURED}: estimates, k = 1", "log2 of the bits", "coverage, %", series, (min(sizes), max(sizes), 1), (0, 100, 20))


def charts(cases, fits, output):
    """Figures 2, 5, 6 and 7 of the paper."""
    if PICTURED in fits:
        (output / f"coverage-fit-{PICTURED}.svg").write_text(_picture_of_fit(cases, fits[PICTURED], states_of(PICTURED)))
        (output / f"coverage-estimates-{PICTURED}.svg").write_text(_picture_of_estimates(cases))
    for model in sorted({case["model"] for case in cases}):
        series = []
        for k in KS:
            points = sorted((case["log_bits"], 100 * case["actual"]) for case in cases
                            if case["model"] == model and case["k"] == k and case["seed"] == 1)
            series.append((f"k = {k}", points, True))
        sizes = [x for _, points, _ in series for x, _ in points]
        picture = chart.svg(f"{model}: coverage by the size of the filter", "log2 of the bits", "coverage, %", series,
                            (min(sizes), max(sizes), 1), (0, 100, 20))
        (output / f"coverage-{model}.svg").write_text(picture)
    for name in ESTIMATORS:
        points = [(100 * case["actual"], 100 * abs(case["estimates"][name][0] - case["actual"])) for case in cases
                  if case["k"] == 1 and case["estimates"].get(name, [None])[0] is not None]
        if points:
            picture = chart.svg(f"{name}: residual error, k = 1", "actual coverage, %", "residual error, points",
                                [(name, points, False)], (0, 100, 20), (0, 100, 20))
            (output / f"coverage-error-{name}.svg").write_text(picture)


def run(options):
    before = kept(options, "coverage.json")
    cases = before.get("cases", [])
    fits = {name: {int(k): fit for k, fit in curves.items()} for name, curves in before.get("fits", {}).items()}
    for model in models(options, "growth"):
        found, curves = measure(options, model, 1 if options.quick else options.seeds)
        cases += found
        fits[model["name"]] = curves
        print(f"{model['name']}: {len(found)} cases", flush=True)
    cases.sort(key=lambda case: case["model"])
    text = tables(cases, dict(sorted(fits.items())))
    (options.output / "coverage.md").write_text(text)
    (options.output / "coverage.json").write_text(json.dumps({"cases": cases, "fits": fits}, separators=(",", ":")) + "\n")
    charts(cases, fits, options.output)
    print(text)
