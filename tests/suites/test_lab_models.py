"""The models of the experiments on coverage: what lab/coverage/models.json says about them is true.

An estimate is judged by the exact number of states, so a wrong number there would make a wrong table. The
normal run checks the half with the fewest states, --long all.
"""

import json
import math
import re

SETS = {"filters": 7, "growth": 12, "montecarlo": 9}  # and how many models each has at least
MEMBERS = {"name", "file", "kind", "options", "sets", "states", "transitions", "held_out"}
UNREDUCED = ["--reduce", "none"]
LARGEST_SLOW = 100_000  # states, with an instrumented build
SIZES = re.compile(r"Without reduction at the defaults: states=(\d+) transitions=(\d+)")


def folder(ctx):
    return ctx.root / "lab" / "coverage"


def entries(ctx):
    return json.loads((folder(ctx) / "models.json").read_text())


def affordable(ctx, found):
    """Of these (states, ...) the smaller half, or all with --long."""
    found = sorted(found, key=lambda item: item[0])
    if ctx.long:
        return found
    return [item for item in found[:math.ceil(len(found) / 2)] if not ctx.slow or item[0] < LARGEST_SLOW]


def sizes_in_header(path):
    """What the first comment of a model says: states, transitions."""
    text = path.read_text()
    header = text[:text.index("*/")]
    assert text.startswith("/* ") and 3 <= header.count("\n") + 1 <= 8, f"{path.name}: a comment of 3 to 8 lines"
    found = SIZES.search(header)
    assert found, f"{path.name}: its first comment does not say its sizes"
    return int(found[1]), int(found[2])


def check(ctx, file, options):
    """Checks a model; returns states and transitions of one that holds."""
    result = ctx.run_spoor(["check", "--json", *options, folder(ctx) / "models" / file], timeout=120)
    assert result.code == 0, f"{file} {options}: {result.out[:1000]}{result.err}"
    report = json.loads(result.out)
    assert report["verdict"] == "holds" and not report["warnings"], f"{file}: {report['warnings']}"
    return report["states"], report["transitions"]


def test_models_have_the_states_that_the_list_says(ctx):
    chosen = affordable(ctx, [(entry["states"], entry["name"], entry) for entry in entries(ctx)])
    assert chosen
    for _, name, entry in chosen:
        found = check(ctx, entry["file"], entry["options"])
        assert found == (entry["states"], entry["transitions"]), f"{name}: {found}"


def test_reduced_models_have_the_states_that_their_headers_say(ctx):
    """Of the others the list says the same as the header; see the next test."""
    listed = {entry["file"] for entry in entries(ctx) if entry["options"] == UNREDUCED}
    paths = [path for path in (folder(ctx) / "models").glob("*.pml") if path.name not in listed]
    assert paths
    for states, name, path in affordable(ctx, [(sizes_in_header(p)[0], p.name, p) for p in paths]):
        found = check(ctx, name, UNREDUCED)
        assert found == sizes_in_header(path), f"{name}: {found}, not {states}"


def test_headers_say_what_the_list_says(ctx):
    for entry in entries(ctx):
        sizes = sizes_in_header(folder(ctx) / "models" / entry["file"])
        if entry["options"] == UNREDUCED:
            assert sizes == (entry["states"], entry["transitions"]), f"{entry['file']}: {sizes}"


def test_reduced_models_have_the_same_states_depth_first(ctx):
    reduced = [entry for entry in entries(ctx) if entry["kind"] == "reduced"]
    assert len(reduced) >= 3 and all(entry["options"][:2] != UNREDUCED for entry in reduced)
    for states, name, entry in affordable(ctx, [(e["states"], e["name"], e) for e in reduced]):
        found = check(ctx, entry["file"], [*entry["options"], "--search", "dfs"])
        assert found[0] == states, f"{name}: {found}"


def test_the_list_is_complete_and_in_order(ctx):
    found = entries(ctx)
    names = [entry["name"] for entry in found]
    assert names == sorted(set(names)), names
    files = {path.name for path in (folder(ctx) / "models").glob("*.pml")}
    assert files == {entry["file"] for entry in found}
    for entry in found:
        assert set(entry) == MEMBERS and entry["sets"] and set(entry["sets"]) <= set(SETS), entry
        assert 10_000 <= entry["states"] <= 1_000_000, entry
    for name, least in SETS.items():
        assert sum(name in entry["sets"] for entry in found) >= least, name


def test_a_third_of_each_set_is_held_out_by_the_rule(ctx):
    found = entries(ctx)
    by_rule = set()
    for name in SETS:
        members = sorted((entry["kind"], entry["name"]) for entry in found if name in entry["sets"])
        by_rule |= {member for _, member in members[::3]}
    assert by_rule == {entry["name"] for entry in found if entry["held_out"]}


def test_the_table_in_the_readme_is_the_list(ctx):
    text = (folder(ctx) / "models" / "README.md").read_text()
    rows = re.findall(r"^\| (\w+) \| (\w+) \| ([\w, ]+) \| (\d+) \| (\d+) \| (yes|no) \|$", text, re.M)
    assert rows == [(e["name"], e["kind"], ", ".join(e["sets"]), str(e["states"]), str(e["transitions"]),
                     "yes" if e["held_out"] else "no") for e in entries(ctx)]


def test_the_random_graph_of_the_readme_is_as_it_says(ctx):
    text = (folder(ctx) / "models" / "README.md").read_text()
    make = re.search(r"`spoor (graph random [^`]*-o g\.aut)`", text)[1].split()
    ask = re.search(r"`spoor (check [^`]*g\.aut)`", text)[1].split()
    assert ctx.run_spoor(make).code == 0
    report = json.loads(ctx.run_spoor([*ask, "--json"]).out)
    assert f"{report['states']} states and {report['transitions']} transitions" in text, report["states"]


def test_the_experiment_on_coverage_writes_its_tables(ctx):
    if ctx.slow:
        ctx.skip("an instrumented program would take minutes")
    result = ctx.run([ctx.root / "lab" / "run", "coverage", "--quick", "--part", "growth", "--models", "brp", "--program", ctx.spoor,
                      "--output", ctx.tmp / "results"], timeout=300)
    assert result.code == 0, (result.out, result.err)
    for name in ("coverage.md", "coverage.json", "coverage-brp.svg", "coverage-error-growth_curve.svg", "coverage-fit-brp.svg",
                 "coverage-estimates-brp.svg"):
        assert (ctx.tmp / "results" / name).stat().st_size > 500, name
    cases = json.loads((ctx.tmp / "results" / "coverage.json").read_text())["cases"]
    assert len(cases) >= 27 and {case["k"] for case in cases} == {1, 2, 3}, len(cases)
    assert any(case["actual"] < 0.2 for case in cases) and any(case["actual"] > 0.9 for case in cases)


def test_the_experiment_on_searches_without_memory_writes_its_table(ctx):
    if ctx.slow:
        ctx.skip("an instrumented program would take minutes")
    result = ctx.run([ctx.root / "lab" / "run", "coverage", "--quick", "--part", "montecarlo", "--models", "alternating_bit",
                      "--program", ctx.spoor, "--output", ctx.tmp / "results"], timeout=600)
    assert result.code == 0, (result.out, result.err)
    assert "held out" in (ctx.tmp / "results" / "montecarlo.md").read_text()
    cases = json.loads((ctx.tmp / "results" / "montecarlo.json").read_text())["cases"]
    assert {case["limit"] for case in cases} == {3, 10, 25, 50, 75, 95}, cases
    for case in cases:
        assert abs(case["estimates"]["ours"][0] - case["actual"]) < 0.3, case
