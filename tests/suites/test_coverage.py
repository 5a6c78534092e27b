"""How much a check says it has seen, where it has not seen all."""

import json
import os
import pty
import subprocess
import time

# Five processes, each with a counter: (L + 1)^5 states.
COUNTERS = """
#ifndef L
#define L 9
#endif
byte v[5];
active [5] proctype P() { end: do :: v[_pid] = (v[_pid] + 1) % (L + 1) od }
"""


def check(ctx, *options, model=COUNTERS, code=None):
    path = ctx.tmp / "m.pml"
    path.write_text(model)
    result = ctx.run_spoor(["check", "--json", "--reduce", "none", *options, path], timeout=300)
    assert code is None or result.code == code, (result.code, result.out, result.err)
    return json.loads(result.out)


def test_a_search_that_came_to_its_end_has_seen_all(ctx):
    for options in ((), ("--store", "tree"), ("--search", "dfs")):
        report = check(ctx, "-DL=3", *options, code=0)
        assert report["coverage"] == {"estimate": 1, "low": 1, "high": 1, "method": "exhaustive", "all": {}}, report["coverage"]
    for options in (("--store", "compact"), ("--store", "bitstate", "--bits", "2^28")):
        report = check(ctx, "-DL=3", *options, code=0)
        assert report["coverage"]["method"] == "omission_bound" and report["coverage"]["estimate"] == 1, report["coverage"]


def test_a_search_that_was_cut_short_says_how_much_it_has_seen(ctx):
    """The model is small, so its states are counted; the guess from the levels is beside that."""
    actual = {}
    for depth in (30, 38):
        report = check(ctx, "--depth", str(depth), code=3)
        coverage = report["coverage"]
        actual[depth] = report["states"] / 1e5
        assert coverage["method"] == "count", coverage
        assert coverage["low"] == coverage["estimate"] == coverage["high"] == actual[depth], (coverage, actual)
        guess = coverage["all"]["frontier"]
        assert abs(guess["estimate"] - actual[depth]) < 0.35 and guess["low"] is None, (guess, actual)
    assert actual[30] < 0.95 < actual[38] < 1, actual
    early = check(ctx, "--depth", "15", code=3)["coverage"]["all"]["frontier"]
    assert early["estimate"] is None and "still grow" in early["reason"], early


# Probes took half of a percent of this line for all of it: they end where the search ends.
LINE = """
#ifndef L
#define L 20000
#endif
int n;
active proctype Counter() { end: do :: d_step { n < L -> n++ } :: d_step { n > 0 -> n-- } od }
"""


def test_the_states_of_a_small_model_are_counted(ctx):
    for model, states in ((COUNTERS.replace("L 9", "L 5"), 6 ** 5), (LINE, 20_001)):
        # The filter of 2^14 bits has a bound of 2 % on the chance that it has omitted any state of the line, where it has.
        for options in (("--bits", "2^12"), ("--bits", "2^14"), ("--bits", "2^14", "--search", "dfs"), ("--bits", "2^14", "--hashes", "1"),
                        ("--bits", "2^14", "--filter", "blocked"), ("--bits", "2^14", "--coverage", "full")):
            report = check(ctx, "--store", "bitstate", *options, model=model, code=3)
            coverage = report["coverage"]
            assert coverage["method"] == "count" and report["states"] < 0.9 * states, (coverage, report["states"])
            assert coverage["low"] == coverage["estimate"] == coverage["high"] == report["states"] / states, (coverage, report["states"])
        for options in (("--swarm", "4"), ("--repeat", "4")):
            report = check(ctx, "--store", "bitstate", "--bits", "2^12", *options, model=model, code=3)
            seen, coverage = report["swarm"]["seen"] / states, report["coverage"]
            assert coverage["method"] == "count" and coverage["low"] <= seen <= coverage["high"], (coverage, seen)
            assert coverage["high"] - coverage["low"] < 0.04, coverage


def test_a_limit_on_memory_is_a_limit_on_the_count(ctx):
    """The hashes of 11^5 states do not fit; those that were counted are a lower bound, and there is an estimate."""
    report = check(ctx, "--memory", "2M", "-DL=10", "--store", "exact", "--threads", "1", code=3)
    coverage, actual = report["coverage"], report["states"] / 11 ** 5
    assert coverage["method"] == "probes" and coverage["low"] - 0.1 <= actual <= coverage["high"] + 0.1, (coverage, actual)


def test_the_end_of_a_line_is_no_proof_that_there_is_no_more(ctx):
    """Too long to be counted in this memory: search and probes end after a few hundred states, and have those in common."""
    coverage = check(ctx, "--store", "bitstate", "--bits", "2^12", "--memory", "2M", "-DL=3000000", model=LINE, code=3)["coverage"]
    assert coverage["method"] == "probes" and coverage["low"] == 0 and coverage["estimate"] < 0.05, coverage


def test_probes_keep_to_the_time(ctx):
    """A model without an end, and some seconds: count and probes get a tenth of that, and complete the smallest pair."""
    for seconds in (1, 2, 4, 8):  # on a busy machine a tenth of a second may not be enough
        started = time.monotonic()
        report = check(ctx, "--time", str(seconds), "-DL=200", "--threads", "1", code=3)
        if not ctx.slow:
            assert time.monotonic() - started < report["elapsed_s"] + 20, report["elapsed_s"]
        coverage = report["coverage"]
        assert coverage["estimate"] is None or coverage["estimate"] < 0.1, coverage
        if coverage["method"] == "probes" or ctx.slow:
            break
    else:
        assert False, coverage


def test_probably_needs_a_reason(ctx):
    """A search that comes to its end in a filter which is far too small has seen a few percent, and shown nothing."""
    small = ("--store", "bitstate", "--bits", "2^9", "--hashes", "1", "-DL=5")
    for coverage in ("quick", "full", "off"):
        report = check(ctx, *small, "--coverage", coverage, code=3)
        assert (report["verdict"], report["limit"]) == ("unknown", "coverage"), report
    accepted = check(ctx, *small, "--accept-coverage", "0", code=0)
    assert (accepted["verdict"], accepted["limit"]) == ("probably-holds", None), accepted
    assert check(ctx, *small, "--swarm", "2", code=3)["limit"] == "coverage"
    # A bound on the chance of an omission is a reason of its own.
    for large in (("--store", "compact"), ("--store", "bitstate", "--bits", "2^28"), ("--store", "bitstate", "--bits", "2^28", "--swarm", "2")):
        assert check(ctx, "-DL=3", *large, "--coverage", "off", code=0)["verdict"] == "probably-holds"
    # So is the lower end of the interval, as far as the user says so: nearly all are seen here.
    medium = ("--store", "bitstate", "--bits", "2^16", "-DL=5")
    coverage = check(ctx, *medium, "--accept-coverage", "100")["coverage"]
    assert 0.1 < coverage["low"] < 0.999, coverage
    for wanted, code in ((coverage["low"] - 0.001, 0), (coverage["low"] + 0.001, 3)):
        for spelling in (f"{wanted:.6f}", f"{100 * wanted:.4f}%"):
            assert check(ctx, *medium, "--accept-coverage", spelling, code=code)["options"]["accept_coverage"] > 0.1


def test_an_error_that_only_the_count_meets_is_reported(ctx):
    """Far from the initial state, where a filter that is too small does not get."""
    model = COUNTERS.replace("L 9", "L 5") + "active proctype Q() { end: v[0] + v[1] + v[2] + v[3] + v[4] == 25 -> assert(false) }"
    small = ("--store", "bitstate", "--bits", "2^9", "--hashes", "1")
    assert check(ctx, *small, "--coverage", "off", model=model, code=3)["violations"] == []
    for options in ((), ("--swarm", "2"), ("--all-errors",), ("--search", "dfs")):
        report = check(ctx, *small, *options, model=model, code=1)
        assert report["verdict"] == "violated" and [v["kind"] for v in report["violations"]] == ["assertion"], report
    # Not where the user wants no search that goes so far.
    assert check(ctx, "--depth", "5", model=model, code=3)["violations"] == []


def test_a_formula_needs_a_reason_too(ctx):
    options = ("--store", "bitstate", "--bits", "2^9", "--hashes", "1", "--ltl", "[] (v[0] < 20)", "--property", "ltl:given")
    report = check(ctx, "-DL=4", *options, code=3)
    assert (report["verdict"], report["limit"]) == ("unknown", "coverage"), report
    path = ctx.tmp / "m.pml"
    text = ctx.run_spoor(["check", "--reduce", "none", "-q", *options, path]).out
    assert text.startswith("unknown: nothing shows how many states were missed; no error in the"), text


def test_what_share_is_enough_must_be_a_share(ctx):
    path = ctx.tmp / "m.pml"
    path.write_text(COUNTERS)
    for text in ("101", "101%", "x", "-1", "1.5.2", "nan"):
        result = ctx.run_spoor(["check", "--accept-coverage", text, path])
        assert result.code == 2 and "a share such as 0.95, 95 or 95%" in result.err, (text, result.err)


def test_an_error_leaves_nothing_to_say(ctx):
    model = COUNTERS.replace("(L + 1) od", "(L + 1); assert(v[0] < 3) od")
    assert check(ctx, "-DL=4", model=model, code=1)["coverage"] is None
    assert check(ctx, "-DL=4", "--coverage", "off", "--depth", "9", code=3)["coverage"] is None
    assert check(ctx, "-DL=4", "--all-errors", model=model, code=1)["coverage"]["estimate"] == 1


def test_the_report_for_people_says_it(ctx):
    path = ctx.tmp / "m.pml"
    path.write_text(COUNTERS)
    text = ctx.run_spoor(["check", "--reduce", "none", "--depth", "30", path]).out
    assert "coverage: 89 % of the states were seen (count)" in text, text
    text = ctx.run_spoor(["check", "--reduce", "none", "--memory", "2M", "-DL=10", "--store", "exact", path]).out
    assert "coverage: about" in text and "(probes; --coverage full is more exact)" in text, text
    text = ctx.run_spoor(["check", "--reduce", "none", "--memory", "2M", "-DL=10", "--store", "exact", "--coverage", "full", path]).out
    assert "(probes)" in text, text
    assert "coverage" not in ctx.run_spoor(["check", "--reduce", "none", path]).out


def test_a_formula_has_states_of_its_own(ctx):
    for options in (("--depth", "9"), ("-DL=2",)):
        report = check(ctx, "--ltl", "[] (v[0] < 20)", "--property", "ltl:given", *options)
        assert report["coverage"] is None, report["coverage"]


def test_progress_shows_the_share(ctx):
    """On a terminal; what there is to see is a line that is written again and again."""
    path = ctx.tmp / "m.pml"
    path.write_text(COUNTERS)
    leader, follower = pty.openpty()
    # So large that it is watched for a while behind its largest level, which is the one in the middle.
    size = "-DL=19" if ctx.slow else "-DL=24"
    process = subprocess.Popen([ctx.spoor, "check", "--reduce", "none", "--time", "40", "--threads", "1", size, path], stdout=subprocess.DEVNULL,
                               stderr=follower)
    os.close(follower)
    shown = b""
    while True:
        try:
            part = os.read(leader, 4096)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(leader)
    assert process.wait(timeout=60) in (0, 3)
    assert b"% of all" in shown, shown[-500:]
