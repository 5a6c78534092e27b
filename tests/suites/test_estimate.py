"""spoor estimate: how many states there are, and what to do about it."""

import json
import xml.etree.ElementTree

import jsonschema

# N processes, each with a counter of its own: (L + 1)^N states.
COUNTERS = """
#ifndef N
#define N 5
#endif
#ifndef L
#define L 9
#endif
active [N] proctype P() { byte i; end: do :: i = (i + 1) % (L + 1) od }
"""


def estimate(ctx, text, *args, code=None):
    """Runs `estimate --json`, validates what it prints, and returns it."""
    (ctx.tmp / "m.pml").write_text(text)
    result = ctx.run_spoor(["estimate", "--json", "--reduce", "none", *args, "m.pml"], cwd=ctx.tmp)
    report = json.loads(result.out)
    if code is not None:
        assert result.code == code, (result.code, result.out, result.err)
    if "error" in report:
        return report
    schema = json.loads((ctx.root / "docs" / "estimate.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    jsonschema.Draft7Validator(schema).validate(report)
    return report


def test_a_small_model_is_counted(ctx):
    report = estimate(ctx, COUNTERS, "-DN=3", code=0)
    assert report["total"] == {"estimate": 1000, "low": 1000, "high": 1000, "exact": True}, report
    assert report["states"] == 1000 and report["coverage"]["estimate"] == 1, report
    assert report["coverage"]["method"] == "exhaustive" and not report["runs"], report


def test_a_model_that_does_not_fit_is_estimated(ctx):
    report = estimate(ctx, COUNTERS, "-DN=6", "--memory", "6M", "--time", "30" if ctx.slow else "8", code=0)
    assert not report["total"]["exact"], report
    assert 0.8e6 < report["total"]["estimate"] < 1.25e6, report["total"]
    assert report["states"] == report["runs"][-1]["states"]
    sizes = [run["bits"] for run in report["runs"]]
    assert len(sizes) >= 6 and all(b == 2 * a for a, b in zip(sizes, sizes[1:])), sizes
    for run in report["runs"]:
        assert run["states"] <= run["bits"] and run["met"] > 0.95 * run["states"], run
    assert set(report["coverage"]["all"]) >= {"stern", "dillinger", "growth_curve", "simple_formula"}
    needs = {need["store"]: need for need in report["needs"]}
    assert needs["exact"]["memory_bytes"] > 6 << 20 and not needs["exact"]["fits"], needs
    assert needs["exact"]["memory_bytes"] > needs["tree"]["memory_bytes"] > needs["bitstate"]["memory_bytes"], needs


def test_equal_seeds_give_equal_searches(ctx):
    def states(*args):
        runs = estimate(ctx, COUNTERS, "-DN=5", "--memory", "3M", "--time", "30", *args)["runs"]
        return [run["states"] for run in runs[:8]]
    assert states() == states()
    assert states() != states("--seed", "2")


def test_a_long_line_of_states_is_warned_of(ctx):
    # A wide part, then a line, and behind it as much again.
    thin = """
    byte a, b, c; short line; bool beyond;
    active proctype P() { end: do :: !beyond && a < 30 -> a++ :: !beyond && a == 30 -> a = 0
                              :: beyond && a < 60 -> a++ :: beyond && a == 60 -> a = 0 od }
    active proctype Q() { end: do :: b < 30 -> b++ :: b == 30 -> b = 0 od }
    active proctype R() { end: do :: line < 3000 && a == 0 && b == 0 && c == 0 -> d_step { line++ } 
                              :: line > 0 && line < 3000 -> line++
                              :: line == 3000 && !beyond -> beyond = true
                              :: beyond && c < 40 -> c++ :: beyond && c == 40 -> c = 0 od }
    """
    report = estimate(ctx, thin, "--memory", "1M", "--time", "30" if ctx.slow else "6")
    if report["warning"] is not None:
        assert "thin" in report["warning"], report
    # Whatever was seen, nobody claims to know better than the searches.
    if report["total"]["estimate"] is not None:
        assert report["total"]["estimate"] >= report["states"] * 0.99, report["total"]


def test_the_chart_is_svg(ctx):
    (ctx.tmp / "m.pml").write_text(COUNTERS)
    args = ["estimate", "--reduce", "none", "-DN=5", "--memory", "3M", "--time", "10"]
    result = ctx.run_spoor([*args, "--svg", "c.svg", "m.pml"], cwd=ctx.tmp)
    assert result.code == 0, (result.out, result.err)
    root = xml.etree.ElementTree.parse(ctx.tmp / "c.svg").getroot()
    assert root.tag.endswith("svg") and "growth curve" in (ctx.tmp / "c.svg").read_text()
    assert "size of the filter" in result.out and "│" in result.out, result.out
    ascii_only = ctx.run_spoor([*args, "--ascii", "m.pml"], cwd=ctx.tmp)
    assert ascii_only.out.isascii(), ascii_only.out
    quiet = ctx.run_spoor([*args, "--quiet", "m.pml"], cwd=ctx.tmp)
    assert quiet.out.count("\n") == 1 and quiet.out.startswith("about"), quiet.out


def test_bad_input_is_told(ctx):
    assert estimate(ctx, "active proctype A() { x = 1 }", code=2)["error"]
    for args in (["--time", "never"], ["--memory", "0"], ["--seed", "-1"], ["--hashes", "2"]):
        result = ctx.run_spoor(["estimate", *args, "m.pml"], cwd=ctx.tmp)
        assert result.code == 2 and "spoor" in result.err, (args, result.err)
    assert ctx.run_spoor(["estimate", "nowhere.pml"], cwd=ctx.tmp).code == 2


def test_swarms_see_more_together(ctx):
    (ctx.tmp / "m.pml").write_text(COUNTERS)
    def check(*args, code=0):
        result = ctx.run_spoor(["check", "--json", "--reduce", "none", "--store", "bitstate", "--bits", "2^14",
                                "-DN=5", *args, "m.pml"], cwd=ctx.tmp)
        assert result.code == code, (result.code, result.out, result.err)
        return json.loads(result.out)
    alone = check()
    swarm = check("--swarm", "12", "--threads", "2")
    assert len(swarm["swarm"]["searches"]) == 12, swarm["swarm"]
    assert swarm["swarm"]["seen"] > 2 * alone["states"], (swarm["swarm"], alone["states"])
    assert swarm["swarm"]["seen"] < 1.04 * 100_000
    repeated = check("--bits", "2^22", "--repeat", "30")["swarm"]
    assert repeated["stopped_growing"] and len(repeated["searches"]) < 10, repeated
    assert abs(repeated["seen"] - 100_000) < 4_000, repeated


def test_a_swarm_finds_a_violation_and_stops(ctx):
    (ctx.tmp / "m.pml").write_text("byte x; active proctype A() { do :: x < 100 -> x++; assert(x != 50) :: else -> break od }")
    result = ctx.run_spoor(["check", "--json", "--store", "bitstate", "--swarm", "50", "m.pml"], cwd=ctx.tmp)
    report = json.loads(result.out)
    assert result.code == 1 and report["violations"][0]["kind"] == "assertion", report
    assert len(report["swarm"]["searches"]) < 50, report["swarm"]


def test_what_does_not_go_with_swarms_is_refused(ctx):
    (ctx.tmp / "m.pml").write_text(COUNTERS + "ltl p { [] true }")
    for args in (["--swarm", "3"], ["--repeat", "3"], ["--store", "bitstate", "--swarm", "2", "--repeat", "2"],
                 ["--store", "bitstate", "--swarm", "0"], ["--store", "bitstate", "--swarm", "2", "--property", "ltl"]):
        result = ctx.run_spoor(["check", *args, "m.pml"], cwd=ctx.tmp)
        assert result.code == 2, (args, result.out, result.err)
