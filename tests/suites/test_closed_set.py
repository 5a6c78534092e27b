"""Closed sets: `check --certificate-kind closed-set`, `certify`, `certify --sample`."""

import json
import pathlib
import random
import sys

import jsonschema
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from generator import generate  # noqa: E402

HOLDS = "byte x, y;\nactive [2] proctype A() { do :: x < 9 -> x++ :: x > 0 -> x-- :: y < 20 -> y++ :: y = 0 od }\n"
FAILS = "byte x;\nactive proctype A() { x = 1; assert(x == 2) }\n"
MEMORY = "100M"


def run(ctx, *args, code=0):
    result = ctx.run_spoor(args, cwd=ctx.tmp)
    assert code is None or result.code == code, (result.code, result.out, result.err)
    return result


def make(ctx, *options, text=HOLDS, cert="m.cert", code=0):
    (ctx.tmp / "m.pml").write_text(text)
    report = json.loads(run(ctx, "check", "--json", "--exec", "interp", "--property", "safety", "--certificate", cert,
                            "--certificate-kind", "closed-set", *options, "m.pml", code=code).out)
    schema = json.loads((ctx.root / "docs" / "check.schema.json").read_text())
    jsonschema.validate(report, schema, jsonschema.Draft7Validator)
    return report


def certify(ctx, *options, code=0, model="m.pml", cert="m.cert"):
    answer = json.loads(run(ctx, "certify", "--json", "--exec", "interp", *options, model, cert, code=code).out)
    if code != 2:
        schema = json.loads((ctx.root / "docs" / "certify.schema.json").read_text())
        jsonschema.validate(answer, schema, jsonschema.Draft7Validator)
    return answer


def test_every_complete_search_leaves_the_same_set(ctx):
    expected = None
    for options in ((), ("--search", "dfs"), ("--store", "tree"), ("--threads", "1")):
        report = make(ctx, *options)
        assert report["verdict"] == "holds" and report["certificate"]["kind"] == "closed-set", report
        assert report["reductions"]["made"] == "merge,dead"
        expected = expected or (ctx.tmp / "m.cert").read_bytes()
        assert (ctx.tmp / "m.cert").read_bytes() == expected, options
    for jobs in ("1", "3"):
        answer = certify(ctx, "--jobs", jobs)
        assert answer["answer"] == "confirmed" and answer["kind"] == "closed-set"
        assert answer["states"] == report["states"] and answer["transitions"] == report["transitions"] - 1
        assert answer["sample"] is None


def test_native_code_confirms_it_too(ctx):
    make(ctx)
    answer = json.loads(run(ctx, "certify", "--json", "--exec", "native", "m.pml", "m.cert").out)
    assert answer["answer"] == "confirmed"


def test_a_sample_is_evidence_and_says_so(ctx):
    make(ctx)
    answer = certify(ctx, "--sample", "50", code=3)
    assert answer["answer"] == "not-refuted" and answer["sample"] == 50 and answer["reason"] is None
    assert 0 < answer["states"] <= 50
    text = run(ctx, "certify", "--sample", "50", "m.pml", "m.cert", code=3).out
    assert text.startswith("not refuted: ") and "evidence, not proof" in text and "(1-e)^50" in text, text


def test_what_cannot_be_combined_is_refused_with_the_reason(ctx):
    make(ctx)
    kind = ("--certificate", "c.cert", "--certificate-kind", "closed-set", "--property", "safety")
    for args, reason in ((("--certificate-kind", "closed-set"), "needs --certificate"),
                         ((*kind, "--reduce", "merge,order"), "leave order out of --reduce"),
                         ((*kind, "--store", "bitstate"), "a --store that keeps all states"),
                         ((*kind, "--checkpoint", "cp"), "has no certificate"),
                         ((*kind, "--depth", "9"), "--depth")):
        assert reason in run(ctx, "check", *args, "m.pml", code=2).err
    assert not (ctx.tmp / "c.cert").exists()
    (ctx.tmp / "c.pml").write_text("c_state \"int x\" \"Global\"\nactive proctype A() { c_code { now.x = 1; } }\n")
    assert "embedded C" in run(ctx, "check", "--allow-c", *kind, "c.pml", code=2).err
    run(ctx, "check", "--exec", "interp", "--property", "safety", "--certificate", "compact.cert", "m.pml")
    message = certify(ctx, "--sample", "5", cert="compact.cert", code=2)["error"]
    assert "compact certificate" in message
    make(ctx, text=FAILS, cert="trace", code=1)
    assert "--sample needs a closed set" in run(ctx, "certify", "--sample", "5", "m.pml", "trace", code=2).err
    assert certify(ctx, cert="trace")["kind"] == "trace"


def test_it_is_about_one_model_and_its_options(ctx):
    make(ctx)
    (ctx.tmp / "other.pml").write_text(HOLDS.replace("y < 20", "y < 21"))
    for draws in ((), ("--sample", "9")):
        assert "another model" in certify(ctx, *draws, code=1, model="other.pml")["reason"]
        assert "its options are not" in certify(ctx, *draws, "--no-end-states", code=1)["reason"]
        assert "about the property safety" in certify(ctx, *draws, "--property", "deadlock", code=1)["reason"]


def test_a_changed_file_is_never_confirmed(ctx):
    make(ctx)
    file = ctx.tmp / "m.cert"
    good = file.read_bytes()
    rng = random.Random(1)
    for i in range(2000 if ctx.long else 40):
        changed = bytearray(good)
        if i % 4 == 0:
            del changed[rng.randrange(len(changed)):]
        elif i % 4 == 1:
            changed += bytes([i % 256])
        else:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        file.write_bytes(changed)
        for draws in ((), ("--sample", "3")):
            result = run(ctx, "certify", "--exec", "interp", *draws, "m.pml", "m.cert", code=None)
            # A sample does not read all of the file.
            assert result.code in ((1, 2, 3) if draws else (1, 2)), (i, result.code, result.out, result.err)


def test_many_mutants_are_confirmed_only_where_they_are_proofs(ctx):
    """What ConfirmsWhatIsAProofAndNothingElse does with 120 graphs, 40 mutants each."""
    if not ctx.long:
        ctx.skip("a campaign: only with --long")
    program = ctx.spoor.parent / "spoor_unit_tests"
    if not program.exists():
        ctx.skip("the unit tests are not built")
    result = ctx.run([program, "--gtest_filter=ClosedSetCertifier.Confirms*"], timeout=3000, env={"SPOOR_CLOSED_SET_GRAPHS": "3000"})
    assert result.code == 0, result.out[-3000:]


def test_limits_end_it(ctx):
    make(ctx)
    assert certify(ctx, "--memory", "1", code=3)["limit"] == "memory"
    assert certify(ctx, "--memory", "1", "--sample", "9", code=3)["limit"] == "memory"


@pytest.mark.threads
def test_random_models_are_confirmed_where_the_check_says_so(ctx):
    count = 400 if ctx.long else 8 if ctx.slow else 25
    held = 0
    for seed in range(count):
        (ctx.tmp / "m.pml").write_text(generate(seed, seed % 5 == 0).text)
        (ctx.tmp / "m.cert").unlink(missing_ok=True)
        options = ("--reduce", "none") if seed % 3 == 0 else ()
        result = run(ctx, "check", "--json", "--exec", "interp", "--coverage", "off", "--memory", MEMORY, "--property", "safety",
                     "--certificate", "m.cert", "--certificate-kind", "closed-set", *options, "m.pml", code=None)
        assert result.code in (0, 1, 2, 3), (seed, result.code, result.err)
        if result.code != 0:
            continue
        held += 1
        report = json.loads(result.out)
        assert report["certificate"]["reason"] is None, (seed, report["certificate"])
        answer = certify(ctx, "--jobs", "2")
        assert answer["states"] == report["states"], seed
        certify(ctx, "--sample", "20", code=3)
    assert held > count // 10, held
