"""The tables of the experiment, beside those of the thesis, and the targets."""

import statistics

from certificates import runs
from coverage.common import row

# Taleghani: Using Software Model Checking for Software Certification (2010). Tables 3.1 to 3.4, 4.1 and 4.2, of the like-named programs:
# states, transitions per state, speed-up of certification; the largest of 10, 50 and 100 tasks in percent; the longest initialization path;
# the time of cost-based caching with room for 25 % and 75 % of the states, relative to a search without a cache.
THESIS = {
    "philosophers_full": (209014, 5.2, 1.03, (13, 4, 2), 18, 11, 4), "bounded_buffer": (786987, 7.1, 1.04, (11, 4, 3), 6742, 12, 4),
    "stages": (59512, 4.1, 1.02, (12, 4, 3), 26, 13, 5), "nested_monitor": (71941, 6.9, 1.01, (11, 5, 3), 119, 14, 5),
    "pipeline": (82011, 6.1, 1.01, (12, 6, 2), 29, 12, 5), "readers_writers": (227116, 5.1, 1.03, (11, 4, 3), 845, 12, 5),
    "replicated_workers": (710022, 5.1, 1.05, (12, 5, 2), 75, 14, 5), "sleeping_barber": (1452194, 4.3, 1.05, (11, 4, 3), 35, 12, 4),
    "elevators": (386032, 8.4, 1.04, (10, 4, 2), 78, None, 5),
}
# Tables 3.2 to 3.4 and 4.3: KB of a full and of a trustful script, speed-up of trustful certification over a search; the largest of 10, 50 and 100 tasks of a
# trustful script in percent; average initialization paths with 10, 50 and 100 tasks; memory with section 4.4 in percent.
THESIS_SCRIPTS = {
    "philosophers_full": (104, 25, 220 / 35, (11, 4, 3), (11, 13, 12), 26), "bounded_buffer": (329, 74, 1088 / 130, (12, 4, 2), (75, 217, 139), 23),
    "stages": (91, 22, 45 / 9, (11, 5, 3), (14, 14, 15), 17), "nested_monitor": (45, 9, 99 / 14, (10, 4, 3), (14, 24, 33), 30),
    "pipeline": (51, 11, 101 / 15, (13, 5, 3), (12, 14, 19), 11), "readers_writers": (102, 29, 245 / 39, (11, 5, 2), (50, 57, 101), 27),
    "replicated_workers": (272, 72, 860 / 140, (12, 4, 3), (35, 45, 45), 14), "sleeping_barber": (492, 187, 1308 / 245, (11, 4, 2), (12, 17, 25), 20),
    "elevators": (248, 54, 1167 / 129, (12, 5, 4), (50, 71, 71), 29),
}
WORKERS = (10, 50, 100)
SHORT_PATH = 0.05  # of the states


def speed_up(case, name="certify", of="dfs"):
    return case["seconds"][of] / case["seconds"][name]


def largest_task(case, workers):
    """The share of the largest of so many tasks: regions are given to workers as these become free."""
    return case["tasks"][str(workers)]["largest_task"] / case["transitions"]


def critical_path_s(case, workers):
    """The time of the longest task, and of reading the file, which is not divided."""
    found = case["tasks"][str(workers)]
    return found["longest_task_s"] + found["division_s"]


def producing(case):
    return case["seconds"]["produce"] / case["seconds"]["dfs"] - 1


def producing_over_bfs(case):
    return case["seconds"]["produce"] / case["seconds"]["bfs"] - 1


def table(heads, rows):
    return [row(heads), row(["---"] * len(heads)), *map(row, rows), ""]


def script_tables(cases):
    lines = ["# Tables 3.1 and 3.2: certificates", "",
             "Speed-ups are over a depth-first search of the same kind, and so is producing, by a breadth-first search. Figures of the thesis in brackets.", ""]
    rows = []
    for case in cases:
        known = THESIS.get(case["model"])
        seconds = case["seconds"]
        rows.append([case["model"], f"{case['states']}" + (f" ({known[0]})" if known else ""),
                     f"{case['transitions'] / case['states']:.1f}" + (f" ({known[1]})" if known else ""),
                     f"{seconds['dfs']:.3f}", f"{seconds['bfs']:.3f}", f"{100 * producing(case):+.0f} %", f"{100 * producing_over_bfs(case):+.0f} %", f"{case['bytes'] / case['transitions']:.3f}",
                     f"{speed_up(case):.2f}" + (f" ({known[2]})" if known else ""), f"{speed_up(case, of='bfs'):.2f}",
                     f"{case['set_bytes'] / case['states']:.3f}", f"{speed_up(case, 'certify_set'):.2f}", f"{speed_up(case, 'certify_set', 'bfs'):.2f}",
                     f"{100 * case['memory_bytes'] / case['dfs_memory_bytes']:.1f} %"])
    lines += table(["model", "states", "transitions per state", "depth-first s", "breadth-first s", "producing", "over breadth-first", "bytes per transition", "speed-up",
                    "over breadth-first", "closed set: bytes per state", "speed-up", "over breadth-first", "memory of that of the search"], rows)
    lines += ["# Tables 3.3 and 3.4: several workers", "",
              "For 10, 50 and 100 workers, which take regions as they become free, from the times of all regions: the largest task, of all transitions; the speed-up over "
              "a depth-first search, if there were as many workers (the longest task, and the reading of the file). Two workers: wall-clock time of one, over that of two. "
              "No initialization path is replayed.", ""]
    rows = []
    for case in cases:
        known = THESIS.get(case["model"])
        tasks = [text for i, workers in enumerate(WORKERS) for text in (
            f"{100 * largest_task(case, workers):.2f} %" + (f" ({known[3][i]} %)" if known else ""), f"{case['seconds']['dfs'] / critical_path_s(case, workers):.1f}")]
        rows.append([case["model"], str(case["regions"]), f"{100 * case['largest_region'] / case['transitions']:.3f} %", *tasks,
                     f"{case['elapsed_s'][0] / max(case['elapsed_s'][1], 0.001):.2f}", "0" + (f" ({known[4]})" if known else "")])
    return lines + table(["model", "regions", "largest region", *(head for workers in WORKERS for head in (f"{workers} tasks", "speed-up")), "two workers", "longest initialization path"], rows)


def beside(value, known):
    return value + (f" ({known})" if known is not None else "")


def published_tables(cases):
    lines = ["# Tables 3.2 and 4.3: scripts as published", "",
             "Speed-ups are over a depth-first search. Memory with section 4.4: the most fingerprints that are kept at once, of all states; and of two workers who share them. "
             "All memory: of what the certification has, of that of the search. Figures of the thesis in brackets.", ""]
    rows = []
    for case in cases:
        known, script = THESIS.get(case["model"]), THESIS_SCRIPTS.get(case["model"])
        seconds, states, transitions = case["seconds"], case["states"], case["transitions"]
        rows.append([case["model"], *(f"{100 * (seconds[f'produce_{kind}'] / seconds['dfs'] - 1):+.0f} %" for kind in ("full", "trustful")),
                     beside(f"{case['full']['bytes'] / transitions:.3f}", script and f"{1000 * script[0] / known[0] / known[1]:.3f}"),
                     beside(f"{case['trustful']['bytes'] / states:.3f}", script and f"{1000 * script[1] / known[0]:.3f}"),
                     beside(f"{speed_up(case, 'certify_full'):.2f}", known and known[2]),
                     beside(f"{speed_up(case, 'certify_trustful'):.2f}", script and f"{script[2]:.1f}"),
                     f"{speed_up(case, 'certify_trustful') * states / transitions:.2f}",
                     beside(f"{100 * case['full']['fingerprints'] / states:.1f} %", script and f"{script[5]} %"),
                     f"{100 * case['two_fingerprints'] / states:.1f} %",
                     *(f"{100 * case[kind]['memory_bytes'] / case['dfs_memory_bytes']:.0f} %" for kind in ("full", "trustful"))])
    lines += table(["model", "producing full", "trustful", "full: bytes per transition", "trustful: bytes per state", "full: speed-up", "trustful: speed-up",
                    "over transitions per state", "fingerprints", "two workers", "all memory, full", "trustful"], rows)
    for kind, largest, speeds in (("full", lambda known, _: known[3], "3.3"), ("trustful", lambda _, script: script[3], "3.3, trustful")):
        lines += [f"# Tables {speeds} and 3.4: {kind} scripts in tasks", "",
                  "For 10, 50 and 100 tasks: the largest, of all transitions; the speed-up over a depth-first search, if there were as many workers; the average and longest initialization path.", ""]
        rows = []
        for case in cases:
            known, script = THESIS.get(case["model"]), THESIS_SCRIPTS.get(case["model"])
            row_ = [case["model"]]
            for i, tasks in enumerate(WORKERS):
                found = case[kind]["tasks"][str(tasks)]
                row_ += [beside(f"{100 * found['largest'] / found['transitions']:.2f} %", known and f"{largest(known, script)[i]} %"),
                         f"{case['seconds']['dfs'] / (found['longest_task_s'] + found['division_s']):.1f}",
                         beside(f"{found['path_steps'] / found['regions']:.0f}", script and script[4][i]) + f", {found['longest_path']}"]
            rows.append(row_)
        lines += table(["model", *(head for tasks in WORKERS for head in (f"largest of {tasks}", "speed-up", "path"))], rows)
    return lines


def cell(found):
    return ("path" if found["limit"] == "path" else "-") if found["visits"] is None else f"{found['visits']:.2f}"


def cache_tables(cases):
    rooms = [found["room"] for found in next(iter(cases[0]["policies"].values()))]
    shares = " / ".join(f"{100 * room:.0f}" for room in rooms)
    lines = ["# Tables 4.1 and 4.2: caches", "", f"Visits per state with room for {shares} % of the states. -: stopped; path: the path alone does not fit.", ""]
    policies = list(cases[0]["policies"])
    rows = [[case["model"], str(case["states"]), f"{100 * case['path']:.2f} %",
             *(" / ".join(map(cell, case["policies"][policy])) for policy in policies)] for case in cases]
    lines += table(["model", "states", "path", *policies], rows)
    lines += [f"Time, relative to the exact store without a limit: without evictions, and of `nested` with room for {shares} %. In brackets cost-based caching in the thesis, with 25 and 75 %.", ""]
    rows = []
    for case in cases:
        known = THESIS.get(case["model"])
        times = ["-" if found["seconds"] is None else f"{found['seconds'] / case['exact_s']:.1f}" for found in case["policies"]["nested"]]
        rows.append([case["model"], f"{case['whole_s'] / case['exact_s']:.1f}", " / ".join(times), f"({known[5] or '-'}, {known[6]})" if known else ""])
    return lines + table(["model", "without evictions", "nested", "thesis"], rows)


def published_targets(cases):
    trustful = [speed_up(case, "certify_trustful") * case["states"] / case["transitions"] for case in cases]
    kept = [100 * case["full"]["fingerprints"] / case["states"] for case in cases]
    return [("trustful, least speed-up over depth-first, of transitions per state", ">= 0.7", min(trustful), lambda value: value >= 0.7),
            ("trustful, median speed-up over depth-first, of transitions per state", ">= 0.7", statistics.median(trustful), lambda value: value >= 0.7),
            ("full scripts, most fingerprints at once, in percent of the states", "<= 30", max(kept), lambda value: value <= 30)]


def target_table(results):
    cases = results["scripts"]
    two = statistics.median(case["elapsed_s"][0] / max(case["elapsed_s"][1], 0.001) for case in cases)
    short = [case["policies"]["nested"] for case in results["caches"] if case["path"] < SHORT_PATH]
    visits = {room: [found["visits"] for rows in short for found in rows if found["room"] == room] for room in (0.25, 0.5)}
    def worst(found):
        return float("inf") if None in found else max(found)

    tasks = [max(100 * largest_task(case, workers) for case in cases) for workers in WORKERS]
    rows = [("certification, median speed-up over depth-first", ">= 1.2", statistics.median(map(speed_up, cases)), lambda value: value >= 1.2),
            ("certification, least speed-up over depth-first", ">= 1.0", min(map(speed_up, cases)), lambda value: value >= 1),
            ("bytes per transition, most", "<= 0.12", max(case["bytes"] / case["transitions"] for case in cases), lambda value: value <= 0.12),
            ("closed set, bytes per state, most", "<= 0.5", max(case["set_bytes"] / case["states"] for case in cases), lambda value: value <= 0.5),
            ("producing, most extra time", "<= 0.03", max(map(producing, cases)), lambda value: value <= 0.03),
            *((f"largest of {workers} tasks, most, in percent", f"<= {most}", value, lambda value, most=most: value <= most)
              for workers, most, value in zip(WORKERS, (10.1, 2.1, 1.1), tasks)),
            ("two workers, median speed-up of wall-clock time", ">= 1.9", two, lambda value: value >= 1.9),
            *((f"nested with room for {100 * room:.0f} %, most visits per state", f"<= {most}", worst(visits[room]), lambda value, most=most: value <= most)
              for room, most in ((0.5, 1.3), (0.25, 4)) if short)]
    rows += published_targets(results["published"])
    rows += [("infinite runs, median speed-up over the same search", "> 1", statistics.median(map(runs.speed_up, results["runs"])), lambda value: value > 1),
             ("infinite runs, bytes per state, most", "<= 0.5", max(case["bytes"] / case["states"] for case in results["runs"]), lambda value: value <= 0.5)]
    return ["# Targets", "", *table(["what", "target", "measured", ""],
                                    [[what, target, f"{value:.3f}", "pass" if is_met(value) else "missed"] for what, target, value, is_met in rows])]


def tables(results, doc):
    lines = ["# Certificates and caches", "", doc.strip(), ""]
    parts = {"scripts": script_tables, "published": published_tables, "runs": runs.tables, "caches": cache_tables}
    for part, make in parts.items():
        lines += make(results[part]) if results[part] else []
    if all(results.values()):
        lines += target_table(results)
    return "\n".join(lines)
