"""Certificates of searches with a cache: the same members as without one, under every policy.

Random models are searched with caches from little more than the path of the search up; what such a search leaves
is certified like any other certificate.
"""

import concurrent.futures
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from generator import generate  # noqa: E402

POLICIES = ("nested", "random", "stratified", "age", "hits", "depth", "cost", "components")
FEWEST, LARGEST = 20, 3_000  # states of a random model that is worth a search
# 4,096 states, and no path is longer than 19 of them.
LATTICE = """
int a, b, c, d, e, f;
active proctype A() { end: do :: d_step { a < 3 -> a++ } :: d_step { b < 3 -> b++ } :: d_step { c < 3 -> c++ }
                           :: d_step { d < 3 -> d++ } :: d_step { e < 3 -> e++ } :: d_step { f < 3 -> f++ } od }
"""
STATES, TRANSITIONS = 4 ** 6, 6 * 3 * 4 ** 5
PLAIN = ("--reduce", "none", "--exec", "interp")


def spoor(ctx, command, *args, code=0):
    result = ctx.run_spoor([command, *args], cwd=ctx.tmp, timeout=120)
    assert code is None or result.code == code, (args, result.code, result.out[-2000:], result.err[-2000:])
    return result


def certified(ctx, model, certificate, *options):
    report = json.loads(spoor(ctx, "certify", "--json", "--exec", "interp", *options, model, certificate).out)
    assert report["answer"] == "confirmed" and report["kind"] == "compact", report
    return report


def test_every_policy_leaves_the_members_of_a_search_without_a_cache(ctx):
    (ctx.tmp / "m.pml").write_text(LATTICE)
    for policy in POLICIES:
        for room in (STATES, STATES * 9 // 10):
            made = json.loads(spoor(ctx, "check", "--json", *PLAIN, "--store", "cache", "--policy", policy,
                                    "--cache-states", room, "--certificate", "c", "m.pml").out)
            assert made["certificate"]["reason"] is None and made["certificate"]["bytes"] > 0, made["certificate"]
            assert (made["cache"]["evictions"] > 0) == (room < STATES) and made["states"] >= STATES
            report = certified(ctx, "m.pml", "c")
            assert (report["states"], report["transitions"]) == (STATES, TRANSITIONS), (policy, report)


def test_the_figures_of_a_certificate_without_repeated_visits_are_shown(ctx):
    (ctx.tmp / "m.pml").write_text(LATTICE)
    cache = ("--store", "cache", "--certificate", "c", "m.pml")
    lines = spoor(ctx, "check", *PLAIN, "--cache-states", "3800", *cache).out.splitlines()
    [line] = [line for line in lines if line.startswith("certificate: ")]
    assert "bytes per" not in line, line  # of transitions that were taken several times
    assert " bytes per transition\n" in spoor(ctx, "check", *PLAIN, *cache).out


def test_a_search_that_does_not_end_leaves_none(ctx):
    (ctx.tmp / "m.pml").write_text(LATTICE)
    result = spoor(ctx, "check", *PLAIN, "--store", "cache", "--cache-states", "10", "--certificate", "c", "m.pml", code=3)
    assert "no certificate: the search has not seen all states" in result.out, result.out
    assert not (ctx.tmp / "c").exists()


def certify_random(ctx, seed):
    """Of one random model: how many certificates were confirmed, how many of them of searches with evictions."""
    name, certificate = f"m{seed}.pml", f"c{seed}"
    (ctx.tmp / name).write_text(generate(9_700_000 + seed, errors=False).text)
    reduce = "default" if seed % 2 == 0 else "none"
    options = ("--json", "--property", "safety", "--no-end-states", "--exec", "interp", "--reduce", reduce,
               "--certificate", certificate, name)
    exact = spoor(ctx, "check", *options, "--store", "exact", "--time", "10", code=None)
    if exact.code != 0:
        return 0, 0
    states, path = (json.loads(exact.out)[key] for key in ("states", "depth"))
    if not FEWEST <= states <= LARGEST:
        return 0, 0
    expected = certified(ctx, name, certificate, "--no-end-states")
    confirmed, again = 0, 0
    for number, share in enumerate((0.0, 0.4, 0.7)):
        policy = POLICIES[(seed + number) % len(POLICIES)]
        room = max(path + 2, int(share * states))
        (ctx.tmp / certificate).unlink()
        made = json.loads(spoor(ctx, "check", *options, "--store", "cache", "--policy", policy, "--cache-states", room,
                                "--time", "3", code=None).out)
        if made["limit"] in ("time", "path"):
            expected_at = ctx.tmp / certificate
            assert not expected_at.exists()
            expected_at.touch()
            continue
        report = certified(ctx, name, certificate, "--no-end-states")
        if reduce == "none":
            assert report["states"] == expected["states"] and report["transitions"] == expected["transitions"], (seed, policy)
        confirmed += 1
        again += made["cache"]["evictions"] > 0
    return confirmed, again


def test_random_models_are_certified_from_tiny_caches(ctx):
    count = 1000 if ctx.long else 10 if ctx.slow else 60
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(lambda seed: certify_random(ctx, seed), range(count)))
    confirmed, again = (sum(column) for column in zip(*answers))
    assert confirmed >= 0.3 * count and again >= 0.2 * confirmed, (confirmed, again, count)
