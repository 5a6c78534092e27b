"""Reductions: fewer states, and every error that there is without them.

For each model, each reduction alone and all together must find errors of the same kinds, and the
same failed assertions, as the search without any; breadth-first and depth-first; and never more
states. Both tiers must reduce alike (--exec both).
"""

import concurrent.futures
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from generator import generate  # noqa: E402
from lib.corpus import read_rows  # noqa: E402

REDUCTIONS = ("merge", "dead", "order", "stubborn", "default", "merge,dead,stubborn")
LARGEST = 20_000  # states of a corpus model in the normal run
LARGEST_RANDOM = 100_000  # states of a random model there; the few larger ones take longer than all the others

LOCAL_LOOP = ("byte g;\nactive proctype A() { byte i; do :: i++ od }\n"
              "active proctype B() { g = 1; assert(g == 0) }\n")
PIPE = ("chan a = [1] of { byte };\nchan b = [1] of { byte };\n"
        "active proctype P() { byte i; do :: i = 1; a!i :: i = 2; a!i od }\n"
        "active proctype Q() { byte x, y; end: do :: a?x; y = x + 1; y = y * 2; b!y od }\n"
        "active proctype R() { byte z; end: do :: b?z od }\n")


def ask(ctx, path, *options, timeout=120):
    result = ctx.run_spoor(["check", "--json", "--all-errors", "--memory", "2G", *options, path], timeout=timeout)
    if result.code not in (0, 1, 3):
        return result.code, None, result.err
    report = json.loads(result.out)
    if result.code == 3 or report["limit"] is not None:
        return 3, None, ""
    # Which process a deadlock is blamed on may differ; what else is found may not.
    errors = {(v["kind"], "" if v["kind"] == "deadlock" else v["message"]) for v in report["violations"]}
    return result.code, errors, report["states"]


def differences(ctx, path, options=(), reductions=REDUCTIONS):
    code, errors, states = ask(ctx, path, "--reduce", "none", "--time", "30", *options)
    if code == 2:
        return [], False  # a random model with an error in it
    if code == 3:
        return [], False
    if errors is None:
        return [f"--reduce none: exit {code}: {states[:500]}"], False
    if states > LARGEST_RANDOM and not ctx.long:
        return [], False
    found = []
    for reduce in reductions:
        # Each word alone is searched in both orders; `stubborn` has `order` in it.
        for search in ("bfs",) if reduce in ("order", "merge,dead,stubborn") else ("bfs", "dfs"):
            code, reduced, fewer = ask(ctx, path, "--reduce", reduce, "--search", search, *options)
            if code == 3:
                continue
            if reduced is None:
                found.append(f"--reduce {reduce} --search {search}: exit {code}: {fewer[:800]}")
            elif reduced != errors:
                found.append(f"--reduce {reduce} --search {search}: {sorted(reduced ^ errors)} differ")
            elif fewer > states:
                found.append(f"--reduce {reduce} --search {search}: {fewer} states instead of {states}")
    # Nothing but deadlocks: fewer states still, and the proviso is waived.
    code, deadlocks, fewer = ask(ctx, path, "--reduce", "merge,dead,stubborn", "--property", "deadlock", *options)
    if code != 3 and (deadlocks is None or deadlocks != {e for e in errors if e[0] == "deadlock"}):
        found.append(f"--property deadlock: exit {code}, {deadlocks}, {str(fewer)[:800]}")
    return found, True


def agree_on(ctx, jobs, reductions=REDUCTIONS):
    wrong, compared = [], 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (name, path, _), (found, was_compared) in zip(
                jobs, pool.map(lambda job: differences(ctx, job[1], job[2], reductions), jobs)):
            compared += was_compared
            if found:
                wrong.append(name)
                print(f"{name}: {found}\n{path.read_text()[:3000] if path.parent == ctx.tmp else ''}")
    assert not wrong, f"{len(wrong)} of {len(jobs)}: {wrong[:20]}"
    return compared


def test_errors_survive_in_our_models(ctx):
    models = sorted((ctx.root / "tests" / "models").glob("*.pml"))
    models = [m for m in models if "_rejected" not in m.name]
    chosen = models[::5] if ctx.slow else models
    assert agree_on(ctx, [(m.name, m, ("--exec", "interp", "--allow-c")) for m in chosen]) >= 0.9 * len(chosen)


def test_errors_survive_in_random_models(ctx):
    count = 1000 if ctx.long else 10 if ctx.slow else 60
    jobs = []
    for seed in range(count):
        path = ctx.tmp / f"random{seed}.pml"
        path.write_text(generate(8_000_000 + seed, errors=seed % 4 == 3).text)
        jobs.append((path.name, path, ("--exec", "interp")))
    assert agree_on(ctx, jobs) >= 0.5 * count


def test_errors_survive_in_a_store_that_names_no_states(ctx):
    """A step to a known state never satisfies the proviso there, and traces are found another way."""
    count = 1000 if ctx.long else 10 if ctx.slow else 40
    # Large enough to confuse nothing in a model that takes so little time.
    bitstate = ("--exec", "interp", "--store", "bitstate", "--bits", "2^28", "--hashes", "6", "--time", "3")
    jobs = []
    for seed in range(count):
        path = ctx.tmp / f"random{seed}.pml"
        path.write_text(generate(8_500_000 + seed, errors=seed % 4 == 3).text)
        jobs.append((path.name, path, bitstate))
    assert agree_on(ctx, jobs, ("order", "stubborn", "default")) >= 0.5 * count
    compared = 0
    for name, path, _ in jobs:
        found = ask(ctx, path, "--reduce", "none", *bitstate)
        if found[0] in (0, 1):
            assert found == ask(ctx, path, "--reduce", "none", "--exec", "interp"), name
            compared += 1
    assert compared >= 0.5 * count, compared


def test_errors_survive_in_the_corpus(ctx):
    if ctx.shared is None or not (ctx.shared / "corpus" / "oracle.tsv").exists():
        ctx.skip("there is no shared/corpus beside the repository")
    most = 3_000_000 if ctx.long else 1_000 if ctx.slow else LARGEST
    rows = [row for row in read_rows(ctx.shared / "corpus")
            if row.complete and row.states < most and row.verdict not in ("syntax-error", "compile-error")]
    if ctx.slow:
        rows = rows[::2]
    jobs = [(row.id, row.path, (*("-D" + d.removeprefix("-D") for d in row.defines), *row.options)) for row in rows]
    assert agree_on(ctx, jobs, ("default", "merge,dead,stubborn")) >= 0.9 * len(jobs)


def test_both_tiers_reduce_alike(ctx):
    jobs = []
    for seed in range(300 if ctx.long else 10 if ctx.slow else 40):
        path = ctx.tmp / f"random{seed}.pml"
        path.write_text(generate(9_000_000 + seed).text)
        jobs.append(path)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda path: ctx.run_spoor(
            ["check", "--quiet", "--all-errors", "--exec", "both", "--reduce", "merge,dead,stubborn", "--time", "10", path]), jobs))
    crashed = [(r.args[-1], r.err[:500]) for r in results if r.code not in (0, 1, 2, 3)]
    assert not crashed, crashed
    assert sum(r.code in (0, 1) for r in results) >= 0.5 * len(jobs)


def test_a_process_that_runs_in_circles_shuts_nobody_out(ctx):
    path = ctx.tmp / "m.pml"
    path.write_text(LOCAL_LOOP)
    for search in ("bfs", "dfs"):
        result = ctx.run_spoor(["check", "--quiet", "--reduce", "order", "--search", search, path])
        assert result.code == 1, result.out


def test_each_reduction_leaves_fewer_states(ctx):
    path = ctx.tmp / "m.pml"
    path.write_text(PIPE)
    _, _, all_states = ask(ctx, path, "--reduce", "none")
    for reduce in REDUCTIONS:
        _, _, states = ask(ctx, path, "--reduce", reduce)
        assert states < all_states, (reduce, states, all_states)


def test_a_reduced_search_gives_a_trace_that_replays(ctx):
    path = ctx.tmp / "m.pml"
    path.write_text("byte g;\nactive [2] proctype A() { byte i; i = 1; i = i + 1; g = g + i; i = 0; assert(g != 4) }\n")
    for search in ("bfs", "dfs"):
        result = ctx.run_spoor(["check", "--search", search, "--trace", "t.json", "--trail", "m.pml.trail", path])
        assert result.code == 1, result.out
        shown = ctx.run_spoor(["trace", path, "t.json"])
        assert shown.code == 0 and "assert" in shown.out, shown.out + shown.err
        shown = ctx.run_spoor(["trace", path, "m.pml.trail"])
        assert shown.code == 0 and "assert" in shown.out, shown.out + shown.err


def test_the_reduction_can_be_tried_out(ctx):
    path = ctx.tmp / "m.pml"
    path.write_text(PIPE)
    result = ctx.run_spoor(["check", "--check-reduction", path])
    assert result.code == 0 and "of steps commute" in result.out, result.out + result.err
    report = json.loads(ctx.run_spoor(["check", "--check-reduction", "--json", path]).out)
    assert report["options"]["check_reduction"] is True
    assert report["reduction_trials"]["states"] > 0 and report["reduction_trials"]["pairs"] > 0
    plain = json.loads(ctx.run_spoor(["check", "--check-reduction", "--reduce", "none", "--json", path]).out)
    assert plain["reduction_trials"] == {"states": 0, "pairs": 0}


def test_the_reduction_stands_its_trial_on_random_models(ctx):
    paths = []
    for seed in range(1500 if ctx.long else 20 if ctx.slow else 60):
        path = ctx.tmp / f"random{seed}.pml"
        path.write_text(generate(10_000_000 + seed, errors=seed % 4 == 3).text)
        paths.append(path)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda path: ctx.run_spoor(
            ["check", "--quiet", "--all-errors", "--check-reduction", "--exec", "interp", "--reduce", "merge,dead,stubborn", "--time", "10", path]), paths))
    wrong = [(r.args[-1], r.err[:800]) for r in results if r.code not in (0, 1, 2, 3)]
    assert not wrong, wrong
    assert sum(r.code in (0, 1) for r in results) >= 0.5 * len(paths)


PHILOSOPHERS = ("byte fork[6];\nactive [6] proctype P() {\n  do\n"
                "  :: atomic { fork[_pid] == 0 -> fork[_pid] = 1 };\n"
                "     atomic { fork[(_pid + 1) % 6] == 0 -> fork[(_pid + 1) % 6] = 1 };\n"
                "     fork[_pid] = 0; fork[(_pid + 1) % 6] = 0\n  od\n}\n")
RING = ("#define N 5\nchan c[N] = [1] of { byte };\nproctype P(byte me) { byte x; do :: c[me]?x; c[(me + 1) % N]!x od }\n"
        "init { atomic { c[0]!1; c[2]!2; run P(0); run P(1); run P(2); run P(3); run P(4) } }\n")


def test_stubborn_sets_reduce_where_nothing_is_local(ctx):
    path = ctx.tmp / "m.pml"
    path.write_text(PHILOSOPHERS)
    _, ample, all_states = ask(ctx, path, "--reduce", "order")
    _, stubborn, fewer = ask(ctx, path, "--reduce", "stubborn", "--property", "deadlock")
    assert ample == stubborn == {("deadlock", "")}
    assert fewer < 0.3 * all_states, (fewer, all_states)
    path.write_text(RING)
    _, _, all_states = ask(ctx, path, "--reduce", "order")
    _, _, fewer = ask(ctx, path, "--reduce", "stubborn")
    assert fewer < all_states, (fewer, all_states)


def test_a_search_for_deadlocks_finds_nothing_else(ctx):
    path = ctx.tmp / "m.pml"
    path.write_text("byte g;\nactive proctype A() { assert(g == 1) }\nactive proctype B() { g = 1 }\n")
    result = ctx.run_spoor(["check", "--property", "deadlock", path])
    assert result.code == 0 and "never reached" not in result.out, result.out
    report = json.loads(ctx.run_spoor(["check", "--property", "deadlock", "--json", path]).out)
    assert report["options"]["property"] == "deadlock" and report["unreached"] is None
