"""Certificates, and searches in a cache: what they cost, beside the figures of the thesis.

Scripts as published: full and trustful ones, certified as a whole and as tasks of Algorithm 3.2, one after the other. Their times for N workers are
those of the longest task and of cutting the script; initialization paths are part of the tasks.

Scripts: each model is searched depth-first and breadth-first; a search leaves a certificate of each form, and the certificate is confirmed.
Caches: a depth-first search with room for a share of the states, for each policy.

Infinite runs: formulas that hold, as closed sets with ranks.

Models are those of lab/coverage whose names are in the thesis, and others like them, without reductions. One thread, compiled code, which is in
the cache before the measurement. CPU seconds of the whole program, the best of some turns; all kinds of a model take turns. If a
certificate is not confirmed, or has other figures than the search, the experiment ends. A search in a cache is stopped after so many times the time
of the same store without evictions.
"""

import json
import pathlib
import tempfile

from certificates import runs
from certificates.tables import tables
from coverage.common import MODELS, measured, models

TURNS = 5
ROOMS = (0.75, 0.5, 0.25)
POLICIES = ("nested", "stratified", "random", "age", "hits", "depth", "cost", "components")
PARTS = ("scripts", "published", "runs", "caches")
TASKS = (10, 50, 100)
CUT = 15
LEAST_CUT_S = 2
PLAIN = ("--json", "--property", "safety", "--coverage", "off", "--threads", "1")


class Model:
    """Runs the program on one model, with files in a folder of its own."""

    def __init__(self, options, model, folder):
        self.options, self.model, self.folder = options, model, pathlib.Path(folder)
        self.path = MODELS / model["file"]
        self.exec = ("--exec", "interp" if options.quick else "native")

    def run(self, command, *arguments, codes=(0,)):
        """CPU seconds, and the report."""
        line = [pathlib.Path(self.options.program).resolve(), command, *self.exec, *map(str, arguments)]
        return measured(line, self.folder, codes)

    def check(self, *arguments, **how):
        return self.run("check", *PLAIN, "--reduce", "none", *arguments, self.path, **how)

    def certify(self, name, *arguments):
        return self.run("certify", "--json", *arguments, self.path, name)

    def best(self, kinds, turns):
        """For each kind, a function, the best of some turns."""
        best = {}
        for _ in range(turns):
            for name, measure in kinds.items():
                found = measure()
                best[name] = min(best.get(name, found), found, key=lambda item: item[0])
        return best


def scripts(model, turns):
    elapsed_s = {"certify": [], "certify_two": []}  # the turn with the least CPU time need not have the least

    def certify(name, jobs):
        found = model.certify("compact", "--jobs", jobs)
        elapsed_s[name].append(found[1]["elapsed_s"])
        return found

    kinds = {"dfs": lambda: model.check("--search", "dfs"), "bfs": lambda: model.check("--search", "bfs"),
             "produce": lambda: model.check("--certificate", "compact"),
             "certify": lambda: certify("certify", 1),
             "produce_set": lambda: model.check("--certificate", "set", "--certificate-kind", "closed-set"),
             "certify_set": lambda: model.certify("set", "--jobs", "1"),
             "certify_two": lambda: certify("certify_two", 2)}
    best = model.best(kinds, turns)
    states, transitions = (best["dfs"][1][name] for name in ("states", "transitions"))
    for name in ("certify", "certify_set"):
        report = best[name][1]
        # A search counts the step into the initial state as well.
        if report["answer"] != "confirmed" or (report["states"], report["transitions"]) != (states, transitions - 1):
            raise SystemExit(f"lab: {model.model['name']}: {name} answers {report}")
    one = best["certify"][1]
    tasks = {}
    for count in TASKS:
        found = [model.certify("compact", "--jobs", "1", "--tasks", count)[1]["division"] for _ in range(min(3, turns))]
        best_found = min(found, key=lambda division: division["longest_task_s"] + division["division_s"])
        tasks[str(count)] = {name: best_found[name] for name in ("largest_task", "longest_task_s", "division_s")}
    return {"tasks": tasks, "model": model.model["name"], "states": states, "transitions": transitions, "depth": best["dfs"][1]["depth"],
            "seconds": {name: round(found[0], 4) for name, found in best.items()},
            "elapsed_s": [min(elapsed_s[name]) for name in ("certify", "certify_two")],
            "bytes": one["bytes"], "set_bytes": best["certify_set"][1]["bytes"], "regions": one["regions"],
            "largest_region": one["largest_region"], "memory_bytes": one["memory_bytes"],
            "dfs_memory_bytes": best["dfs"][1]["search_memory_bytes"]}


def published(model, turns):
    """Full and trustful scripts: made, certified as a whole, and as tasks one by one."""
    for kind in ("full", "trustful"):  # compiles the model with labels of steps
        model.check("--certificate", kind, "--certificate-kind", kind)
        model.certify(kind, "--jobs", "1")
    kinds = {"dfs": lambda: model.check("--search", "dfs")}
    for kind in ("full", "trustful"):
        kinds[f"produce_{kind}"] = lambda kind=kind: model.check("--certificate", kind, "--certificate-kind", kind)
        kinds[f"certify_{kind}"] = lambda kind=kind: model.certify(kind, "--jobs", "1")
    kinds["two_full"] = lambda: model.certify("full", "--jobs", "2")
    best = model.best(kinds, turns)
    dfs = best["dfs"][1]
    case = {"model": model.model["name"], "states": dfs["states"], "transitions": dfs["transitions"],
            "dfs_memory_bytes": dfs["search_memory_bytes"], "seconds": {name: round(found[0], 4) for name, found in best.items()},
            "two_fingerprints": best["two_full"][1]["fingerprints"],
            "elapsed_s": [best[name][1]["elapsed_s"] for name in ("certify_full", "two_full")]}
    for kind in ("full", "trustful"):
        report = best[f"certify_{kind}"][1]
        steps = dfs["transitions"] - 1 if kind == "full" else dfs["states"] - 1
        if report["answer"] != "confirmed" or (report["states"], report["transitions"]) != (dfs["states"], steps):
            raise SystemExit(f"lab: {case['model']}: a {kind} script is answered {report}")
        case[kind] = {"bytes": report["bytes"], "memory_bytes": report["memory_bytes"], "fingerprints": report["fingerprints"], "tasks": {}}
        for tasks in TASKS:
            found = [model.certify(kind, "--jobs", "1", "--tasks", tasks)[1] for _ in range(min(3, turns))]
            report = min(found, key=lambda report: report["division"]["longest_task_s"])
            case[kind]["tasks"][str(tasks)] = {"largest": report["largest_region"], "regions": report["regions"], "transitions": report["transitions"],
                                               **report["division"], "fingerprints": report["fingerprints"]}
    return case


def caches(model, states, policies):
    exact_s = min(model.check("--search", "dfs")[0] for _ in range(3))
    whole_s, whole = min((model.check("--store", "cache", "--cache-states", states + 1) for _ in range(3)), key=lambda found: found[0])
    limit_s = max(LEAST_CUT_S, CUT * whole_s)
    case = {"model": model.model["name"], "states": states, "exact_s": round(exact_s, 4), "whole_s": round(whole_s, 4),
            "path": (whole["depth"] + 1) / states, "policies": {}}
    for policy in policies:
        rows = case["policies"][policy] = []
        for room in ROOMS:
            if rows and rows[-1]["limit"] is not None:  # with less room it takes longer
                rows.append({"room": room, "limit": rows[-1]["limit"], "visits": None, "seconds": None})
                continue
            seconds, report = model.check("--store", "cache", "--policy", policy, "--cache-states", int(room * states),
                                          "--time", round(limit_s, 2), codes=(0, 3))
            is_cut = report["limit"] is not None
            rows.append({"room": room, "limit": report["limit"], "visits": None if is_cut else report["states"] / states,
                         "seconds": None if is_cut else round(seconds, 4)})
    return case


def run(options):
    path = options.output / "certificates.json"
    wanted = options.tables.split(",") if options.tables else PARTS
    turns = 1 if options.quick else TURNS
    chosen = models(options, "montecarlo")
    again = {model["name"] for model in chosen}
    old = json.loads(path.read_text()) if path.exists() else {}
    keeps = options.models or options.tables
    results = {part: [case for case in old.get(part, []) if keeps and (part not in wanted or case["model"] not in again)] for part in PARTS}

    def write():
        lines = {part: ",\n".join(map(json.dumps, cases)) for part, cases in results.items()}
        path.write_text("{" + ", ".join(f'"{part}": [\n{lines[part]}\n]' for part in PARTS) + "}\n")
        (options.output / "certificates.md").write_text(tables(results, __doc__))

    if "runs" in wanted:
        results["runs"] = [case for case in old.get("runs", []) if options.models and case["model"] not in options.models.split(",")]
        for model, formula, is_fair in runs.chosen(options):
            with tempfile.TemporaryDirectory(prefix="spoor-lab-") as folder:
                results["runs"].append(runs.measure(Model(options, model, folder), formula, is_fair, turns))
            print(f"{model['name']}: {formula}", flush=True)
        results["runs"].sort(key=lambda case: case["model"])
        write()
    for model in chosen:
        with tempfile.TemporaryDirectory(prefix="spoor-lab-") as folder:
            runner = Model(options, model, folder)
            runner.check("--depth", "2", codes=(0, 3))  # compiles the model
            measured = {"scripts": lambda: scripts(runner, turns), "published": lambda: published(runner, turns),
                        "caches": lambda: caches(runner, model["states"], POLICIES[:1] if options.quick else POLICIES)}
            for part in [part for part in wanted if part in measured]:
                results[part] = sorted([*results[part], measured[part]()], key=lambda item: item["model"])
        print(f"{model['name']}: {model['states']} states", flush=True)
        write()
    print((options.output / "certificates.md").read_text())
