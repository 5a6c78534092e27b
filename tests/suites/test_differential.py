"""Random models: SPIN and ours must agree on states, transitions and kinds of error.

Each test takes a fixed range of seeds; --long takes many times as many. A model that disagrees is
shrunk and printed with the command that reproduces it. Models that SPIN rejects must be rejected;
those it cannot decide (too large, or refused by its verifier) are not compared. A test fails when
SPIN ran too few of its models: a generator of syntax errors would agree with everybody. The feature
"never" adds a claim; the errors of the model with its claim are then compared as well.
"""

import concurrent.futures
import os
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from generator import generate, shrink  # noqa: E402
from lib.differential import Differ  # noqa: E402
from lib.spin_oracle import Oracle  # noqa: E402

SHOWN = 3          # disagreements shrunk and printed for one test
SHRINK_TRIES = 250
RUN_BY_SPIN = ("complete", "crashed")  # crashed: a division by zero ends its verifier
LEAST_RUN = 0.5      # of the models; 0.62 in the worst test, where SPIN refuses many gotos
LEAST_FAILING = 0.1  # of the models that aim at run-time errors; 0.2 do
LEAST_CLAIMS = 0.1   # of the models with a never claim must violate it, and as many must not


def differ_for(ctx):
    if not Oracle.available():
        ctx.skip("spin is not installed")
    # A single large model takes longer than all the others; a slow build is asked about small ones only.
    largest = 10_000 if ctx.slow else None if ctx.long else 100_000
    return Differ(ctx.spoor, Oracle(ctx.tmp, timeout=3, memory_mb=16), ctx.tmp, largest=largest)


def agree(ctx, first_seed, count, features=None, errors=False, wide=False):
    """Compares `count` models; with --long twenty times as many, with a slow build a tenth."""
    differ = differ_for(ctx)
    if ctx.long:
        count *= 20
    elif ctx.slow:
        count = max(10, count // 10)
    compared, failing, failures = 0, 0, []

    def one(seed):
        model = generate(seed, errors, features, wide)
        return (model, *differ.check(model.text))

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for model, spin, found in pool.map(one, range(first_seed, first_seed + count)):
            compared += spin.outcome in RUN_BY_SPIN
            failing += "runtime-error" in spin.kinds
            if found is not None:
                failures.append((model, found))
    for model, found in failures[:SHOWN]:
        show(ctx, differ, model, found, features, errors, wide)
    assert not failures, f"{len(failures)} of {count} models disagree"
    assert compared >= LEAST_RUN * count, f"only {compared} of {count} could be compared"
    if errors:
        assert failing >= LEAST_FAILING * count, f"only {failing} of {count} have run-time errors"
    if features and "never" in features:
        assert min(differ.claims["holds"], differ.claims["violated"]) >= LEAST_CLAIMS * count, differ.claims


def show(ctx, differ, model, found, features, errors, wide):
    small = shrink(model.tree, differ.same_failure(found.category), SHRINK_TRIES)
    chosen = f" --features {','.join(features)}" if features else ""
    print(f"{found.category}: {found.text}\n{small}"
          f"reproduce: tests/campaign.py --count 1 --seed {model.seed}{chosen}"
          f"{' --errors' if errors else ''}{' --wide' if wide else ''} --spoor {ctx.spoor}\n")


def test_random_mixtures_of_all_features_agree_with_spin(ctx):
    agree(ctx, 1_000_000, 150)


def test_random_control_flow_agrees_with_spin(ctx):
    agree(ctx, 2_000_000, 40, ["gotos", "skips", "ends", "else"])


def test_random_atomic_sequences_agree_with_spin(ctx):
    agree(ctx, 3_000_000, 40, ["atomic", "gotos", "buffered", "else"])


def test_random_rendezvous_in_atomic_sequences_agree_with_spin(ctx):
    agree(ctx, 4_000_000, 40, ["atomic", "rendezvous", "else", "timeout"])


def test_random_escapes_agree_with_spin(ctx):
    agree(ctx, 5_000_000, 40, ["unless", "gotos", "atomic", "d_step"])


def test_random_escapes_with_rendezvous_agree_with_spin(ctx):
    agree(ctx, 6_000_000, 40, ["unless", "rendezvous", "else", "timeout"])


def test_random_process_creation_agrees_with_spin(ctx):
    agree(ctx, 7_000_000, 40, ["run", "specials", "atomic", "provided"])


def test_random_arithmetic_agrees_with_spin(ctx):
    agree(ctx, 8_000_000, 40, ["types", "arrays", "records", "asserts"])


def test_random_messages_agree_with_spin(ctx):
    agree(ctx, 9_000_000, 40, ["buffered", "sorted", "copying", "polls", "eval", "mtypes"])


def test_random_channel_values_agree_with_spin(ctx):
    agree(ctx, 10_000_000, 40, ["handles", "buffered", "rendezvous", "run", "local_channels"])


def test_random_channels_in_records_agree_with_spin(ctx):
    agree(ctx, 15_000_000, 40, ["channel_records", "handles", "buffered", "rendezvous", "records"])


def test_random_trace_assertions_agree_with_spin(ctx):
    agree(ctx, 16_000_000, 40, ["events", "buffered", "rendezvous", "atomic"])


def test_random_priorities_agree_with_spin(ctx):
    agree(ctx, 11_000_000, 40, ["priority", "run", "atomic", "provided"])


def test_random_deterministic_processes_agree_with_spin(ctx):
    agree(ctx, 14_000_000, 40, ["deterministic", "gotos", "else", "rendezvous"])


def test_random_scopes_and_inlines_agree_with_spin(ctx):
    agree(ctx, 12_000_000, 40, ["scopes", "inlines", "unless", "counted"])


def test_random_run_time_errors_agree_with_spin(ctx):
    agree(ctx, 13_000_000, 60, errors=True)


def test_random_escapes_within_indivisible_sequences_agree_with_spin(ctx):
    agree(ctx, 30_000_000, 40, ["escapes", "atomic", "d_step", "rendezvous", "inlines"])


def test_random_records_of_records_agree_with_spin(ctx):
    agree(ctx, 31_000_000, 40, ["deep_records", "inlines", "relays", "handles", "buffered", "rendezvous"])


def test_random_embedded_c_agrees_with_spin(ctx):
    need_compiler(ctx)
    agree(ctx, 32_000_000, 40, ["embedded_c", "atomic", "unless", "buffered"])


def test_random_never_claims_agree_with_spin(ctx):
    agree(ctx, 33_000_000, 40, ["never", "gotos", "buffered", "asserts"])


def test_random_wide_mixtures_agree_with_spin(ctx):
    need_compiler(ctx)
    agree(ctx, 34_000_000, 40, wide=True)


def need_compiler(ctx):
    """Spoor compiles embedded C."""
    if not shutil.which("cc"):
        ctx.skip("there is no C compiler")
