"""spoor estimate: how many states there are, and what to do about it."""

import json
import xml.etree.ElementTree

import jsonschema
import pytest

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
    result = ctx.run_spoor(["estimate", "--json", *args, "m.pml"], cwd=ctx.tmp)
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
    actual = 15 ** 5
    report = estimate(ctx, COUNTERS, "-DL=14", "--memory", "24M", "--time", "60", code=0)  # it ends long before, on an idle machine
    assert not report["total"]["exact"], report
    assert 0.85 * actual < report["total"]["estimate"] < 1.2 * actual, report["total"]
    assert report["states"] == report["runs"][-1]["states"]
    sizes = [run["bits"] for run in report["runs"]]
    assert len(sizes) >= 6 and all(b == 2 * a for a, b in zip(sizes, sizes[1:])), sizes
    for run in report["runs"]:
        assert run["states"] <= run["bits"] and run["met"] > 0.95 * run["states"], run
    manual = (ctx.root / "docs" / "estimate.md").read_text().split("| estimator | needs | idea |")[1].split("\n\n")[0]
    names = [line.split(" | ")[0][2:].replace(" ", "_") for line in manual.splitlines() if line.startswith("| ")]
    assert len(names) >= 9 and set(report["coverage"]["all"]) == set(names), names
    limited = report["limited"]
    assert 0 < limited["states"] < actual and limited["memory_bytes"] < 1.3 * (24 << 20), limited
    assert limited["levels"][:3] == [1, 5, 15] and sum(limited["levels"]) <= limited["states"], limited
    assert limited["samples"] >= 1 and limited["found"] >= limited["samples"] and limited["left"] > 0, limited
    assert report["coverage"]["method"] == "probes" and report["probes"], report["coverage"]
    assert report["total"]["low"] <= actual <= report["total"]["high"], report["total"]
    needs = {need["store"]: need for need in report["needs"]}
    assert needs["exact"]["memory_bytes"] > 12 << 20, needs
    assert needs["exact"]["memory_bytes"] > needs["tree"]["memory_bytes"] > needs["bitstate"]["memory_bytes"], needs


def test_a_filter_of_one_size_is_judged(ctx):
    for bits, least, most in ((15, 0.1, 0.5), (17, 0.4, 0.9), (21, 0.9, 1)):
        report = estimate(ctx, COUNTERS, "-DN=5", "--bits", f"2^{bits}", code=0)
        assert len(report["runs"]) == 1 and report["coverage"]["method"] == "probes", report
        actual = report["states"] / 1e5
        assert least < actual <= most, (bits, actual)
        assert abs(report["coverage"]["estimate"] - actual) < 0.15, (bits, actual, report["coverage"])


def test_probes_reduce_as_the_search_does(ctx):
    """The philosophers: with partial-order reduction there are fewer states, for the probes, too."""
    model = ctx.root / "lab" / "coverage" / "models" / "philosophers.pml"
    met = {}
    for reduce in ("none", "merge,order"):
        report = json.loads(ctx.run_spoor(["estimate", "--json", "--bits", "2^22", "--reduce", reduce, "-DN=6", model]).out)
        met[reduce] = report["probes"]["met_by_larger"]
        assert 0.9 * report["states"] < met[reduce] < 2 * report["states"], (reduce, report["states"], report["probes"])
    assert met["merge,order"] < 0.7 * met["none"], met


def test_equal_seeds_give_equal_searches(ctx):
    def states(*args):
        runs = estimate(ctx, COUNTERS, "-DN=5", "--memory", "3M", "--time", "30", *args)["runs"]
        return [run["states"] for run in runs[:8]]
    assert states() == states()
    assert states() != states("--seed", "2")


def test_the_chart_is_svg(ctx):
    (ctx.tmp / "m.pml").write_text(COUNTERS)
    args = ["estimate", "-DN=5", "--memory", "3M", "--time", "10"]
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
    for args in (["--time", "never"], ["--memory", "0"], ["--seed", "-1"], ["--hashes", "9"], ["--bits", "1000"],
                 ["--bits", "2^40", "--memory", "100M"]):
        result = ctx.run_spoor(["estimate", *args, "m.pml"], cwd=ctx.tmp)
        assert result.code == 2 and "spoor" in result.err, (args, result.err)
    assert ctx.run_spoor(["estimate", "nowhere.pml"], cwd=ctx.tmp).code == 2


def judged(ctx, contents, code=None):
    """What `estimate --runs` says of these runs."""
    text = contents if isinstance(contents, str) else json.dumps(contents)
    (ctx.tmp / "runs.json").write_text(text)
    result = ctx.run_spoor(["estimate", "--json", "--runs", "runs.json"], cwd=ctx.tmp)
    if code is not None:
        assert result.code == code, (result.code, result.out, result.err)
    return json.loads(result.out)


def curve(total, last, hashes=1, count=6, bits=20):
    """Runs on the growth curve that ends at `total`, the largest with this share of it."""
    constant = last ** -hashes - 1
    return [{"bits": 1 << (bits + t), "hashes": hashes,
             "states": round(total / (1 + constant * 2 ** (-hashes * t)) ** (1 / hashes))}
            for t in range(1 - count, 1)]


def test_runs_that_were_made_before_are_judged(ctx):
    for hashes in (1, 2, 3):
        report = judged(ctx, {"runs": curve(5e5, 0.7, hashes)}, code=0)
        for method in ("growth_curve", "simple_formula"):
            assert abs(report["coverage"]["all"][method]["estimate"] - 0.7) < 0.01, report
        assert report["model"] is None
    (ctx.tmp / "m.pml").write_text(COUNTERS)
    reports = []
    for bits in (20, 14, 17, 16, 15, 19, 18):
        result = ctx.run_spoor(["check", "--json", "--reduce", "none", "--store", "bitstate", "--hashes", "1",
                                "--bits", f"2^{bits}", "-DN=5", "m.pml"], cwd=ctx.tmp)
        reports.append(json.loads(result.out))
    report = judged(ctx, reports, code=0)
    assert [run["bits"] for run in report["runs"]] == [1 << bits for bits in range(14, 21)]
    assert abs(report["total"]["estimate"] - 1e5) < 1e4, report["total"]
    again = judged(ctx, report, code=0)
    assert again["coverage"] == report["coverage"], (again, report)


def test_runs_that_say_nothing_get_a_sentence_and_no_number(ctx):
    full = [{"bits": 1 << b, "hashes": 1, "states": 1 << b} for b in range(10, 16)]
    good = curve(5e5, 0.7)
    for what, runs in {"one run": good[-1:], "saturated": full, "shrinking": good[::-1],
                       "mixed": [*good[:-1], {**good[-1], "hashes": 2}],
                       "no hashes": [{**run, "hashes": 0} for run in good],
                       "no states": [{**run, "states": 0} for run in good]}.items():
        report = judged(ctx, {"runs": runs})
        assert "NaN" not in json.dumps(report) and "Infinity" not in json.dumps(report), (what, report)
        for name, answer in report["coverage"]["all"].items():
            assert (answer["estimate"] is None) == bool(answer["reason"]), (what, name, answer)
        assert report["coverage"]["all"]["growth_curve"]["estimate"] is None, (what, report)
    for what in ("", "[1]", "{}", '{"runs": 3}', '{"runs": []}', '{"runs": [{"bits": -5, "hashes": 1, "states": 1}]}',
                 '{"runs": [{"bits": 1024, "hashes": 1}]}', '[{"filter": null, "transitions": 1}]', "no json"):
        assert judged(ctx, what, code=2)["error"], what
    ended = judged(ctx, {"runs": [{"bits": 1 << b, "hashes": 1, "states": 3} for b in range(15, 21)]}, code=0)
    assert ended["coverage"]["estimate"] > 0.999, ended


def test_a_thin_part_is_warned_of(ctx):
    runs = curve(5e5, 0.9)
    plain = judged(ctx, {"runs": runs, "control": {**runs[-1], "hashes": 3, "states": 480_000}}, code=0)
    assert plain["warning"] is None, plain
    warned = judged(ctx, {"runs": runs, "control": {**runs[-1], "hashes": 3, "states": 900_000}}, code=0)
    assert "thin" in warned["warning"], warned
    assert warned["coverage"]["estimate"] <= 0.51 and warned["total"]["estimate"] >= 899_000, warned


@pytest.mark.threads
def test_swarms_see_more_together(ctx):
    (ctx.tmp / "m.pml").write_text(COUNTERS)
    def check(*args, code=0):
        result = ctx.run_spoor(["check", "--json", "--reduce", "none", "--store", "bitstate", "--bits", "2^14",
                                "-DN=5", *args, "m.pml"], cwd=ctx.tmp)
        assert result.code == code, (result.code, result.out, result.err)
        return json.loads(result.out)
    alone = check(code=3)
    swarm = check("--swarm", "12", "--threads", "2", code=3)
    assert len(swarm["swarm"]["searches"]) == 12, swarm["swarm"]
    assert swarm["swarm"]["seen"] > 2 * alone["states"], (swarm["swarm"], alone["states"])
    assert swarm["swarm"]["seen"] < 1.04 * 100_000
    repeated = check("--bits", "2^22", "--repeat", "30")["swarm"]
    assert repeated["stopped_growing"] and len(repeated["searches"]) < 10, repeated
    assert abs(repeated["seen"] - 100_000) < 4_000, repeated


@pytest.mark.threads
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
