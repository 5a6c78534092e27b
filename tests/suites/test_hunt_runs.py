"""spoor hunt for infinite runs: its answers beside those of a check, its lassos, what it prints."""

import json
import pathlib
import sys

import jsonschema
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from generator import generate_case  # noqa: E402
from lib.expectations import read_properties  # noqa: E402

METHODS = ["auto", "walk", "dfs", "bfs", "beam", "narrow", "tuple", "greedy", "astar", "wastar", "eda", "indfs"]

# The light can be switched for ever before the door opens: a stem of one step, a cycle of two.
LIGHT = """bool light, open;
active proctype Switch() { do :: light = true; light = false od }
active proctype Door() { (light) -> open = true }
ltl opens { <> open }
"""


def write(ctx, text, name="m.pml"):
    path = ctx.tmp / name
    path.write_text(text)
    return path


def hunt(ctx, path, *options, tier="interp", expect=None):
    ran = ctx.run_spoor(["hunt", "--json", "--exec", tier, *map(str, options), str(path)], timeout=120)
    assert ran.code in (0, 1, 3), (ran.out, ran.err)
    if expect is not None:
        assert ran.code == expect, (ran.code, ran.out, ran.err)
    report = json.loads(ran.out)
    schema = json.loads((ctx.root / "docs" / "check.schema.json").read_text())
    jsonschema.validate(report, schema, jsonschema.Draft7Validator)
    return report


def verdict_of_check(ctx, path, *options):
    ran = ctx.run_spoor(["check", "--json", "--exec", "interp", "--ledger", "none", *options, str(path)], timeout=120)
    return None if ran.code == 2 else json.loads(ran.out)["verdict"]


def steps_of(report):
    return report["hunt"]["best"]["steps"]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_a_lasso(ctx, method):
    path = write(ctx, LIGHT)
    report = hunt(ctx, path, "--property", "ltl:opens", "--method", method, "--expansions", 5000, expect=1)
    violation = report["violations"][0]
    assert violation["kind"] == "acceptance-cycle" and violation["trace"]["loop"] is not None
    assert report["claim"]["states"] >= 1
    assert steps_of(report) >= 2
    if method in ("auto", "bfs"):
        assert violation["is_shortest"] and steps_of(report) == 2, report["hunt"]


def test_a_lasso_is_an_ordinary_trace(ctx):
    path = write(ctx, LIGHT)
    trace = ctx.tmp / "t.json"
    ran = ctx.run_spoor(["hunt", "--property", "ltl:opens", "--exec", "interp", "--trace", str(trace), str(path)])
    assert ran.code == 1 and "violated by an infinite run" in ran.out and "no trace has fewer steps" in ran.out, ran.out
    confirmed = ctx.run_spoor(["certify", str(path), str(trace)])
    assert confirmed.code == 0 and confirmed.out.startswith("confirmed"), confirmed.out
    assert ctx.run_spoor(["trace", str(path), str(trace)]).code == 0


def test_hunts_have_the_verdicts_in_the_headers_of_our_models(ctx):
    found = held = 0
    for path in sorted((ctx.root / "tests" / "models").glob("*.pml"))[::3 if ctx.slow else 1]:
        for name, kind in read_properties(path.read_text()).items():
            for method in ("auto", "indfs"):
                report = hunt(ctx, path, "--property", name, "--method", method, "--expansions", 20_000)
                assert report["verdict"] == ("violated" if kind else "holds"), (path.name, name, method)
                assert [v["kind"] for v in report["violations"]] == ([kind] if kind else []), (path.name, name)
                found += kind is not None
                held += kind is None
    ctx.count(found + held, 0, 0)
    assert found and held


def test_hunts_agree_with_checks_on_random_models_and_formulas(ctx):
    """A lasso only where the check has one; where a hunt ends by itself, the verdict of the check."""
    verdicts = []
    for seed in range(1, 9 if ctx.slow else 400 if ctx.long else 41):
        case = generate_case(70_000 + seed)
        kind = ("ltl:p", "accept", "progress")[0 if seed % 4 else 1 + seed // 4 % 2]
        path = write(ctx, str(case.with_ltl() if kind == "ltl:p" else case.tree))
        fair = ["--fair"] if seed % 5 == 0 else []
        expected = verdict_of_check(ctx, path, "--property", kind, "--time", "20", *fair)
        if expected in (None, "unknown"):
            continue
        for method in ("auto", "indfs", ("walk", "dfs", "bfs", "beam", "narrow", "tuple", "greedy", "astar", "eda")[seed % 8]):
            for tier in ("interp", "native") if seed % 10 == 3 and not ctx.slow else ("interp",):
                report = hunt(ctx, path, "--property", kind, "--method", method, "--seed", seed, "--expansions", 3000, *fair,
                              tier=tier)
                assert report["verdict"] in (expected, "unknown"), (seed, kind, method, tier, expected, path.read_text())
        verdicts.append(expected)
    ctx.count(len(verdicts), 0, 0)
    assert ctx.slow or (len(verdicts) >= 20 and len(set(verdicts)) == 2), verdicts


def test_both_tiers_make_the_same_hunt(ctx):
    path = write(ctx, LIGHT + "active [3] proctype P() { byte n; do :: n = (n + 1) % 5 od }\n")
    for method in ("auto", "indfs", "greedy"):
        runs = [hunt(ctx, path, "--property", "ltl", "--method", method, "--seed", 4, "--expansions", 4000, tier=tier)
                for tier in ("interp", "native")]
        figures = [(run["hunt"]["expansions"], run["violations"][0]["trace"]["attempts"]) for run in runs]
        assert figures[0] == figures[1]


def test_a_hunt_without_a_property_is_for_all(ctx):
    path = write(ctx, LIGHT.replace("active proctype Door()", "active proctype Door() provided (true)"))
    ran = ctx.run_spoor(["hunt", "--exec", "interp", "--expansions", "5000", str(path)])
    assert ran.code == 1 and "the formula opens is violated" in ran.out, ran.out
    # The first violation ends the hunt.
    path = write(ctx, LIGHT + "ltl second { [] !open }\n")
    report = hunt(ctx, path, "--expansions", 5000, expect=1)
    assert [left["property"] for left in report["not_checked"]] == ["ltl:second"], report["not_checked"]
    report = hunt(ctx, path, "--ltl", "[] !(open && light)", "--property", "ltl", "--expansions", 5000)
    assert report["verdict"] == "violated"


def test_only_fair_runs_count_with_fairness(ctx):
    path = write(ctx, "bool done; active proctype P() { do :: skip od } active proctype Q() { done = true }\nltl p { <> done }\n")
    assert hunt(ctx, path, "--property", "ltl:p", "--expansions", 5000, expect=1)
    for method in ("auto", "bfs", "indfs"):
        assert hunt(ctx, path, "--property", "ltl:p", "--fair", "--method", method, "--expansions", 5000, expect=0)
    ran = ctx.run_spoor(["hunt", "--fair", "--property", "safety", str(path)])
    assert ran.code == 2 and "--fair needs a property of infinite runs" in ran.err, ran.err
    ran = ctx.run_spoor(["hunt", "--ltl", "<> done", "--invariant", "!done", str(path)])
    assert ran.code == 2 and "only one of" in ran.err, ran.err


def test_the_claim_leads_the_hunt(ctx):
    """The claim needs the counter at 40 twice; without its estimate a greedy search goes everywhere."""
    path = write(ctx, "byte x; active proctype P() { do :: x < 200 -> x++ :: x > 0 -> x-- od }\n"
                      "active [2] proctype Q() { byte n; do :: n++ od }\nltl p { !(<> (x == 40 && <> [] (x > 38))) }\n")
    options = ["--property", "ltl:p", "--method", "greedy", "--expansions", 3000, "--first"]
    assert hunt(ctx, path, *options, expect=1)["violations"][0]["kind"] == "acceptance-cycle"
    assert hunt(ctx, path, *options, "--heuristic", "enabled")["verdict"] == "unknown"


@pytest.mark.parametrize("model, defines", [("alternating_bit", []), ("elevator", ["-DFLOORS=20"]), ("elevator", ["-DFLOORS=40"]),
                                            ("giop", ["-DRESPONSE", "-DUSERS=10"]), ("plant", [])])
def test_every_seed_finds_the_lassos_of_the_lab(ctx, model, defines):
    path = ctx.root / "lab" / "hunt" / "models" / f"{model}.pml"
    for seed in range(1, 3 if ctx.slow else 6):
        report = hunt(ctx, path, *defines, "--property", "ltl", "--first", "--seed", seed, "--expansions", 20_000, expect=1)
        assert report["hunt"]["first"]["expansions"] < 5000, report["hunt"]


def test_a_lasso_is_made_shorter(ctx):
    path = ctx.root / "lab" / "hunt" / "models" / "elevator.pml"
    report = hunt(ctx, path, "-DFLOORS=4", "--property", "ltl", "--expansions", 100_000, expect=1)
    assert steps_of(report) == 27 and report["violations"][0]["is_shortest"], report["hunt"]


def test_what_processes_do_in_vain_is_left_out_of_a_lasso(ctx):
    """A run that presses all buttons is long; three are enough, and then the length does not depend on the floors. (Without
    elimination 61 steps and more are left.)"""
    path = ctx.root / "lab" / "hunt" / "models" / "elevator.pml"
    for floors, seed in ((20, 1),) if ctx.slow else ((20, 1), (20, 2), (30, 3)):
        report = hunt(ctx, path, f"-DFLOORS={floors}", "--property", "ltl", "--seed", seed, "--expansions", 60_000, expect=1)
        assert 27 <= steps_of(report) <= 40 < report["hunt"]["first"]["steps"], report["hunt"]


def test_a_formula_that_is_always_true_holds_trivially(ctx):
    path = write(ctx, LIGHT.replace("<> open", "<> open || [] !open"))
    ran = ctx.run_spoor(["hunt", "--property", "ltl", "--exec", "interp", str(path)])
    assert ran.code == 0 and "holds trivially" in ran.out, ran.out
    assert hunt(ctx, path, "--property", "ltl", expect=0)["hunt"]["expansions"] == 0
