"""More threads than cores, in every part that has threads, on models that the thread sanitizer can take.

A race that changes an answer fails here with every build; one that does not is found by the sanitizer, which ends the
program (`./test --preset tsan`).
"""

import json

import pytest

pytestmark = pytest.mark.threads

THREADS = ("--threads", "5")
# 14,641 states in levels of up to some thousand; with WRONG the error is in the last one.
COUNTERS = """
#define N 10
byte a, b, c, d;
active proctype A() { do :: d_step { a < N -> a++ } od }
active proctype B() { do :: d_step { b < N -> b++ } od }
active proctype C() { do :: d_step { c < N -> c++ } od }
active proctype D() { do :: d_step { d < N -> d++ } :: assert(a + b + c + d < 4 * N + 1 - WRONG) od }
"""
STATES = 11 ** 4
# Each process runs in a cycle: all states are one component.
ROUND = """
byte a, b, c;
active proctype A() { do :: a = (a + 1) % 12 od }
active proctype B() { do :: b = (b + 1) % 12 od }
active proctype C() { do :: c = (c + 1) % 12 od }
ltl holds { [] (a < 12) }
ltl often { []<> (a == 0) || <>[] (a != 0) }
ltl wrong { <>[] (a == 3 && b == 4) }
"""


def check(ctx, text, *options, code=0):
    (ctx.tmp / "m.pml").write_text(text)
    result = ctx.run_spoor(["check", "m.pml", "--json", "--reduce", "none", "--no-end-states", *THREADS, *options],
                           timeout=120)
    assert result.code == code, (options, result.code, result.out[-2000:], result.err)
    return json.loads(result.out)


def test_every_store_counts_the_same_states(ctx):
    for store in ("exact", "tree", "compact"):
        for tier in ("interp", "auto", "native"):
            report = check(ctx, COUNTERS, "-DWRONG=0", "--store", store, "--exec", tier)
            assert report["states"] == STATES, (store, tier, report["states"])
    filtered = check(ctx, COUNTERS, "-DWRONG=0", "--store", "bitstate", "--bits", "2^24", "--hashes", "3")
    assert filtered["states"] == STATES, filtered["states"]


def test_native_code_comes_in_amid_a_search(ctx):
    """Compiled anew each time, while five threads search."""
    most = 16 if ctx.slow else 30
    (ctx.tmp / "large.pml").write_text(COUNTERS.replace("#define N 10\n", ""))
    for number in range(3):
        result = ctx.run_spoor(["check", "large.pml", "--json", "--reduce", "none", "--no-end-states", "-DWRONG=0", f"-DN={most}",
                                *THREADS], env={"XDG_CACHE_HOME": str(ctx.tmp / f"cache{number}")}, timeout=120)
        assert result.code == 0 and json.loads(result.out)["states"] == (most + 1) ** 4, (result.out[-1000:], result.err)


def test_an_error_in_the_last_level_is_found(ctx):
    for store in ("exact", "tree"):
        report = check(ctx, COUNTERS, "-DWRONG=1", "--store", store, code=1)
        assert [v["kind"] for v in report["violations"]] == ["assertion"], report["violations"]


def test_a_search_is_kept_and_gone_on_with(ctx):
    check(ctx, COUNTERS, "-DWRONG=0", "--checkpoint", "kept", "--checkpoint-every", "0.05", "--depth", "20", code=3)
    for store in ("exact", "tree"):
        report = check(ctx, COUNTERS, "-DWRONG=0", "--resume", "kept", "--store", store)
        assert report["states"] == STATES, (store, report["states"])


def test_cycles_are_found_together(ctx):
    for store in ("exact", "tree"):
        for wanted, code in (("ltl:holds", 0), ("ltl:often", 0), ("ltl:wrong", 1)):
            for options in ((), ("--fair",)):
                report = check(ctx, ROUND, "--property", wanted, "--store", store, *options, code=code)
                assert report["verdict"] == ("violated" if code else "holds"), (store, wanted, options)
