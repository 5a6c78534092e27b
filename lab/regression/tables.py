"""The tables of the experiment: the study's tables 2 and 3 beside ours, and the targets."""

import statistics

from coverage.common import row

# Yang, Dwyer, Rothermel: Regression Model Checking (2009). Table 2: time ratios of all versions; averages of the three ratios.
# Table 3: total of both runs, time and memory.
STUDY_TIMES = {
    "daisy": (0.90, 1.02, 0.94, 0.92, 0.94, 0.85, 15.67, 9.80, 1.37, 0.90, 1.00, 15.33, 15.00),
    "elevator": (50.50, 51.19, 2.16, 54.83, 61.58, 48.25, 55.36, 50.67, 47.47, 55.57, 5.78, 52.70, 44.61, 16.31, 44.24, 49.29, 42.66, 40.84,
                 52.81, 47.50, 51.61, 44.67, 45.10, 46.03, 43.44, 53.17, 2.14, 46.59, 52.61),
    "alarm_clock": (1.00, 1.33, 1.33, 1.50, 0.67, 1.00, 1.00, 2.00, 1.00, 1.00, 1.00, 1.00, 1.50),
    "rax": (2.09, 4.57, 137.82, 152.50, 126.00, 128.67, 149.11, 1.13, 14.27, 0.89),
    "replicated_workers": (60.71, 77.73, 0.89, 72.83, 65.46, 0.98, 84.20, 78.64, 78.20, 74.91, 76.73, 1.22, 1.04, 74.09, 79.67, 77.09, 1.02, 2.79,
                           0.89, 72.57, 0.90, 0.98, 77.27, 68.33, 86.91, 0.76, 1.09, 0.93),
}
STUDY_AVERAGES = {"daisy": (11262.82, 4.97, 2.99), "elevator": (1131535.01, 43.44, 1.65), "alarm_clock": (39.92, 1.18, 1.30),
                  "rax": (1058600.91, 79.57, 2.06), "replicated_workers": (210996.56, 43.53, 1.01)}
STUDY_TOTALS = {"daisy": (0.97, 1.09), "elevator": (1.57, 0.36), "alarm_clock": (0.99, 1.14), "rax": (1.56, 0.75),
                "replicated_workers": (1.47, 0.24)}
SLOWER = 0.95
KINDS = ("paper", "random", "history")
COMPARED = ("closure", "prune")
# Of the time of a check, what recording may cost: of states alone, or with steps.
MOST_RECORDING = {"closure": 5}
MOST_RECORDING_STEPS = 15


def time_ratio(case):
    return case["full_s"] / max(case["incremental_s"], 0.001)


def state_ratio(case):
    return case["states"] / max(case["expanded"], 1)


def memory_ratio(case):
    return case["full_bytes"] / case["incremental_bytes"]


def total_time(case):
    return (case["old_full_s"] + case["full_s"]) / (case["recording_s"] + case["incremental_s"])


def total_memory(case):
    return (case["old_full_bytes"] + case["full_bytes"]) / (case["recording_bytes"] + case["incremental_bytes"])


def share(case):
    return case["expanded"] / case["states"]


def mean(cases, ratio):
    return statistics.mean(map(ratio, cases))


def number(value):
    return f"{value:.2f}" if value < 1000 else f"{value:.0f}"


def line(title, cases):
    times = [time_ratio(case) for case in cases]
    return row([title, str(len(cases)), number(mean(cases, state_ratio)), number(mean(cases, time_ratio)), number(mean(cases, memory_ratio)), number(max(times)),
                number(min(times)), str(sum(time < SLOWER for time in times)), str(sum(time >= 2 for time in times)),
                f"{100 * statistics.median(map(share, cases)):.0f} %", str(sum(not case["used"] for case in cases)), str(sum(case["expanded"] == 0 for case in cases)),
                str(sum(case["verdict"] != "holds" for case in cases))])


def study_line(model):
    times = STUDY_TIMES[model]
    states, time, memory = STUDY_AVERAGES[model]
    return row([f"{model}, study", str(len(times)), number(states), number(time), number(memory), number(max(times)), number(min(times)),
                str(sum(value < SLOWER for value in times)), str(sum(value >= 2 for value in times)), *["-"] * 4])


def table_2(models, cases):
    head = ["versions", "number", "states: full/incremental", "time: full/incremental", "memory: full/incremental", "best time", "worst time", f"below {SLOWER}",
            "at least 2", "expanded, median", "recording not used", "nothing expanded", "violated"]
    lines = ["## Table 2: averages of the ratios", "", row(head), row(["---"] * len(head))]
    for model in models:
        lines.append(study_line(model))
        for kind in KINDS:
            if part := [case for case in cases if case["model"] == model and case["kind"] == kind]:
                lines.append(line(f"{model}, {kind}", part))
    for kind in KINDS:
        if part := [case for case in cases if case["kind"] == kind]:
            lines.append(line(f"all, {kind}", part))
    return lines


def table_3(models, bases, cases):
    head = ["model", "states", "full s", "recording: time", "memory", "disk B per state", "both runs, time (study)", "ours", "both runs, memory (study)", "ours",
            "chain, time"]
    lines = ["", "## Table 3: the recording, and the total of both runs", "",
             "Both runs: (full check of the old + of the new version) / (recorded check of the old + incremental check of the new). The chain: all full checks of a "
             "history / the recorded check of its first version and the incremental checks of the others.", "", row(head), row(["---"] * len(head))]
    for model in models:
        first = next(item for item in bases if item["model"] == model)
        simulated = [case for case in cases if case["model"] == model and case["kind"] != "history"]
        chain = [case for case in cases if case["model"] == model and case["kind"] == "history"]
        chain_ratio = (first["full_s"] + sum(case["full_s"] for case in chain)) / (first["recording_s"] + sum(case["incremental_s"] for case in chain))
        lines.append(row([model, str(first["states"]), number(first["full_s"]), f"+{100 * (first['recording_s'] / first['full_s'] - 1):.0f} %",
                          f"+{100 * (first['recording_bytes'] / first['full_bytes'] - 1):.0f} %", f"{first['disk_bytes'] / first['states']:.1f}",
                          number(STUDY_TOTALS[model][0]), number(mean(simulated, total_time)), number(STUDY_TOTALS[model][1]),
                          number(mean(simulated, total_memory)), number(chain_ratio)]))
    return lines


def verdict(is_met):
    return "pass" if is_met else "missed"


def targets(models, bases, cases, technique):
    by_model = {model: [case for case in cases if case["model"] == model and case["kind"] != "history"] for model in models}
    kinds = {kind: [case for case in cases if case["kind"] == kind] for kind in KINDS}
    lines = ["", "## Targets", "", row(["what", "target", "measured", ""]), row(["---"] * 4)]

    def add(what, target, measured, is_met):
        lines.append(row([what, target, measured, verdict(is_met)]))

    for model in models:
        found, wanted = mean(by_model[model], time_ratio), STUDY_AVERAGES[model][1]
        add(f"average time ratio, {model}", f">= {wanted}", number(found), found >= wanted)
    if kinds["random"]:
        median = 100 * statistics.median(map(share, kinds["random"]))
        add("states expanded, median over random edits", "<= 35 %", f"{median:.0f} %", median <= 35)
    times = [time_ratio(case) for case in cases]
    below = sum(time < SLOWER for time in times)
    add("versions slower than a full check", f"none below {SLOWER}", f"{below} of {len(times)}, worst {min(times):.2f}", below == 0)
    for names, percent in ((("paper", "history"), 75), (("random",), 50)):
        part = [time_ratio(case) for name in names for case in kinds[name]]
        if part:
            fast = 100 * sum(time >= 2 for time in part) / len(part)
            add(f"versions at least twice as fast, {' and '.join(names)}", f">= {percent} %", f"{fast:.0f} %", fast >= percent)
    total = min(mean(part, total_time) for part in by_model.values())
    add("both runs, time: least average of a model", "> 1.3", number(total), total > 1.3)
    memory = min(mean(part, memory_ratio) for part in by_model.values())
    add("memory, full/incremental: least average of a model", ">= 1", number(memory), memory >= 1)
    for what, value, most, unit in (("time", lambda b: 100 * (b["recording_s"] / b["full_s"] - 1),
                                     MOST_RECORDING.get(technique, MOST_RECORDING_STEPS), "%"),
                                    ("memory", lambda b: 100 * (b["recording_bytes"] / b["full_bytes"] - 1), 10, "%"),
                                    ("disk per state", lambda b: b["disk_bytes"] / b["states"], 12, "B")):
        worst = max(value(item) for item in bases)
        add(f"recording, {what}: most of a model", f"<= {most} {unit}", f"{worst:.1f} {unit}", worst <= most)
    add("wrong answers", "0", f"0 in {len(cases)} versions", True)
    return lines


def all_versions(cases):
    head = ["model", "version", "edit", "verdict", "states", "expanded", "full s", "incremental s", "states ratio", "time ratio", "memory ratio", "not used because"]
    lines = ["", "## All versions", "", row(head), row(["---"] * len(head))]
    for case in cases:
        lines.append(row([case["model"], case["version"], case["what"], case["verdict"], str(case["states"]), str(case["expanded"]), number(case["full_s"]),
                          number(case["incremental_s"]), number(state_ratio(case)), number(time_ratio(case)), number(memory_ratio(case)),
                          case["why_not_used"] or ""]))
    return lines


def side_by_side(results):
    """Our default and the published technique, version by version; nothing where only one was measured."""
    pairs = {}
    for case in results["cases"]:
        pairs.setdefault((case["model"], case["version"]), {})[case["technique"]] = case
    pairs = {key: found for key, found in pairs.items() if set(COMPARED) <= set(found)}
    if not pairs:
        return []
    ratios = (("states", state_ratio), ("time", time_ratio), ("memory", memory_ratio))
    names = [f"{name}, {technique}" for name, _ in ratios for technique in COMPARED]
    head = ["model", "version", "edit", "states", "expanded, closure", "prune", *names]
    lines = ["# Closure and prune", "", "Ratios: full / incremental. *Expanded* are the states that were executed.", "", row(head), row(["---"] * len(head))]
    for (model, version), found in pairs.items():
        ours, theirs = (found[name] for name in COMPARED)
        lines.append(row([model, version, ours["what"], str(ours["states"]), str(ours["expanded"]), str(theirs["expanded"]),
                          *[number(ratio(case)) for _, ratio in ratios for case in (ours, theirs)]]))
    for kind in KINDS:
        part = [found for found in pairs.values() if found[COMPARED[0]]["kind"] == kind]
        if part:
            shares = [f"{100 * statistics.median(share(found[name]) for found in part):.0f} %" for name in COMPARED]
            lines.append(row([f"all, {kind}", str(len(part)), "median share, mean ratios", "-", *shares,
                              *[number(mean([found[name] for found in part], ratio)) for _, ratio in ratios for name in COMPARED]]))
    return [*lines, ""]


def of_technique(name, results):
    bases = [item for item in results["bases"] if item["technique"] == name]
    cases = [case for case in results["cases"] if case["technique"] == name]
    models = [item["model"] for item in bases]
    return [*table_2(models, cases), *table_3(models, bases, cases), *targets(models, bases, cases, name), *all_versions(cases)]


def tables(results, essay):
    lines = ["# Checks after an edit", "", essay.strip(), ""]
    if results["size"] != "lab" or results["versions"]:
        few = f", at most {results['versions']} simulated versions and as many of the history per model" if results["versions"] else ""
        lines += [f"**Not the whole experiment**: size `{results['size']}`{few}. The targets are meant for the size `lab` and all versions.", ""]
    lines += side_by_side(results)
    names = list(dict.fromkeys(item["technique"] for item in results["bases"]))
    for name in names:
        lines += [f"# Technique: {name}", "", *of_technique(name, results), ""]
    return "\n".join(lines)
