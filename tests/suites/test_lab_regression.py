"""The experiment on edited models: its models and versions are what it says, and it writes its tables."""

import json
import pathlib
import sys

from lib.differential import ask_spoor, compare
from lib.spin_oracle import Oracle

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "lab"))

from regression.versions import COUNTS, SIZES, apply, base, history, versions  # noqa: E402

# States and transitions at the small size: with the default reductions, and without any.
FIGURES = {
    "alarm_clock": ((21023, 36998), (128665, 330482)),
    "daisy": ((48793, 135301), (115009, 344922)),
    "elevator": ((2345, 3504), (3035, 4978)),
    "rax": ((9558, 14689), (141289, 360578)),
    "replicated_workers": ((8749, 9006), (37939, 66552)),
}


def model_file(ctx, model):
    return ctx.root / "lab" / "regression" / "models" / f"{model}.pml"


def small(model):
    return f"N={SIZES['small'][model]}"


def test_the_models_hold_and_have_the_states_that_the_list_says(ctx):
    assert set(FIGURES) == set(COUNTS) == {path.stem for path in (ctx.root / "lab" / "regression" / "models").glob("*.pml")}
    for model, figures in FIGURES.items():
        for reduce, expected in zip(("default", "none"), figures):
            result = ctx.run_spoor(["check", "--json", "--property", "safety", "--reduce", reduce, "-D", small(model), model_file(ctx, model)])
            assert result.code == 0, f"{model}: {result.out[:1000]}{result.err}"
            report = json.loads(result.out)
            assert not report["warnings"], f"{model}: {report['warnings']}"
            assert (report["states"], report["transitions"]) == expected, f"{model} --reduce {reduce}"


def test_the_default_size_of_a_model_is_that_of_the_lab(ctx):
    for model, size in SIZES["lab"].items():
        assert f"#ifndef N\n#define N {size}\n" in model_file(ctx, model).read_text(), model


def test_the_models_have_the_states_of_spin(ctx):
    if not Oracle.available():
        ctx.skip("spin is not installed")
    oracle = Oracle(ctx.tmp, timeout=60, memory_mb=1024, max_depth=1_000_000)
    for model in ("daisy", "elevator", "replicated_workers") if not ctx.long else FIGURES:
        defines = [f"-D{small(model)}"]
        spin = oracle.ask_file(model_file(ctx, model), defines=defines)
        assert spin.complete, spin.text[:500]
        difference = compare(spin, ask_spoor(ctx.spoor, model_file(ctx, model), defines=defines))
        assert difference is None, f"{model}: {difference}"


def test_all_versions_compile_and_differ(ctx):
    """At a depth of one step: the experiment itself compares the answers."""
    for model, count in COUNTS.items():
        found = versions(model)
        simulated = [version for version in found if version.kind != "history"]
        chain = list(history(model))
        assert len(simulated) == count and 10 <= count <= 29 and 6 <= len(chain) <= 10, model
        assert {version.kind for version in simulated} == {"paper", "random"}, model
        assert len({version.text for version in found} | {base(model).text}) == len(found) + 1, f"{model}: two versions are equal"
        for version in found:
            path = ctx.tmp / "model.pml"
            path.write_text(version.text)
            result = ctx.run_spoor(["check", "--property", "safety", "--exec", "interp", "--depth", "1", "--coverage", "off", "-D", small(model), path])
            assert result.code in (0, 1, 3), f"{model} {version.name}: exit {result.code}\n{result.err[:1000]}"


def test_a_patch_that_does_not_fit_is_refused(ctx):
    patch = "why\n\n--- a\n+++ b\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
    assert apply(patch, "a\nb\nd\n") == "a\nc\nd\n"
    try:
        apply(patch, "a\nx\nd\n")
    except ValueError as problem:
        assert "line 2" in str(problem)
    else:
        raise AssertionError("it was applied")


def test_the_experiment_on_edits_writes_its_tables(ctx):
    if ctx.slow:
        ctx.skip("an instrumented program would take minutes")
    result = ctx.run([ctx.root / "lab" / "run", "regression", "--quick", "--program", ctx.spoor, "--output", ctx.tmp / "results"], timeout=300)
    assert result.code == 0, (result.out, result.err)
    text = (ctx.tmp / "results" / "regression.md").read_text()
    for part in ("# Closure and prune", "# Technique: closure", "# Technique: walk", "# Technique: prune", "## Table 2", "## Table 3", "## Targets", "## All versions",
                 "Not the whole experiment"):
        assert part in text, part
    results = json.loads((ctx.tmp / "results" / "regression.json").read_text())
    for technique in ("closure", "walk", "prune"):
        cases = [case for case in results["cases"] if case["technique"] == technique]
        assert {case["model"] for case in cases} == set(COUNTS) and len(cases) == 2 * len(COUNTS)
        used = [case for case in cases if case["used"]]  # not where an edit touches too much
        assert used and all(case["expanded"] < case["states"] for case in used), cases
