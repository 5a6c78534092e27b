"""Our own models: every example and every golden model keeps the promise in its `expect:` line.

The golden models in tests/models are one semantic corner each; the name says which, the comment
tells the story. SPIN is asked too, so that no line can go stale.
"""

import concurrent.futures
import os
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from lib.differential import SEARCHES, ask_spoor  # noqa: E402
from lib.expectations import read_expectation  # noqa: E402
from lib.spin_oracle import Oracle  # noqa: E402

LEAST_EXAMPLES = 13
LEAST_GOLDEN_MODELS = 140


def models(ctx, folder, least):
    found = sorted((ctx.root / folder).glob("*.pml"))
    assert len(found) >= least, f"only {len(found)} models in {folder}"
    return found


def all_models(ctx):
    return models(ctx, "examples", LEAST_EXAMPLES) + models(ctx, "tests/models", LEAST_GOLDEN_MODELS)


def wrong_answers(paths, ask, expected=read_expectation):
    """Asks about all models, two at a time; what contradicts the expectations, as text."""
    wrong = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, answer in zip(paths, pool.map(ask, paths)):
            differences = expected(path.read_text()).differences(answer)
            if differences:
                wrong.append(f"{path.name}: {'; '.join(differences)}\n  {answer.text[:300]}")
    return wrong


def keep_their_promise(ctx, paths):
    for search in SEARCHES:
        def ask(path, search=search):
            return ask_spoor(ctx.spoor, path, search=search, timeout=60, extra=("--allow-c",))

        wrong = wrong_answers(paths, ask)
        assert not wrong, f"with --search {search}:\n" + "\n".join(wrong)


def test_examples_are_answered_as_they_promise(ctx):
    keep_their_promise(ctx, models(ctx, "examples", LEAST_EXAMPLES))


def test_golden_models_are_answered_as_they_promise(ctx):
    keep_their_promise(ctx, models(ctx, "tests/models", LEAST_GOLDEN_MODELS))


@pytest.mark.other_program
def test_spin_confirms_what_our_models_promise(ctx):
    if not Oracle.available():
        ctx.skip("spin is not installed")
    oracle = Oracle(ctx.tmp, timeout=60, memory_mb=1024, max_depth=1_000_000)
    wrong = wrong_answers(all_models(ctx), oracle.ask_file, lambda text: read_expectation(text).of_spin())
    assert not wrong, "SPIN says otherwise:\n" + "\n".join(wrong)


def test_a_wrong_promise_is_noticed(ctx):
    """The comparison itself: a model with a false line must not pass."""
    path = ctx.root / "examples" / "counter.pml"
    answer = ask_spoor(ctx.spoor, path)
    text = path.read_text()
    for false in (text.replace("violated assertion", "holds"), text.replace("states=", "states=1"),
                  text.replace("transitions=", "transitions=1")):
        assert read_expectation(false).differences(answer), "a false promise passed"
