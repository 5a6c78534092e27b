"""The shared corpus: several hundred real models, with what SPIN says about each.

At least 97 % of the models that SPIN explored completely must agree in states, transitions and
verdict, and every other one must be named in docs/spin-differences.md. The normal run takes the
models that SPIN rejects, those below 300,000 states, and a few seconds of the larger ones (an instrumented
build: those below 5,000 states, and a fourth of the larger ones); --long takes all, as far as memory allows.
"""

import concurrent.futures
import dataclasses
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from lib.corpus import Row, disagreement, read_rows  # noqa: E402
from lib.differential import ask_spoor  # noqa: E402
from lib.spin_oracle import Answer  # noqa: E402

LARGEST = 300_000        # states, in the normal run
LARGEST_SLOW = 5_000     # with an instrumented build
SECONDS_FOR_TOO_BIG = 2
LEAST_AGREEMENT = 0.97
# What the document can explain. A crash or a search without end has no explanation.
EXPLICABLE = {"accepted", "rejected", "kinds", "states", "transitions"}


def corpus_of(ctx):
    if ctx.shared is None or not (ctx.shared / "corpus" / "oracle.tsv").exists():
        ctx.skip("there is no shared/corpus beside the repository")
    return ctx.shared / "corpus"


def ask(ctx, row, seconds):
    return row, ask_spoor(ctx.spoor, row.path, row.defines, timeout=seconds,
                          memory="8G" if ctx.long else "2G", extra=row.options)


def answers(ctx, rows, seconds, jobs=None):
    with concurrent.futures.ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        yield from pool.map(lambda row: ask(ctx, row, seconds), rows)


def named_differences(ctx):
    """The rows that docs/spin-differences.md explains, by their ids."""
    path = ctx.root / "docs" / "spin-differences.md"
    return path.read_text() if path.exists() else ""


def complain(wrong, known):
    """Prints all disagreements; returns those that the document `known` does not explain."""
    unexplained = []
    for row, problem in wrong:
        explained = problem.category in EXPLICABLE and f"`{row.id}`" in known
        if not explained:
            unexplained.append(row.id)
        print(f"{row.id} ({row.path.name}, {' '.join(row.defines)}) "
              f"{'explained' if explained else 'NOT EXPLAINED'}: "
              f"{problem.category}: {problem.text[:600]}")
    return unexplained


def test_a_crash_is_never_explained(ctx):
    """The judgement itself, without a corpus."""
    row = Row("a.b", pathlib.Path("b.pml"), (), (), "no-error", True, 7, 9, False)
    fine = Answer("complete", states=7, transitions=9)
    assert disagreement(row, fine) is None
    other = disagreement(row, dataclasses.replace(fine, states=8))
    assert complain([(row, other)], "`a.b`") == [] and complain([(row, other)], "`a.c`") == ["a.b"]
    for outcome in ("crashed", "timeout"):
        problem = disagreement(row, Answer(outcome, text="exit 70"))
        assert complain([(row, problem)], "`a.b`") == ["a.b"], outcome


def test_models_that_spin_explored_agree_with_it(ctx):
    rows = [row for row in read_rows(corpus_of(ctx)) if row.complete]
    if not ctx.long:
        most = LARGEST_SLOW if ctx.slow else LARGEST
        rows = [row for row in rows if row.states < most]
    assert rows, "no rows left"
    wrong, cut, agreed = [], [], 0
    for row, ours in answers(ctx, rows, 3600 if ctx.long else 120, jobs=2):
        problem = disagreement(row, ours)
        if problem is not None:
            wrong.append((row, problem))
        elif ours.outcome == "incomplete":
            cut.append(row.id)
        else:
            agreed += 1
    print(f"{agreed} agree, {len(wrong)} do not; cut by a limit: {cut}")
    unexplained = complain(wrong, named_differences(ctx))
    assert not unexplained, f"not explained in docs/spin-differences.md: {unexplained}"
    assert ctx.long or not cut, f"cut by a limit: {cut}"
    assert agreed >= LEAST_AGREEMENT * (agreed + len(wrong)), f"only {agreed} agree"


def test_files_that_spin_rejects_are_rejected(ctx):
    rows = [row for row in read_rows(corpus_of(ctx)) if row.verdict == "syntax-error"]
    assert rows, "no rows left"
    wrong = [(row, problem) for row, ours in answers(ctx, rows, 30)
             if (problem := disagreement(row, ours)) is not None]
    unexplained = complain(wrong, named_differences(ctx))
    assert not unexplained, f"SPIN rejects these: {unexplained}"


def test_files_that_spin_accepts_are_accepted(ctx):
    """Those too large to finish, which get two seconds; the others are in the first test."""
    rows = [row for row in read_rows(corpus_of(ctx))
            if row.verdict != "syntax-error" and not row.complete]
    rows = rows[::4] if ctx.slow else rows  # each takes all of its time
    assert rows, "no rows left"
    wrong = []
    for row, ours in answers(ctx, rows, SECONDS_FOR_TOO_BIG * (30 if ctx.long else 1)):
        problem = disagreement(row, ours)
        if problem is not None:
            wrong.append((row, problem))
    unexplained = complain(wrong, named_differences(ctx))
    assert not unexplained, f"wrong and not explained in docs/spin-differences.md: {unexplained}"
