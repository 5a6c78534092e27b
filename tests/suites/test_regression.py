"""Checks after an edit: with a ledger, a check answers what a full check answers.

The old version is checked with a ledger, then the new one twice: with the ledger, which takes what the edit
cannot influence from the recording, and without. Verdict, kinds of violation, figures and unreached statements
must be equal, and traces must replay (spoor does so before it shows one).
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from generator import generate  # noqa: E402
from generator.mutate import mutate  # noqa: E402

SHOWN = 3
MEMORY = "50M"  # of a random model that needs more nothing is compared
UNDECIDED = 3
# Options of all three checks.
KINDS = (("--reduce", "none"), (), ("--reduce", "merge,dead"), ("--search", "dfs"), ("--store", "tree"),
         ("--threads", "2", "--store", "exact"), ("--all-errors",), ("--property", "deadlock"))
COUNTER = """byte x;
active proctype P() { do :: x < 4 -> x++ :: x > 0 -> x-- od }
active proctype Q() { byte y; do :: y < 9 -> y++ :: y == 9 -> y = 0; assert(x <= 4) od }
"""


def check(ctx, path, *options, ledger="none"):
    if "--property" not in options:
        options = ("--property", "safety", *options)
    ran = ctx.run([ctx.spoor, "check", "--json", "--coverage", "off", "--exec", "interp", "--memory", MEMORY,
                   "--ledger", ledger, *options, path], timeout=120)
    return ran.code, json.loads(ran.out) if ran.code in (0, 1, 3) else ran.err


def answer(checked):
    """What must not depend on a ledger."""
    code, report = checked
    if isinstance(report, str):
        return code, None
    violations = [(violation["kind"], violation["message"], len(violation["trace"]["steps"]))
                  for violation in report["violations"]]
    figures = [report[name] for name in ("states", "transitions", "inner_steps", "depth", "findings")]
    return code, report["verdict"], violations, figures, report["unreached"]


def recheck(ctx, folder, versions, *options):
    """Checks the versions one after the other with a ledger; the answers of the last, with and without it."""
    path = folder / "model.pml"
    ledger = folder / "ledger"
    for text in versions:
        path.write_text(text)
        last = check(ctx, path, *options, ledger=ledger)
    return last, check(ctx, path, *options)


def compare(ctx, name, versions, *options):
    """The ledger's part of the last report; and the difference between the answers, or None."""
    folder = ctx.tmp / name
    folder.mkdir(parents=True)
    with_ledger, full = recheck(ctx, folder, versions, *options)
    is_cut = any(checked[0] == UNDECIDED for checked in (with_ledger, full))  # where depends on the memory used
    if is_cut or answer(with_ledger) == answer(full):
        reuse = None if isinstance(with_ledger[1], str) else with_ledger[1].get("ledger")
        return reuse, None
    return None, f"{name} {' '.join(options)}\n  with the ledger {answer(with_ledger)}\n  in full {answer(full)}"


def compare_all(ctx, jobs):
    """Jobs: (name, versions, options). Returns how many used a recording."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda job: compare(ctx, job[0], job[1], *job[2]), jobs))
    differences = [difference for _, difference in results if difference]
    for difference in differences[:SHOWN]:
        print(difference)
    assert not differences, f"{len(differences)} of {len(jobs)} answers differ"
    return collections.Counter("used" if reuse and reuse["used"] else "full" for reuse, _ in results)


def test_an_edit_is_checked_without_executing_what_it_cannot_influence(ctx):
    (ctx.tmp / "a").mkdir()
    edited = COUNTER.replace("y == 9 -> y = 0", "y == 9 -> y = 1")
    with_ledger, full = recheck(ctx, ctx.tmp / "a", [COUNTER, edited], "--reduce", "none")
    assert answer(with_ledger) == answer(full)
    reuse = with_ledger[1]["ledger"]
    assert reuse["used"] and reuse["changed_locations"] > 0
    assert 0 < reuse["expanded_states"] < with_ledger[1]["states"] / 2, reuse


def test_a_model_that_is_not_edited_is_not_executed(ctx):
    (ctx.tmp / "a").mkdir()
    with_ledger, full = recheck(ctx, ctx.tmp / "a", [COUNTER, "/* a comment */\n" + COUNTER], "--reduce", "none")
    assert answer(with_ledger) == answer(full)
    assert with_ledger[1]["ledger"]["expanded_states"] == 0


def test_a_violation_behind_the_edit_has_a_trace_that_replays(ctx):
    (ctx.tmp / "a").mkdir()
    edited = COUNTER.replace("assert(x <= 4)", "assert(x < 4)")
    with_ledger, full = recheck(ctx, ctx.tmp / "a", [COUNTER, edited])
    assert with_ledger[0] == 1 and answer(with_ledger) == answer(full)
    assert with_ledger[1]["ledger"]["used"]


def test_a_chain_of_versions(ctx):
    """Each version is checked with the recording of the one before, back to the first."""
    versions = [COUNTER.replace("y == 9 -> y = 0", f"y == 9 -> y = {i % 5}") for i in range(10)] + [COUNTER]
    used = compare_all(ctx, [(f"chain-{len(versions[:n])}", versions[:n], ()) for n in (2, 5, 11)])
    assert used["used"] == 3, used


def test_the_words_of_the_report(ctx):
    path = ctx.tmp / "model.pml"
    path.write_text(COUNTER)
    command = [ctx.spoor, "check", "--ledger", ctx.tmp / "ledger", path]
    first = ctx.run(command)
    assert first.code == 0 and "ledger" not in first.out, first.out
    path.write_text(COUNTER.replace("y = 0", "y = 1"))
    second = ctx.run(command)
    assert re.search(r"^ledger: 2 of 7 locations changed; \d+ of 131 states explored$", second.out, re.M), second.out


def test_a_recording_that_is_damaged_or_foreign_leads_to_a_full_check(ctx):
    path, ledger = ctx.tmp / "model.pml", ctx.tmp / "ledger"
    path.write_text(COUNTER)
    check(ctx, path, ledger=ledger)
    path.write_text(COUNTER.replace("y = 0", "y = 1"))  # else the head of the recording would be enough
    full = check(ctx, path)
    [file] = ledger.glob("*.recording")
    good = file.read_bytes()
    random_ = random.Random(1)
    damages = [good[:random_.randrange(len(good))] for _ in range(500 if ctx.long else 20)]
    for _ in range(500 if ctx.long else 20):
        damaged = bytearray(good)
        damaged[random_.randrange(len(good))] ^= 1 << random_.randrange(8)
        damages.append(bytes(damaged))
    for damaged in [b"", b"hello", *damages]:
        file.write_bytes(damaged)
        checked = check(ctx, path, ledger=ledger)
        assert answer(checked) == answer(full)
        assert not checked[1]["ledger"]["used"]
        assert "set aside" in checked[1]["ledger"]["why_not_used"]
        assert check(ctx, path, ledger=ledger)[1]["ledger"]["used"], "it was made anew"


def test_a_check_that_is_not_recorded_says_why(ctx):
    path = ctx.tmp / "model.pml"
    path.write_text(COUNTER)
    for options in (("--store", "bitstate"), ("--reduce", "merge,dead,order,stubborn"), ("--check-reduction",),
                    ("--store", "bitstate", "--swarm", "2"), ("--checkpoint", ctx.tmp / "kept")):
        code, report = check(ctx, path, *options, ledger=ctx.tmp / "ledger")
        assert code == 0 and not report["ledger"]["used"], report
        assert report["ledger"]["why_not_recorded"].startswith("not recorded: "), report["ledger"]
    assert not list((ctx.tmp / "ledger").glob("*.recording"))


def test_a_folder_that_cannot_be_written_is_no_error(ctx):
    path = ctx.tmp / "model.pml"
    path.write_text(COUNTER)
    (ctx.tmp / "file").write_text("")
    ran = ctx.run([ctx.spoor, "check", "--ledger", ctx.tmp / "file", path])
    assert ran.code == 0 and "no ledger in" in ran.err, ran.err


def test_a_check_that_a_limit_has_ended_leaves_a_larger_recording(ctx):
    path, ledger = ctx.tmp / "model.pml", ctx.tmp / "ledger"
    path.write_text(COUNTER)
    code, whole = check(ctx, path, ledger=ledger)
    assert code == 0 and whole["states"] > 10
    recording = next(ledger.glob("*.recording"))
    before = recording.read_bytes()
    path.write_text(COUNTER.replace("y == 9 -> y = 0", "y == 9 -> y = 1"))
    code, cut = check(ctx, path, "--depth", "2", ledger=ledger)
    assert code == UNDECIDED and cut["states"] < whole["states"], cut
    assert recording.read_bytes() == before
    code, after = check(ctx, path, ledger=ledger)
    assert code == 0 and after["ledger"]["used"], after["ledger"]


def test_random_edits_of_random_models(ctx):
    count = 3000 if ctx.long else 20 if ctx.slow else 80
    jobs = []
    for seed in range(7_000_000, 7_000_000 + count):
        model = generate(seed, seed % 4 == 0)
        versions = [model.tree]
        for edit in range(1 + seed % 3):
            versions.append(mutate(versions[-1], random.Random(seed + edit))[1])
        options = KINDS[seed % len(KINDS)]
        jobs.append((f"{seed}", [f"{tree}\n" for tree in versions], options))
    used = compare_all(ctx, jobs)
    print(dict(used))
    assert used["used"] >= count // 5, used


def pairs(ctx):
    folder = ctx.shared / "regression" if ctx.shared else None
    if folder is None or not (folder / "pairs.tsv").exists():
        ctx.skip("no ../shared/regression beside the repository")
    for row in (folder / "pairs.tsv").read_text().splitlines()[1:]:
        name, *options = row.split("\t")[:3]
        defines = ["".join(f"#define {word[2:].replace('=', ' ')}\n" for word in text.split()
                           if word.startswith("-D")) for text in options]
        yield name, [define + (folder / "pairs" / name / f"{version}.pml").read_text()
                     for define, version in zip(defines, ("old", "new"))]


def test_pairs_that_fool_simple_implementations(ctx):
    kinds = KINDS[:2] if ctx.slow else KINDS
    jobs = [(f"{name}-{i}{'-back' * back}", versions[::-1] if back else versions, options)
            for name, versions in pairs(ctx) for i, options in enumerate(kinds)
            for back in ((False, True) if ctx.long else (False,))]
    used = compare_all(ctx, jobs)
    print(dict(used))
    assert used["used"] >= len(jobs) // 4, used
