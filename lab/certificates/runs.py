"""Certificates of infinite runs: closed sets whose members have ranks, for formulas that hold."""

from coverage.common import all_models, row

# A model, a formula that holds, and whether for weakly fair runs only.
FORMULAS = (
    ("leader", "<> (leaders == 1)", False), ("leader", "<> (leaders == 1)", True),
    ("peterson", "[] <> (inside == 1)", False), ("peterson", "[] <> (inside == 1)", True),
    ("readers_writers", "[] (queued > 0 -> <> writing)", True), ("readers_writers", "[]<> writing -> []<> (at_work_writers > 0)", False),
    ("scheduler", "[] (ticks == 2 -> <> (ticks == 0))", True), ("scheduler", "[]<> (current != 5)", True),
    ("elevator", "[]<> door_open -> []<> (!door_open)", True),
)
SAME = ("--reduce", "merge,dead")


def chosen(options):
    wanted = options.models.split(",") if options.models else [name for name, _, _ in FORMULAS]
    files = {model["name"]: model for model in all_models()}
    return [(files[name], formula, is_fair) for name, formula, is_fair in FORMULAS if name in wanted]


def measure(model, formula, is_fair, turns):
    asked = ("--ltl", formula, *(("--fair",) if is_fair else ()))
    check = ("check", "--json", "--coverage", "off", "--threads", "1", "--property", "ltl:given", *asked)
    produce = (*check, "--certificate", "runs", model.path)
    model.run(*produce)  # compiles the model, for all of them
    model.run("certify", "--json", *asked, "--jobs", "1", model.path, "runs")
    model.run(*check, model.path)
    best = model.best({"default": lambda: model.run(*check, model.path), "search": lambda: model.run(*check, *SAME, model.path),
                       "produce": lambda: model.run(*produce),
                       "certify": lambda: model.run("certify", "--json", *asked, "--jobs", "1", model.path, "runs")}, turns)
    search, report = best["search"][1], best["certify"][1]
    if report["answer"] != "confirmed" or report["states"] != best["produce"][1]["states"]:
        raise SystemExit(f"lab: {model.model['name']}, {formula}: {report}")
    return {"model": model.model["name"], "formula": formula, "fair": is_fair, "states": report["states"], "transitions": report["transitions"],
            "seconds": {name: round(found[0], 4) for name, found in best.items()}, "bytes": report["bytes"],
            "memory_bytes": report["memory_bytes"], "search_memory_bytes": search["search_memory_bytes"]}


def speed_up(case):
    return case["seconds"]["search"] / case["seconds"]["certify"]


def tables(cases):
    lines = ["# Infinite runs", "", "Default: all reductions. Search: with those that a certificate has (merge, dead); producing and the speed-up are compared with it.", "",
             row(["model", "formula", "states", "transitions", "default s", "search s", "producing", "bytes per state", "speed-up", "memory of that of the search"]),
             row(["---"] * 10)]
    for case in cases:
        seconds = case["seconds"]
        lines.append(row([case["model"], f"`{case['formula'].replace('|', '&#124;')}`" + (", fair" if case["fair"] else ""), str(case["states"]), str(case["transitions"]),
                          f"{seconds['default']:.3f}", f"{seconds['search']:.3f}", f"{100 * (seconds['produce'] / seconds['search'] - 1):+.0f} %",
                          f"{case['bytes'] / case['states']:.3f}", f"{speed_up(case):.2f}", f"{100 * case['memory_bytes'] / case['search_memory_bytes']:.1f} %"]))
    return [*lines, ""]
