"""The benchmark: it runs, writes what it promises, and fails when the checkers count differently."""

import json
import pathlib
import shutil
import stat
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))

from harness import measure  # noqa: E402
from harness.checkers import offered, offers  # noqa: E402
from harness.models import all_models, read_sizes  # noqa: E402

# Stands in front of the real program and finds one state more, where a model has this name.
LIAR = """#!{python}
import json, subprocess, sys
done = subprocess.run([{spoor!r}, *sys.argv[1:]], capture_output=True, text=True)
if "--json" in sys.argv and {model!r} in sys.argv[-1]:
    report = json.loads(done.stdout)
    report["states"] += 1
    done.stdout = json.dumps(report)
sys.stdout.write(done.stdout)
sys.exit(done.returncode)
"""


def liar_about(ctx, model):
    liar = ctx.tmp / "liar"
    liar.write_text(LIAR.format(python=sys.executable, spoor=str(ctx.spoor), model=model))
    liar.chmod(liar.stat().st_mode | stat.S_IXUSR)
    return liar


def bench(ctx, *options, spoor=None, models="phils,german"):
    if not shutil.which("spin") or not shutil.which("gcc"):
        ctx.skip("spin or gcc is not installed")
    if ctx.slow:
        ctx.skip("an instrumented program is not measured, and may not fit the bounds")
    return ctx.run([sys.executable, ctx.root / "bench" / "run", "--quick", "--rounds", "1", "--models",
                    models, "--output", ctx.tmp / "results", "--spoor", spoor or ctx.spoor,
                    "--timeout", "40", *options], timeout=60)


def test_a_quick_benchmark_writes_its_results(ctx):
    result = bench(ctx, "--configs", "exact", "--name", "mine")
    assert result.code == 0, result.err
    text = (ctx.tmp / "results" / "mine.json").read_text()
    found = json.loads(text)
    assert found["settings"]["rounds"] == 1 and found["settings"]["quick"] is True
    machine = found["machine"]
    assert machine["cores"] > 0 and machine["memory_mb"] > 0 and "Spin" in machine["spin"], machine
    assert machine["spoor"].startswith("spoor ") and machine["gcc"] and machine["cpu"], machine
    [configuration] = found["configurations"]
    assert configuration["name"] == "exact" and configuration["same_counts"] is True
    rows = configuration["models"]
    assert [row["model"] for row in rows] == ["phils", "german"]
    for row in rows:
        promised = all_models()[row["model"]]["quick"]
        for side in (row["reference"], row["ours"]):
            assert side["verdict"] == "holds", side
            assert (side["states"], side["transitions"]) == (promised.states, promised.transitions)
            assert side["cpu_s"] > 0 and side["wall_s"] > 0 and side["peak_bytes"] > 1 << 20, side
            assert side["bytes_per_state"] == side["peak_bytes"] / side["states"], side
            assert side["transitions_per_cpu_s"] > 0 and len(side["rounds"]) == 1, side
        assert row["ours"]["own_cpu_s"] > 0, row["ours"]
        assert row["ratios"]["cpu"] == row["ours"]["cpu_s"] / row["reference"]["cpu_s"], row
    assert set(configuration["geometric_mean"]) == set(rows[0]["ratios"])
    table = (ctx.tmp / "results" / "mine.md").read_text()
    assert result.out == table and "| phils -DN=8 | 32860 | 168698 |" in table, table
    for private in (str(ctx.root), str(ctx.tmp)):
        assert private not in text + table, f"the results name {private}"


def test_a_wrong_count_fails_the_benchmark(ctx):
    result = bench(ctx, "--configs", "exact", spoor=liar_about(ctx, "german"))
    assert result.code == 1, result.out + result.err
    assert "WRONG: exact, german: states differ: SPIN 6112, spoor 6113" in result.err, result.err
    assert "WRONG: exact, phils" not in result.err, result.err
    assert not (ctx.tmp / "results").exists(), "results of a wrong run were written"


def test_an_older_program_takes_the_place_of_spin(ctx):
    result = bench(ctx, "--configs", "exact,depth", "--before", ctx.spoor, models="german")
    assert result.code == 0, result.err
    for configuration in json.loads((ctx.tmp / "results" / "latest.json").read_text())["configurations"]:
        assert configuration["reference"]["name"] == "before", configuration
        assert configuration["reference"]["commands"] == configuration["ours"]["commands"], configuration
    result = bench(ctx, "--configs", "exact", "--before", liar_about(ctx, "german"), models="german")
    assert result.code == 1 and "german: states differ: before 6113, spoor 6112" in result.err, result.err


def test_a_limit_is_a_failure_and_no_figure(ctx):
    result = bench(ctx, "--configs", "exact", "--memory", "1", models="german")
    assert result.code == 1 and "WRONG: exact, german: " in result.err, result.err
    assert not (ctx.tmp / "results").exists()


def test_unknown_models_and_configurations_are_refused(ctx):
    for options in (["--models", "phils,nobody"], ["--configs", "exacto"], ["--rounds", "0"]):
        result = ctx.run([sys.executable, ctx.root / "bench" / "run", *options])
        assert result.code == 2 and "error: argument" in result.err, result.err


def test_options_are_found_in_the_help(ctx):
    options = offered("Options:\n  -h,--help       print this; not --that\n  --store exact|tree  where\n"
                      "  --threads N     how many\n  --exec auto|interp\n                  words\n")
    assert offers(options, "--help") and offers(options, "--threads", "2")
    assert offers(options, "--store", "tree") and not offers(options, "--store", "bitstate")
    assert not offers(options, "--that") and not offers(options, "--reduce", "none")
    real = offered(ctx.run_spoor(["check", "--help"]).out)
    assert offers(real, "--exec", "native") and offers(real, "--reduce", "none"), real


def test_every_model_says_its_sizes(ctx):
    models = all_models()
    assert len(models) == 8, sorted(models)
    for sizes in models.values():
        assert sizes["full"].states > 1_000_000 > sizes["quick"].states, sizes
    path = ctx.tmp / "m.pml"
    path.write_text("/* full: states=1 transitions=1 */")
    try:
        read_sizes(path)
    except ValueError as problem:
        assert "m.pml" in str(problem)
    else:
        raise AssertionError("a model without its sizes was taken")


def test_the_mean_of_ratios_is_geometric(ctx):
    rows = [{"ratios": dict.fromkeys(measure.RATIOS, ratio)} for ratio in (0.25, 4.0, 1.0)]
    assert all(abs(mean - 1) < 1e-12 for mean in measure.geometric_means(rows).values())
