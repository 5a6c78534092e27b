"""spoor hunt: its answers beside those of a check, its traces, its limits, what it prints."""

import json
import re

import jsonschema
import pytest

METHODS = ["auto", "walk", "dfs", "bfs", "beam", "narrow", "tuple", "greedy", "astar", "wastar", "eda", "indfs"]

# N philosophers with forks in channels; each eats once, or for ever (LOOP). All hold the left fork: N + 1 steps.
PHILOSOPHERS = """#define left forks[me]
#define right forks[(me + 1) % N]
mtype = { fork };
chan forks[N] = [1] of { mtype };
proctype philosopher(byte me) {
#ifdef LOOP
  do :: left?fork; right?fork; left!fork; right!fork od
#else
  left?fork; right?fork; left!fork; right!fork
#endif
}
init {
  byte i = N;
  atomic { do :: i > 0 -> i--; run philosopher(i); forks[i]!fork :: i == 0 -> break od }
}
"""

LOCK = """bool wants[2]; byte inside;
active [2] proctype user() {
  do
  :: !wants[1 - _pid] -> wants[_pid] = true; inside++; assert(inside == 1); inside--; wants[_pid] = false
  od
}
"""

HARMLESS = "byte x; active [2] proctype P() { do :: x = (x + 1) % 50 od }\n"


def write(ctx, text, name="m.pml"):
    path = ctx.tmp / name
    path.write_text(text)
    return path


def hunt(ctx, path, *options, expect=None):
    ran = ctx.run_spoor(["hunt", "--json", "--exec", "interp", *map(str, options), str(path)], timeout=120)
    assert ran.code in (0, 1, 3), ran.err
    if expect is not None:
        assert ran.code == expect, (ran.code, ran.out, ran.err)
    report = json.loads(ran.out)
    schema = json.loads((ctx.root / "docs" / "check.schema.json").read_text())
    jsonschema.validate(report, schema, jsonschema.Draft7Validator)
    assert {"holds": 0, "violated": 1, "unknown": 3}[report["verdict"]] == ran.code, report["verdict"]
    return report


def steps_of(report):
    return len(report["violations"][0]["trace"]["attempts"])


@pytest.mark.parametrize("method", METHODS)
def test_every_method_finds_a_violated_assertion(ctx, method):
    report = hunt(ctx, write(ctx, LOCK), "--method", method, "--expansions", 50_000, "--first", expect=1)
    violation = report["violations"][0]
    assert (violation["kind"], report["hunt"]["method"]) == ("assertion", method)
    assert report["hunt"]["first"]["steps"] == report["hunt"]["best"]["steps"] == steps_of(report) >= 7
    if method == "bfs":
        assert violation["is_shortest"] and steps_of(report) == 7, report["hunt"]


def test_a_hunt_agrees_with_a_check_on_our_models(ctx):
    """Where a hunt finds an error there is one, and where it has seen all states there is none."""
    found = held = 0
    models = sorted((ctx.root / "tests" / "models").glob("*.pml"))[::5 if ctx.slow else 1]
    for path in models:
        expected = re.search(r"expect:\s*(holds|violated)", path.read_text())
        if expected is None or path.name.startswith(("liveness_", "embedded_")) or "_rejected" in path.name:
            continue
        ran = ctx.run_spoor(["hunt", "--json", "--exec", "interp", "--property", "safety", "--expansions", "3000", str(path)], timeout=120)
        if ran.code == 2:
            continue
        verdict = json.loads(ran.out)["verdict"]
        assert verdict in (expected[1], "unknown"), (path.name, verdict)
        found += verdict == "violated"
        held += verdict == "holds"
    ctx.count(found + held, 0, 0)
    assert found > 5 and held > 20, (found, held)


@pytest.mark.parametrize("loop", [[], ["-DLOOP"]], ids=["once", "loop"])
def test_philosophers_are_found_with_few_expansions(ctx, loop):
    path = write(ctx, PHILOSOPHERS)
    n = 16 if ctx.slow else 48
    for seed in range(1, 3 if ctx.slow else 6):
        report = hunt(ctx, path, f"-DN={n}", *loop, "--first", "--seed", seed, "--expansions", 200_000, expect=1)
        assert report["violations"][0]["kind"] == "deadlock"
        assert report["hunt"]["first"]["expansions"] < 3000, report["hunt"]
        assert steps_of(report) >= n + 1


def test_a_random_walk_misses_what_few_runs_have(ctx):
    path = write(ctx, PHILOSOPHERS)
    report = hunt(ctx, path, "-DN=32", "--method", "walk", "--expansions", 20_000, expect=3)
    assert report["limit"] == "expansions" and report["hunt"]["first"] is None
    assert report["hunt"]["expansions"] == report["hunt"]["states_taken"] == 20_000


def test_a_model_without_errors_is_seen_whole_or_undecided(ctx):
    path = write(ctx, HARMLESS)
    report = hunt(ctx, path, expect=0)
    assert (report["verdict"], report["states"], report["limit"]) == ("holds", 50, None)
    report = hunt(ctx, path, "--method", "walk", "--expansions", 500, expect=3)
    assert (report["verdict"], report["limit"]) == ("unknown", "expansions")
    ran = ctx.run_spoor(["hunt", "--method", "walk", "--time", "1", str(path)])
    assert ran.code == 3 and "the time limit of 1.00 s was reached; no error in" in ran.out, ran.out


def test_a_hunt_in_vain_says_what_share_of_the_states_it_has_seen(ctx):
    path = write(ctx, "byte x, y, z;\nactive proctype P() { do :: atomic { x < 40 -> x++ } :: atomic { y < 40 -> y++ } :: atomic { z < 40 -> z++ } :: x == 40 && y == 40 && z == 40 -> break od }\n")
    states = 41 ** 3 + 1
    for expansions in (10_000, 150_000):
        report = hunt(ctx, path, "--method", "walk", "--expansions", expansions, expect=3)
        seen = report["hunt"]["states_seen"]
        assert 1000 < seen < min(expansions, states)
        found = report["coverage"]
        # With less time for the probes the interval is wider, never wrong.
        assert found["low"] <= 1.05 * seen / states and 0.95 * seen / states <= found["high"], (found["low"], seen / states, found["high"])
    ran = ctx.run_spoor(["hunt", "--method", "walk", "--expansions", "10000", str(path)])
    assert ran.code == 3 and re.search(r"no error in about [\d,]+ states, which were expanded 10,000 times\n", ran.out) and "\ncoverage: " in ran.out, ran.out
    assert hunt(ctx, path, "--method", "walk", "--expansions", 10_000, "--coverage", "off", expect=3)["coverage"] is None
    assert hunt(ctx, write(ctx, LOCK), "--first", expect=1)["coverage"] is None


def test_both_tiers_and_every_run_make_the_same_hunt(ctx):
    path = write(ctx, PHILOSOPHERS)
    options = ["hunt", "--json", "-DN=12", "--first", "--seed", "5", "--expansions", "100000", str(path)]
    runs = [json.loads(ctx.run_spoor([*options, "--exec", tier]).out) for tier in ("interp", "interp", "native")]
    figures = [(run["hunt"]["expansions"], run["hunt"]["states_taken"], run["violations"][0]["trace"]["attempts"])
               for run in runs]
    assert figures[0] == figures[1] == figures[2], figures


def test_a_trace_replays(ctx):
    path = write(ctx, LOCK)
    trace = ctx.tmp / "t.json"
    ran = ctx.run_spoor(["hunt", "--first", "--exec", "interp", "--trace", str(trace), str(path)])
    assert ran.code == 1 and ran.out.startswith("violated: assertion violated"), ran.out
    assert "by " in ran.err and "expansion" in ran.err, ran.err
    shown = ctx.run_spoor(["trace", str(path), str(trace)])
    assert shown.code == 0 and "assert" in shown.out, shown.err
    replayed = ctx.run_spoor(["simulate", "--trace", str(trace), str(path)])
    assert replayed.code == 1, replayed.err
    confirmed = ctx.run_spoor(["certify", str(path), str(trace)])
    assert confirmed.code == 0 and confirmed.out.startswith("confirmed"), confirmed.out


def test_an_invariant_is_hunted_by_its_distance(ctx):
    path = write(ctx, "byte x, y; active proctype P() { do :: x++ :: x > 0 -> x-- od }"
                      "active proctype Q() { do :: y++ :: y > 0 -> y-- od }\n")
    options = ["--invariant", "!(x == 60 && y == 60)", "--method", "greedy", "--expansions", 5000]
    report = hunt(ctx, path, *options, expect=1)
    assert report["violations"][0]["kind"] == "claim-violated"
    assert steps_of(report) == 120 and report["hunt"]["first"]["expansions"] <= 130, report["hunt"]
    assert hunt(ctx, path, *options, "--heuristic", "active", expect=3)["verdict"] == "unknown"


def test_assertions_attract(ctx):
    path = write(ctx, "byte x; active proctype P() { do :: atomic { x < 100 -> x++ } :: atomic { x > 0 -> x-- } :: assert(x < 100) od }"
                      "active [3] proctype Q() { byte n; do :: n++ od }\n")
    options = ["--method", "greedy", "--expansions", 5000]
    report = hunt(ctx, path, *options, "--heuristic", "assertions", expect=1)
    assert report["hunt"]["first"]["expansions"] < 1000, report["hunt"]
    assert hunt(ctx, path, *options, expect=3)["verdict"] == "unknown"


def test_what_is_not_hunted_is_said(ctx):
    path = write(ctx, LOCK + "ltl calm { <> (inside == 0) }\n")
    ran = ctx.run_spoor(["hunt", "--first", "--exec", "interp", str(path)])
    assert ran.code == 1 and "not hunted: ltl:calm" in ran.out, ran.out
    ran = ctx.run_spoor(["hunt", "--property", "ltl:calm", str(path)])
    assert ran.code == 0 and "not hunted" not in ran.out, ran.err
    assert hunt(ctx, path, "--property", "deadlock", "--expansions", 5000)["verdict"] != "violated"


def test_wrong_options_are_refused(ctx):
    path = str(write(ctx, LOCK))
    for options, words in ((["--method", "magic"], "one of auto, walk"),
                           (["--heuristic", "invariant"], "needs --invariant"),
                           (["--expansions", "0"], "a whole number above 0"),
                           (["--property", "beauty"], "expected one of safety")):
        ran = ctx.run_spoor(["hunt", *options, path])
        assert ran.code == 2 and words in ran.err, ran.err
    ran = ctx.run_spoor(["hunt", "--heuristic", "assertions", str(write(ctx, HARMLESS, "h.pml"))])
    assert ran.code == 2 and "no assertion" in ran.err, ran.err


def test_the_manual_has_every_method_and_heuristic(ctx):
    text = ctx.run_spoor(["hunt", "--help"]).out
    manual = (ctx.root / "docs" / "cli.md").read_text()
    for option in ("method", "heuristic"):
        values = re.search(rf"^  --{option} (\S+)", text, re.M)[1].split("|")
        shown = "\\|".join(values)
        assert f"| `--{option}` `{shown}` |" in manual, f"docs/cli.md does not have --{option} {shown}"
    assert METHODS == re.search(r"^  --method (\S+)", text, re.M)[1].split("|")


def test_the_default_ends_with_the_shortest_trace(ctx):
    """Of all examples with an error, beside a breadth-first search without reductions."""
    compared = 0
    for path in sorted((ctx.root / "examples").glob("*.pml"))[::3 if ctx.slow else 1]:
        expected = re.search(r"expect:\s*violated (assertion|deadlock)", path.read_text())
        if expected is None:
            continue
        options = ["--json", "--exec", "interp", "--property", "safety"]
        checked = ctx.run_spoor(["check", *options, "--reduce", "none", "--ledger", "none", str(path)], timeout=120)
        shortest = json.loads(checked.out)["violations"][0]
        assert shortest["is_shortest"]
        report = hunt(ctx, path, "--property", "safety", "--expansions", 300_000, expect=1)
        assert steps_of(report) == len(shortest["trace"]["attempts"]), (path.name, report["hunt"])
        assert report["violations"][0]["is_shortest"], (path.name, report["hunt"])
        compared += 1
    assert compared >= (1 if ctx.slow else 2), compared


def test_the_trace_of_a_long_walk_is_made_short(ctx):
    """The shortest deadlock of N philosophers has N + 1 steps; a walk that is not made shorter has hundreds."""
    path = write(ctx, PHILOSOPHERS)
    n = 10 if ctx.slow else 24
    walked = hunt(ctx, path, f"-DN={n}", "-DLOOP", "--method", "walk", "--expansions", 100_000, expect=1)
    report = hunt(ctx, path, f"-DN={n}", "-DLOOP", "--expansions", 150_000, expect=1)
    assert steps_of(report) == n + 1 <= steps_of(walked), report["hunt"]
    assert report["hunt"]["best"]["steps"] == n + 1
    assert sum(part["trace"]["length"] for part in report["violations"]) > n


def test_the_default_finds_as_short_a_trace_as_a_search_that_learns(ctx):
    """A client broker with N users: what lies near the first traces has N + 40 steps, the shortest N + 18."""
    path = ctx.root / "lab" / "hunt" / "models" / "giop.pml"
    for users, seeds in (((6, 1),) if ctx.slow else ((20, 4), (80, 2))):
        for seed in range(1, seeds + 1):
            report = hunt(ctx, path, f"-DUSERS={users}", "--seed", seed, "--expansions", 250_000, expect=1)
            assert steps_of(report) == users + 18, report["hunt"]


@pytest.mark.parametrize("reduce", ["none", "dead", "default"])
@pytest.mark.parametrize("form", ["--trace", "--trail"])
def test_a_trace_from_elsewhere_is_made_as_short_as_can_be(ctx, form, reduce):
    """The trace of a depth-first search has all that the philosophers did in vain."""
    path = write(ctx, PHILOSOPHERS)
    known = ctx.tmp / "known"
    ran = ctx.run_spoor(["check", "--json", "-DN=5", "-DLOOP", "--exec", "interp", "--ledger", "none", "--search", "dfs", "--reduce", reduce,
                         form, str(known), str(path)])
    assert ran.code == 1, ran.err
    length = len(json.loads(ran.out)["violations"][0]["trace"]["attempts"])
    # A trace of ours has the options of its model.
    options = [] if form == "--trace" else ["-DN=5", "-DLOOP"]
    report = hunt(ctx, path, *options, "--shorten", known, "--expansions", 100_000, expect=1)
    first = report["hunt"]["first"]
    assert (first["method"], first["expansions"]) == ("given trace", 0) and first["steps"] >= length > 8, (first, length)
    assert steps_of(report) == 6 and report["violations"][0]["is_shortest"], report["hunt"]
    assert report["violations"][0]["kind"] == "deadlock"


def test_a_trace_that_cannot_be_made_shorter_is_wrong_input(ctx):
    path = write(ctx, LOCK)
    known, harmless, other = ctx.tmp / "known", ctx.tmp / "harmless", write(ctx, HARMLESS, "other.pml")
    assert ctx.run_spoor(["hunt", "--first", "--exec", "interp", "--trace", str(known), str(path)]).code == 1
    record = json.loads(known.read_text())
    for part in ("steps", "attempts"):
        record["trace"][part] = record["trace"][part][:2]
    harmless.write_text(json.dumps(record))
    light = write(ctx, "bool on, done; active proctype P() { do :: on = !on od } ltl ends { <> done }\n", "light.pml")
    lasso = ctx.tmp / "lasso"
    ran = ctx.run_spoor(["check", "--exec", "interp", "--ledger", "none", "--trace", str(lasso), str(light)])
    assert ran.code == 1, ran.out
    for model, options, words in ((path, ["--shorten", str(harmless)], "no error that is hunted"),
                                  (other, ["--shorten", str(known)], str(known)),
                                  (path, ["--shorten", str(ctx.tmp / "none")], "cannot read"),
                                  (light, ["--shorten", str(lasso)], "infinite run"),
                                  (path, ["--shorten", str(known), "--property", "deadlock"], "no error that is hunted"),
                                  (path, ["--shorten", str(known), "--method", "bfs"], "all methods")):
        ran = ctx.run_spoor(["hunt", "--exec", "interp", *options, str(model)])
        assert ran.code == 2 and words in ran.err, (words, ran.code, ran.err)


def test_with_merged_statements_no_trace_is_called_the_shortest(ctx):
    report = hunt(ctx, write(ctx, LOCK), "--reduce", "default", "--method", "bfs", expect=1)
    assert not report["violations"][0]["is_shortest"]
    assert report["violations"][0]["reduce"] != "none"


def test_what_a_small_model_teaches_is_of_use_in_a_large_one(ctx):
    model = write(ctx, PHILOSOPHERS)
    saved = ctx.tmp / "learned"
    for options in (("--method", "eda", "--expansions", 8000), ("--expansions", 8000)):
        hunt(ctx, model, "-DN=8", "--save-model", saved, *options, expect=1)
        report = hunt(ctx, model, "-DN=64", "--learn-from", saved, "--first", expect=1)
        # One of the first paths that are drawn; a walk does not find the error at all.
        assert (report["hunt"]["first"]["method"], steps_of(report)) == ("eda, learned", 65), report["hunt"]
        assert report["hunt"]["expansions"] < 2000
        # What was found like this is made shorter, too, until nothing shorter is left.
        report = hunt(ctx, model, "-DN=6", "--learn-from", saved, "--expansions", 100_000, expect=1)
        assert report["hunt"]["first"]["method"] == "eda, learned" and steps_of(report) == 7
        assert report["violations"][0]["is_shortest"], report["hunt"]
    assert hunt(ctx, model, "-DN=64", "--method", "walk", "--expansions", 30_000, expect=3)
    # Another model has none of its statements: the hunt goes on as without.
    other = write(ctx, LOCK, "other.pml")
    report = hunt(ctx, other, "--learn-from", saved, "--first", expect=1)
    assert steps_of(report) >= 7


def test_files_of_ngrams_that_cannot_be_used_are_wrong_input(ctx):
    model = write(ctx, LOCK)
    (ctx.tmp / "text").write_text("no n-grams at all, but a text")
    for options in (("--learn-from", ctx.tmp / "none"), ("--learn-from", ctx.tmp / "text"), ("--save-model", ctx.tmp / "text"),
                    ("--save-model", ctx.tmp / "no" / "folder")):
        ran = ctx.run_spoor(["hunt", "--exec", "interp", *map(str, options), str(model)])
        assert ran.code == 2 and str(options[1]) in ran.err, (options, ran.code, ran.err)
    assert (ctx.tmp / "text").read_text().startswith("no n-grams")
