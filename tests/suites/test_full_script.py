"""Search scripts as published, on the command line: made by a check, followed by the certifier."""

import json
import pathlib
import random
import re
import sys

import jsonschema
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from generator import generate  # noqa: E402

REDUCTIONS = ("merge,dead,order", "none", "merge", "dead", "order", "default")
LOCK = """
byte inside; chan lock = [1] of { bit };
active [2] proctype user() { do :: lock!0; inside++; assert(inside == 1); inside--; lock?_ od }
"""
WRONG = LOCK.replace("lock!0; ", "").replace("; lock?_", "")
# 117,649 states.
LARGE = "".join(f"byte v{i};\nactive proctype P{i}() {{ do :: d_step {{ v{i} < 6 -> v{i}++ }} od }}\n" for i in range(6))


def spoor(ctx, command, *args, code=0, timeout=60):
    result = ctx.run_spoor([command, *args], cwd=ctx.tmp, timeout=timeout)
    assert code is None or result.code == code, (result.args, result.code, result.out[-2000:], result.err[-2000:])
    return result


def make(ctx, text, *options, kind="full", name="m.pml", code=0):
    """Checks the model, which leaves a script, and returns the report."""
    (ctx.tmp / name).write_text(text)
    report = json.loads(spoor(ctx, "check", "--json", "--exec", "interp", "--certificate", "c", "--certificate-kind", kind, *options, name,
                              code=code).out)
    assert report["certificate"]["kind"] == kind
    return report


def certify(ctx, *args, code=0, model="m.pml"):
    result = spoor(ctx, "certify", "--json", "--exec", "interp", *args, model, "c", code=code)
    report = json.loads(result.out)
    schema = json.loads((ctx.root / "docs" / "certify.schema.json").read_text())
    errors = [error.message for error in jsonschema.Draft7Validator(schema).iter_errors(report)]
    assert not errors, (errors, report)
    return report


def test_a_check_that_holds_is_confirmed(ctx):
    made = make(ctx, LOCK)
    assert made["certificate"]["bytes"] == (ctx.tmp / "c").stat().st_size
    report = certify(ctx)
    assert report["kind"] == "full" and report["answer"] == "confirmed" and report["fingerprints"] > 0
    assert report["states"] == made["states"] and report["transitions"] == made["transitions"] - 1
    shown = spoor(ctx, "certify", "m.pml", "c").out
    assert shown.startswith(f"confirmed: the model has no error (safety); {made['states']} states and ")
    assert f"at most {report['fingerprints']} fingerprint" in shown
    make(ctx, LOCK, "--property", "deadlock")
    assert certify(ctx)["property"] == "deadlock"


def test_what_is_asked_for_must_be_what_is_claimed(ctx):
    make(ctx, LOCK, "-DV=1")
    assert "'defines V=1', not 'defines '" in certify(ctx, code=1)["reason"]
    (ctx.tmp / "m.pml").write_text(LOCK + "\n")
    assert "another model" in certify(ctx, "-DV=1", code=1)["reason"]
    (ctx.tmp / "m.pml").write_text(LOCK)
    assert "the property safety, not deadlock" in certify(ctx, "-DV=1", "--property", "deadlock", code=1)["reason"]


def test_a_violation_leaves_its_trace(ctx):
    make(ctx, WRONG, code=1)
    assert certify(ctx)["kind"] == "trace"


def test_further_invariants_are_checked_along_the_way(ctx):
    make(ctx, LOCK, "--reduce", "none")
    certify(ctx, "--invariant", "inside <= 1")
    certify(ctx, "--invariant", "inside == 1 -> X (inside < 2)")
    report = certify(ctx, "--invariant", "inside == 0", code=1)
    assert report["answer"] == "refuted" and "the invariant inside == 0 is violated" in report["reason"]


def test_trustful_scripts_are_for_invariants_of_states(ctx):
    made = make(ctx, LOCK, "--reduce", "none", kind="trustful")
    report = certify(ctx, "--invariant", "inside <= 1")
    assert report["kind"] == "trustful" and report["fingerprints"] is None
    assert (report["states"], report["transitions"]) == (made["states"], made["states"] - 1)
    shown = spoor(ctx, "certify", "--invariant", "inside <= 1", "m.pml", "c").out
    assert shown.startswith("confirmed for invariants of states only, trusting the script: ") and "were not checked" in shown.splitlines()[0]
    report = certify(ctx, "--invariant", "inside == 0", code=1)
    assert report["answer"] == "refuted" and "the invariant inside == 0 is violated" in report["reason"]
    refused = spoor(ctx, "certify", "--invariant", "inside == 1 -> X (inside < 2)", "m.pml", "c", code=2)
    assert "cannot confirm an invariant over two consecutive states" in refused.err
    for options, words in ((("--property", "deadlock"), "nothing of deadlocks"),
                           (("--invariant", "inside == 1 -> X (inside < 2)"), "an invariant over two consecutive states")):
        refused = spoor(ctx, "check", "--certificate", "d", "--certificate-kind", "trustful", *options, "m.pml", code=2)
        assert words in refused.err and not (ctx.tmp / "d").exists()


@pytest.mark.threads
def test_regions_say_the_same_as_the_whole(ctx):
    for kind in ("full", "trustful"):
        made = make(ctx, LARGE, "--no-end-states", "--reduce", "none", kind=kind)
        for options in (("--jobs", "1"), ("--jobs", "2"), ("--jobs", "3", "--tasks", "20"), ("--jobs", "1", "--tasks", "100")):
            report = certify(ctx, "--no-end-states", *options)
            assert report["answer"] == "confirmed" and report["states"] == made["states"]
            tasks = int(options[-1])
            assert report["regions"] == tasks and report["largest_region"] < 1.6 * report["transitions"] / tasks
            assert (report["division"]["longest_path"] > 0) == (tasks > 1)
            if kind == "full":
                assert 0 < report["fingerprints"] < report["states"]
    assert "initialization paths: " in spoor(ctx, "certify", "--no-end-states", "--tasks", "5", "m.pml", "c").out


def test_tasks_of_other_forms_are_computed(ctx):
    (ctx.tmp / "m.pml").write_text(LARGE)
    for kind in ("compact", "closed-set"):
        spoor(ctx, "check", "--reduce", "none", "--no-end-states", "--certificate", "c", "--certificate-kind", kind, "m.pml")
        plain = certify(ctx, "--no-end-states")
        assert plain["division"] is None
        one, three = (certify(ctx, "--no-end-states", "--jobs", "1", "--tasks", str(tasks)) for tasks in (1, 3))
        for report in (one, three):
            assert {k: report[k] for k in ("answer", "states", "transitions")} == {k: plain[k] for k in ("answer", "states", "transitions")}
        assert one["division"]["largest_task"] == one["transitions"]
        regions = max(one["largest_region"], 1) if kind == "compact" else one["transitions"]
        assert one["transitions"] / 3 <= three["division"]["largest_task"] <= one["transitions"] / 3 + regions
        assert 0 < three["division"]["longest_task_s"] and 0 < three["division"]["division_s"]
        assert "tasks: the largest has 100.00 % of the transitions" in spoor(
            ctx, "certify", "--no-end-states", "--tasks", "1", "m.pml", "c").out


def test_usage(ctx):
    (ctx.tmp / "m.pml").write_text(LOCK)
    assert "a full certificate is made by a depth-first search" in spoor(
        ctx, "check", "--certificate", "c", "--certificate-kind", "full", "--search", "bfs", "m.pml", code=2).err
    assert "--certificate-kind needs --certificate" in spoor(ctx, "check", "--certificate-kind", "full", "m.pml", code=2).err
    make(ctx, LOCK)
    spoor(ctx, "check", "--certificate", "d", "m.pml")
    for option in (("--sample", "3"), ("--resume", "r")):
        assert "--tasks is about a whole" in spoor(ctx, "certify", "--tasks", "3", *option, "m.pml", "d", code=2).err
    assert "is a full certificate" in spoor(ctx, "certify", "--sample", "3", "m.pml", "c", code=2).err


def test_damaged_files_are_wrong_input(ctx):
    make(ctx, LOCK)
    good = (ctx.tmp / "c").read_bytes()
    for at in range(8, len(good), 7):
        (ctx.tmp / "c").write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1:])
        assert "the certificate 'c' is " in spoor(ctx, "certify", "m.pml", "c", code=2).err
    for size in (20, len(good) // 2, len(good) - 1):
        (ctx.tmp / "c").write_bytes(good[:size])
        spoor(ctx, "certify", "m.pml", "c", code=2)


def test_limits_end_it(ctx):
    make(ctx, LARGE, "--no-end-states", "--reduce", "none")
    assert certify(ctx, "--no-end-states", "--time", "0.01", code=3)["limit"] == "time"
    assert certify(ctx, "--no-end-states", "--memory", "10K", code=3)["limit"] == "memory"
    report = certify(ctx, "--no-end-states")
    assert report["states"] == 117649 and report["fingerprints"] < 117649


@pytest.mark.other_program
def test_compiled_code_and_interpreter_make_and_confirm_the_same(ctx):
    (ctx.tmp / "m.pml").write_text(LARGE)
    contents = set()
    for exec_ in ("native", "interp"):
        spoor(ctx, "check", "--exec", exec_, "--certificate", exec_, "--certificate-kind", "full", "--no-end-states", "--reduce", "none", "m.pml")
        contents.add((ctx.tmp / exec_).read_bytes())
    assert len(contents) == 1
    (ctx.tmp / "c").write_bytes(contents.pop())
    reports = [json.loads(spoor(ctx, "certify", "--json", "--jobs", "1", "--exec", e, "--no-end-states", "m.pml", "c").out) for e in ("native", "both", "interp")]
    assert len({(r["answer"], r["states"], r["transitions"], r["fingerprints"]) for r in reports}) == 1
    assert 700 < reports[0]["compared_states"] < 1800 and reports[2]["compared_states"] == 0


@pytest.mark.other_program
def test_embedded_c_runs_only_where_it_is_allowed(ctx):
    text = ("c_state \"int n\" \"Global\"\nactive proctype A() { do :: c_expr { now.n < 90 } -> c_code { now.n++; } :: else -> break od }\n")
    make(ctx, text, "--allow-c")
    assert certify(ctx, "--allow-c")["answer"] == "confirmed"
    assert "P430" in spoor(ctx, "certify", "m.pml", "c", code=2).err


def test_graphs_have_scripts(ctx):
    make(ctx, 'des (0, 3, 2)\n(0, "a", 1)\n(1, "b", 0)\n(1, i, 1)\n', name="g.aut")
    assert certify(ctx, model="g.aut")["transitions"] == 3


def test_no_changed_script_is_confirmed(ctx):
    """A campaign of more than 100,000 of them; the unit tests try some thousands."""
    if not ctx.long:
        ctx.skip("a campaign: only with --long")
    program = ctx.spoor.parent / "spoor_unit_tests"
    if not program.exists():
        ctx.skip("the unit tests are not built")
    result = ctx.run([program, "--gtest_filter=FullScriptAttacks*"], timeout=3000,
                     env={"SPOOR_CERTIFICATE_SEED": str(random.randrange(1, 1 << 20)), "SPOOR_CERTIFICATE_ROUNDS": "20"})
    print(result.out)
    assert result.code == 0, result.out[-3000:]
    assert sum(map(int, re.findall(r": (\d+) tried", result.out))) > 100_000


def test_our_models_and_random_ones_are_confirmed(ctx):
    models = sorted((ctx.root / "examples").glob("*.pml")) + sorted((ctx.root / "tests" / "models").glob("*.pml"))
    models = [m for m in models if "_rejected" not in m.name][::1 if ctx.long else 12 if ctx.slow else 5]
    for seed in range(300 if ctx.long else 4 if ctx.slow else 15):
        path = ctx.tmp / f"random{seed}.pml"
        path.write_text(generate(7_000_000 + seed, errors=False).text)
        models.append(path)
    confirmed = 0
    for i, model in enumerate(models):
        options = ("--exec", "interp", "--allow-c", "--time", "20", "--memory", "2G")
        made = spoor(ctx, "check", "--json", *options, "--property", "safety", "--reduce", REDUCTIONS[i % 6], "--certificate", "c",
                     "--certificate-kind", "trustful" if i % 3 == 0 else "full", model, code=None, timeout=120)
        if made.code != 0:
            continue
        report = json.loads(made.out)
        assert report["certificate"]["bytes"] > 0, (model.name, report["certificate"])
        certified = json.loads(spoor(ctx, "certify", "--json", *options, model, "c", code=None, timeout=120).out)
        if certified["answer"] == "unknown":
            continue
        assert certified["answer"] == "confirmed", (model.name, certified)
        assert certified["states"] == report["states"]
        if i % 3 != 0:
            assert certified["transitions"] == report["transitions"] - 1
        confirmed += 1
    assert confirmed > len(models) / 4
