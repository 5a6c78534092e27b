"""The experiment on hunts: it measures a model, its statistics are right, and it writes its tables."""

import json
import math
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "lab"))

from hunt.cases import CASES, PUBLISHED  # noqa: E402
from hunt.tables import signed_rank  # noqa: E402


def test_a_quick_run_writes_its_tables(ctx):
    if ctx.slow:
        ctx.skip("an instrumented program would take minutes")
    folder = ctx.tmp / "results"
    result = ctx.run([ctx.root / "lab" / "run", "hunt", "--quick", "--models", "pots,phil-loop64", "--program", ctx.spoor, "--output", folder], timeout=300)
    assert result.code == 0, result.err
    loop, pots = json.loads((folder / "hunt.json").read_text())["table"]
    assert (loop["case"], pots["case"]) == ("phil-loop64", "pots")
    for found in (loop, pots):
        assert {"auto": 2, "walk": 2, "eda": 2, "astar": 1} == {method: len(runs) for method, runs in found["methods"].items()}
        assert all(run["best"][0] <= run["first"][0] and run["first"][1] <= run["best"][1] <= run["expansions"] <= 3000
                   for runs in found["methods"].values() for run in runs if run["best"])
    assert [run["best"][0] for run in loop["methods"]["auto"]] == [65, 65]
    text = (folder / "hunt.md").read_text()
    assert "# Table 2: hunts" in text and "# Targets" in text and "| phil-loop64 | 65* | auto | 2/2 |" in text


def test_each_case_has_its_model_and_each_published_row_is_about_a_case(ctx):
    assert all(case.path.is_file() for case in CASES)
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)
    assert {name for name in PUBLISHED if name not in names} <= {"alter", "elev20", "elev40", "ltlgiop10", "ltlgiop20", "sgc"}


def signs(values, rival):
    """The exact two-sided p, by all signs of the ranks."""
    differences = sorted((abs(value - rival), value > rival) for value in values if value != rival)
    sizes = [size for size, _ in differences]
    ranks = [(2 * sizes.index(size) + sizes.count(size) + 1) / 2 for size in sizes]
    middle = sum(ranks) / 2
    seen = abs(sum(rank for rank, (_, is_more) in zip(ranks, differences) if is_more) - middle)
    as_far = sum(abs(sum(rank for i, rank in enumerate(ranks) if chosen >> i & 1) - middle) >= seen - 1e-9 for chosen in range(2 ** len(ranks)))
    return as_far / 2 ** len(ranks)


@pytest.mark.parametrize("values, rival", [
    ([12, 15, 11, 17, 13, 14, 18, 12, 16, 15], 13), ([5, 5, 6, 7, 5, 8, 9, 5, 6, 7, 7, 5], 5), ([1, 9, 2, 8, 3, 7, 4, 6, 5, 5], 5),
    ([20, 21, 22, 19, 25, 24, 23, 22, 21, 28], 19), (range(12), 4.5), ([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5], 8),
])
def test_the_signed_rank_test_is_near_the_exact_one(ctx, values, rival):
    assert math.isclose(signed_rank(values, rival), signs(values, rival), abs_tol=0.03)


def test_equal_numbers_do_not_differ(ctx):
    assert signed_rank([7, 7, 7], 7) == 1.0
    assert signed_rank([7] * 99 + [8], 7) > 0.05 > signed_rank([8] * 30, 7)
