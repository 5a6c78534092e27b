"""The store that evicts states: the same verdict, errors and unreached statements as the exact store, from any cache.

Random models are searched with caches from little more than the path of the search up. A cache that is too small can
take very long, so such a search is ended after a while, and then not compared.
"""

import concurrent.futures
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from generator import generate  # noqa: E402

POLICIES = ("nested", "random", "stratified", "age", "hits", "depth", "cost", "components")
FEWEST = 20      # states of a random model that is worth a search
LARGEST = 5_000  # and the most, in the normal run
# 1,331 states in a graph whose paths can be long.
ROUND = """
byte a, b, c;
active proctype A() { do :: a = (a + 1) % 11 od }
active proctype B() { do :: b = (b + 1) % 11 od }
active proctype C() { do :: c = (c + 1) % 11 :: c == 11 -> b = 20 od }
"""
# 4,096 states, and no path is longer than 19 of them.
LATTICE = """
int a, b, c, d, e, f;
active proctype A() { end: do :: d_step { a < 3 -> a++ } :: d_step { b < 3 -> b++ } :: d_step { c < 3 -> c++ }
                           :: d_step { d < 3 -> d++ } :: d_step { e < 3 -> e++ } :: d_step { f < 3 -> f++ } od }
"""
STATES = 4 ** 6
PLAIN = ("--reduce", "none", "--no-end-states", "--exec", "interp")


def run(ctx, text, *options, name="m.pml"):
    (ctx.tmp / name).write_text(text)
    return ctx.run_spoor(["check", name, *options], timeout=120)


def check(ctx, text, *options, code=0):
    result = run(ctx, text, "--json", *options)
    assert result.code == code, (options, result.code, result.out[-2000:], result.err)
    return json.loads(result.out)


def answer_of(report):
    errors = {(v["kind"], "" if v["kind"] == "deadlock" else v["message"]) for v in report["violations"]}
    unreached = {(s["location"]["line"], s["location"]["column"], s["statement"]) for s in report["unreached"]}
    return report["verdict"], errors, unreached


def test_every_policy_gives_the_same_answer(ctx):
    exact = check(ctx, LATTICE, *PLAIN, "--search", "dfs", "--store", "exact")
    assert exact["states"] == STATES and "cache" not in exact
    for policy in POLICIES:
        for states in (STATES, STATES * 9 // 10):
            report = check(ctx, LATTICE, *PLAIN, "--store", "cache", "--policy", policy, "--cache-states", states)
            assert answer_of(report) == answer_of(exact), policy
            cache = report["cache"]
            assert cache["policy"] == policy and cache["limit"] == states and cache["kept"] == states
            assert report["states"] == cache["kept"] + cache["evictions"], report
            if states == STATES:
                assert report["scope"] == "all" and cache["distinct_states"] == report["states"], report
                assert report["transitions"] == exact["transitions"] and report["depth"] == exact["depth"]
            else:
                assert report["scope"] == "visits" and cache["distinct_states"] is None, report
                assert report["coverage"]["method"] == "exhaustive", report["coverage"]


def test_the_report_says_what_was_evicted(ctx):
    result = run(ctx, LATTICE, *PLAIN, "--store", "cache", "--cache-states", "3800")
    first, *rest = result.out.splitlines()
    assert first.startswith("holds: no error; ") and first.endswith(" were visited, some more than once"), first
    assert any(" visits of states, " in line for line in rest), result.out
    assert any(line.startswith("cache: 3,800 states at most, ") and line.endswith(" evicted (nested)") for line in rest)
    roomy = run(ctx, LATTICE, *PLAIN, "--store", "cache")
    assert "no error in 4,096 states, all that can be reached" in roomy.out, roomy.out
    assert "cache: no state was evicted" in roomy.out, roomy.out


def test_a_path_that_does_not_fit_is_undecided(ctx):
    options = (*PLAIN, "--store", "cache", "--cache-states", "40")
    report = check(ctx, ROUND, *options, code=3)
    assert report["verdict"] == "unknown" and report["limit"] == "path" and report["scope"] == "part", report
    assert run(ctx, ROUND, *options).out.startswith("unknown: the path of the search alone, 40 states, does not fit into the cache")


def test_no_coverage_is_estimated_where_states_were_visited_twice(ctx):
    options = (*PLAIN, "--store", "cache", "--depth", "8")
    report = check(ctx, LATTICE, *options, "--cache-states", "300", code=3)
    assert report["limit"] == "depth" and report["coverage"] is None and report["cache"]["evictions"] > 0, report
    report = check(ctx, LATTICE, *options, code=3)
    assert report["coverage"]["estimate"] is not None and report["cache"]["evictions"] == 0, report


def test_the_cache_fits_into_the_memory(ctx):
    larger = LATTICE.replace("< 3", "< 6")  # 117,649 states, 20 bytes each, beside half a megabyte
    report = check(ctx, larger, *PLAIN, "--store", "cache", "--memory", "1900k")
    assert report["verdict"] == "holds" and report["cache"]["evictions"] > 0, report
    assert report["search_memory_bytes"] <= 1900 * 1024, report


def test_what_a_cache_cannot_do_is_refused(ctx):
    claim = ROUND + "ltl low { [] (a < 12) }\n"
    for text, options, words in (
            (ROUND, ("--search", "bfs"), "--search bfs cannot use --store cache; --search dfs can"),
            (claim, (), "--store cache does not search for infinite runs; --property safety leaves the claims out"),
            (claim, ("--property", "ltl:low"), "--store cache does not search for infinite runs"),
            (ROUND, ("--certificate", "c.spoor", "--certificate-kind", "closed-set", "--property", "safety"), "a certificate needs a --store that keeps all states"),
            (ROUND, ("--search", "dfs", "--checkpoint", "kept"), "a --store of auto, exact, tree"),
            (ROUND, ("--swarm", "2"), "--swarm needs --store bitstate")):
        result = run(ctx, text, "--store", "cache", *options)
        assert result.code == 2 and words in result.err, (options, result.code, result.err)
    for option, value in (("--policy", "random"), ("--cache-states", "5")):
        result = run(ctx, ROUND, option, value)
        assert result.code == 2 and f"{option} needs --store cache" in result.err, result.err
    assert run(ctx, ROUND, "--store", "cache", "--policy", "newest").code == 2
    assert run(ctx, ROUND, "--store", "cache", "--cache-states", "0").code == 2
    report = check(ctx, claim, "--store", "cache", "--property", "safety")
    assert report["options"]["search"] == "dfs" and report["verdict"] == "holds", report


def compare_with_exact(ctx, seed):
    """Of one random model: how many searches were compared, how many of them visited a state twice, and what differs."""
    name = f"m{seed}.pml"
    text = generate(9_400_000 + seed, errors=seed % 4 == 3).text
    reduce = "default" if seed % 2 == 0 else "none"
    options = ("--json", "--all-errors", "--property", "safety", "--exec", "interp", "--reduce", reduce)
    # A path that is longer than LARGEST would be printed with each error.
    exact = run(ctx, text, *options, "--search", "dfs", "--store", "exact", "--depth", LARGEST, "--time", "10", name=name)
    if exact.code not in (0, 1):
        return 0, 0, []
    report = json.loads(exact.out)
    states, path = report["states"], report["depth"] + 1
    if report["limit"] is not None or not FEWEST <= states <= LARGEST:
        return 0, 0, []
    compared, again, wrong = 0, 0, []
    for number, share in enumerate((0.0, 0.4, 0.7)):
        policy = POLICIES[(seed + number) % len(POLICIES)]
        room = max(path + 1, int(share * states))
        found = run(ctx, text, *options, "--store", "cache", "--policy", policy, "--cache-states", room, "--time", "3", name=name)
        cached = json.loads(found.out)
        if cached["limit"] in ("time", "path"):  # with the reductions, a path can be longer than in the exact store
            continue
        compared += 1
        again += cached["cache"]["evictions"] > 0
        if found.code != exact.code or answer_of(cached) != answer_of(report):
            wrong.append((seed, policy, room))
    return compared, again, wrong


def test_random_models_have_the_answer_of_the_exact_store(ctx):
    count = 2200 if ctx.long else 10 if ctx.slow else 60
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(lambda seed: compare_with_exact(ctx, seed), range(count)))
    compared, again = (sum(column) for column in list(zip(*answers))[:2])
    wrong = [one for answer in answers for one in answer[2]]
    assert not wrong, wrong[:5]
    assert compared >= 0.3 * count and again >= 0.3 * compared, (compared, again, count)
