"""Elements of states, by perturbation: one edit of a random model, and both versions side by side.

Wherever the successors or findings of a state of the old version differ in the new one, one of the state's
elements must have changed. spoor_compare_versions (tests/tools) explores and compares, with all reductions
and with none. A test fails when too few edits give a valid model, or too few of those change what a state
does: then it would agree with anything.
"""

import collections
import concurrent.futures
import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from generator import generate  # noqa: E402
from generator.mutate import mutate  # noqa: E402

SHOWN = 3
MOST_STATES = 100  # of the old version, explored for one pair
BATCH = 50         # pairs for one process
LEAST_VALID = 0.5      # of the pairs; 0.78 are
LEAST_DIFFERING = 0.1  # of the valid ones: in so many some state has other successors; 0.19 in the worst test
FIGURES = ("states", "untouched", "compared", "differing", "changed", "elements")
Result = collections.namedtuple("Result", ("old", "new", "reductions", "verdict", *FIGURES, "details"))


def compare(ctx, lines):
    """One Result per pair and reduction."""
    program = ctx.spoor.parent / "spoor_compare_versions"
    ran = ctx.run([program, MOST_STATES], stdin="".join(line + "\n" for line in lines), timeout=600)
    assert ran.code in (0, 1), ran.err or f"exit code {ran.code}"
    results = []
    for line in ran.out.splitlines():
        words = line.split(" ")
        if words[0].endswith(".pml"):
            numbers = [int(word) for word in words[4:]] or [0] * len(FIGURES)
            results.append(Result(*words[:4], *numbers, []))
        else:
            results[-1].details.append(line)
    assert len(results) == 3 * len(lines), f"{len(results)} answers for {len(lines)} pairs"
    return results


def perturb(ctx, seed, errors, features):
    """Writes a random model and an edit of it; returns the input line of the pair."""
    model = generate(seed, errors, features)
    edit, tree = mutate(model.tree, random.Random(seed))
    old, new = ctx.tmp / f"{seed}-old.pml", ctx.tmp / f"{seed}-new-{edit}.pml"
    old.write_text(f"{model.tree}\n")
    new.write_text(f"{tree}\n")
    return f"{old}\t{new}"


def check_edits(ctx, first_seed, count, features=None, errors=False):
    if ctx.long:
        count *= 40
    elif ctx.slow:
        count = max(20, count // 5)
    seeds = range(first_seed, first_seed + count)

    def batch(some):
        return compare(ctx, [perturb(ctx, seed, errors, features) for seed in some])

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        batches = pool.map(batch, (seeds[i:i + BATCH] for i in range(0, count, BATCH)))
        results = [result for results in batches for result in results]
    wrong = [result for result in results if result.verdict == "VIOLATION"]
    for result in wrong[:SHOWN]:
        print(pathlib.Path(result.new).name, result.reductions, *result.details, sep="\n")
        print(pathlib.Path(result.old).read_text(), pathlib.Path(result.new).read_text(), sep="\n")
    assert not wrong, f"{len(wrong)} of {len(results)} comparisons: successors differ, elements do not"
    valid = [result for result in results if result.verdict == "ok"]
    differing = [result for result in valid if result.differing > 0]
    print(f"{count} edits, {len(valid) // 3} valid, {sum(r.compared for r in valid)} untouched states compared")
    assert len(valid) >= LEAST_VALID * len(results), f"only {len(valid)} of {len(results)} are valid"
    assert len(differing) >= LEAST_DIFFERING * len(valid), f"only {len(differing)} of {len(valid)} differ"


def test_successors_differ_only_where_elements_do(ctx):
    check_edits(ctx, 1_000_000, 100)


def test_the_same_for_indivisible_sequences_and_handshakes(ctx):
    check_edits(ctx, 2_000_000, 50, ["atomic", "rendezvous", "d_step", "gotos", "else"])


def test_the_same_for_processes_and_channels_that_are_passed_on(ctx):
    check_edits(ctx, 3_000_000, 50, ["run", "handles", "buffered", "rendezvous", "atomic", "local_channels"])


def test_the_same_for_escapes_and_scopes(ctx):
    check_edits(ctx, 4_000_000, 25, ["unless", "scopes", "gotos", "counted"])


def test_the_same_for_what_looks_at_other_processes(ctx):
    check_edits(ctx, 5_000_000, 25, ["remote", "enabled", "timeout", "priority", "provided", "specials", "run"])


def test_the_same_for_run_time_errors(ctx):
    check_edits(ctx, 6_000_000, 25, errors=True)


def test_pairs_that_fool_simple_comparisons(ctx):
    folder = ctx.shared / "regression" if ctx.shared else None
    if folder is None or not (folder / "pairs.tsv").exists():
        ctx.skip("no ../shared/regression beside the repository")
    lines = []
    for row in (folder / "pairs.tsv").read_text().splitlines()[1:]:
        name, old_options, new_options = row.split("\t")[:3]
        defines = [",".join(word[2:] for word in options.split() if word.startswith("-D"))
                   for options in (old_options, new_options)]
        lines.append("\t".join([str(folder / "pairs" / name / "old.pml"),
                                str(folder / "pairs" / name / "new.pml"), *defines]))
    wrong = [result for result in compare(ctx, lines) if result.verdict != "ok"]
    for result in wrong[:SHOWN]:
        print(result.old, result.reductions, result.verdict, *result.details, sep="\n")
    assert not wrong, f"{len(wrong)} comparisons"
