"""Certificates of infinite runs: closed sets with ranks, and lassos (`check --certificate`, `certify`)."""

import json
import pathlib
import random
import sys

import jsonschema
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from generator import generate_case  # noqa: E402

MEMORY = "100M"
HOLDS = """byte x, y;
active [2] proctype A() { do :: x < 9 -> x++ :: x > 0 -> x-- od }
active proctype B() { do :: y = (y + 1) % 4 od }
"""
# One property each: which is asked for, the options of the check, and the model.
MODELS = {
    "weak": ("ltl:p", (), HOLDS + "ltl p { [] (y < 4) }\n"),
    "fair": ("ltl:p", ("--fair",), HOLDS + "ltl p { [] <> (y == 3) && [] <> (y == 0) }\n"),
    "strong": ("ltl:p", (), "byte x;\nactive proctype A() { do :: x = 1 :: x = 2; x = 3 od }\n"
                            "ltl p { ([] <> (x == 2)) -> ([] <> (x == 3)) }\n"),
    "progress": ("progress", (), "byte x;\nactive proctype A() { do :: x < 5 -> x++ :: else -> progress: x = 0 od }\n"),
    "accept": ("accept", (), "byte x;\nactive proctype A() { do :: x < 5 -> x++; accept: x = x :: x < 5 -> x++ :: else -> break od }\n"),
    "never": ("never", (), HOLDS + "never { do :: y == 1 -> break :: true od; accept: do :: y == 5 od }\n"),
}
VIOLATED = {
    "ltl": ("ltl:p", (), HOLDS + "ltl p { [] <> (y == 3) }\n"),
    "fair": ("ltl:p", ("--fair",), HOLDS + "ltl p { <> [] (y == 3) }\n"),
    "stutter": ("ltl:p", (), "byte x;\nactive proctype A() { x = 1; x = 2 }\nltl p { <> (x == 3) }\n"),
    "finite": ("ltl:p", (), "byte x;\nactive proctype A() { do :: x++ od }\nltl p { [] (x < 7) }\n"),
    "progress": ("progress", (), "byte x;\nactive proctype A() { do :: x = 1 - x :: x = 3; progress: x = 0 od }\n"),
    "accept": ("accept", (), "byte x;\nactive proctype A() { do :: x = 1 - x :: accept: x = 0 od }\n"),
    "never": ("never", (), HOLDS + "never { do :: y == 1 -> break :: true od; accept: do :: x < 5 od }\n"),
}


def run(ctx, *args, code=0):
    result = ctx.run_spoor(args, cwd=ctx.tmp)
    assert code is None or result.code == code, (args, result.code, result.out, result.err)
    return result


def validated(ctx, text, schema):
    answer = json.loads(text)
    jsonschema.validate(answer, json.loads((ctx.root / "docs" / schema).read_text()), jsonschema.Draft7Validator)
    return answer


def make(ctx, text, wanted, *options, cert="m.cert", code=0):
    (ctx.tmp / "m.pml").write_text(text)
    for old in ("m.cert", cert):
        (ctx.tmp / old).unlink(missing_ok=True)
    result = run(ctx, "check", "--json", "--exec", "interp", "--property", wanted, "--certificate", cert, *options, "m.pml", code=code)
    return validated(ctx, result.out, "check.schema.json") if result.code != 2 else json.loads(result.out)


def certify(ctx, *options, code=0, model="m.pml", cert="m.cert", exec_="interp"):
    result = run(ctx, "certify", "--json", "--exec", exec_, *options, model, cert, code=code)
    return validated(ctx, result.out, "certify.schema.json") if result.code != 2 else json.loads(result.out)


def fairness_of(options):
    return tuple(o for o in options if o == "--fair")


@pytest.mark.threads
@pytest.mark.parametrize("name", MODELS)
def test_what_holds_is_certified(ctx, name):
    wanted, options, text = MODELS[name]
    report = make(ctx, text, wanted, *options)
    assert report["verdict"] == "holds", report
    figures = report["certificate"]
    assert figures["kind"] == "ranked-set" and figures["reason"] is None and figures["bytes"] > 0
    assert "order" not in report["reductions"]["made"]
    for jobs, exec_ in (("1", "interp"), ("3", "interp"), ("2", "native")):
        answer = certify(ctx, "--jobs", jobs, *options, exec_=exec_)
        assert answer["answer"] == "confirmed" and answer["kind"] == "ranked-set", answer
        assert answer["states"] == report["states"] and answer["transitions"] == report["transitions"] - 1
        assert answer["property"] == wanted
    certify(ctx, *options, "--property", wanted)
    first = (ctx.tmp / "m.cert").read_bytes()
    make(ctx, text, wanted, *options, "--threads", "3", "--store", "tree")
    certify(ctx, *options)
    if name != "weak":
        assert len((ctx.tmp / "m.cert").read_bytes()) == len(first)
    sample = certify(ctx, "--sample", "40", *options, code=3)
    assert sample["answer"] == "not-refuted" and sample["sample"] == 40


@pytest.mark.parametrize("name", VIOLATED)
def test_what_is_violated_has_a_lasso_that_is_certified(ctx, name):
    wanted, options, text = VIOLATED[name]
    report = make(ctx, text, wanted, *options, code=1)
    assert report["verdict"] == "violated"
    for more in ((), ("--property", wanted)):
        if not more and name in ("progress", "accept"):
            assert "name one with --property" in certify(ctx, *options, code=1)["reason"]
            continue
        answer = certify(ctx, *more, *options)
        assert answer["answer"] == "confirmed" and answer["kind"] == "trace", answer
        assert answer["property"] == wanted and answer["findings"]
    text = run(ctx, "certify", "--property", wanted, *options, "m.pml", "m.cert").out
    assert text.startswith("confirmed: ") and "replayed by the interpreter" in text
    assert certify(ctx, "--property", "safety", code=1)["reason"]
    # The same by a trail of SPIN.
    run(ctx, "check", "--exec", "interp", "--property", wanted, *options, "--reduce", "none", "--trail", "m.trail", "m.pml", code=1)
    certify(ctx, "--property", wanted, *options, cert="m.trail")


def test_a_trace_says_which_of_several_properties_it_violates(ctx):
    text = """
byte x;
active proctype A() { do :: x < 3 -> x++ :: x > 0 -> x-- od }
ltl holds { [] (x < 4) }
ltl up { [] <> (x == 3) }
ltl down { [] (x == 0 -> <> (x == 2)) }
never stays { do :: true :: x == 1 -> goto accept od; accept: do :: x < 3 od }
"""
    for wanted, answers in (("ltl:up", {"ltl:up"}), ("ltl:down", {"ltl:up", "ltl:down"}), ("never:stays", {"ltl:up", "never:stays"})):
        make(ctx, text, wanted, "--reduce", "none", code=1)
        answer = certify(ctx)
        assert answer["answer"] == "confirmed" and answer["property"] in answers, answer
        shown = run(ctx, "certify", "m.pml", "m.cert").out
        assert f"\nproperty: {answer['property']}\n" in shown, shown
        assert certify(ctx, "--property", wanted)["property"] == wanted
    (ctx.tmp / "m.pml").write_text(text.replace("[] <> (x == 3)", "true").replace("<> (x == 2)", "true").replace("x < 3 od", "x > 3 od"))
    reason = certify(ctx, code=1)["reason"]
    assert reason.startswith("it violates none of the properties of the model about infinite runs; ltl:holds: "), reason
    assert "; never:stays: " in reason or "; never: " in reason, reason


def lasso(ctx, text, wanted, *options):
    make(ctx, text, wanted, "--reduce", "none", *options, code=1)
    return json.loads((ctx.tmp / "m.cert").read_text())


def refusal_of(ctx, trace, *options):
    (ctx.tmp / "forged.cert").write_text(json.dumps(trace))
    return certify(ctx, *options, cert="forged.cert", code=1)["reason"]


def test_a_lasso_that_does_not_close_is_refuted(ctx):
    trace = lasso(ctx, "byte x;\nactive proctype A() { do :: x < 3 -> x++ :: x > 0 -> x-- od }\nltl p { [] <> (x > 5) }\n", "ltl:p")
    certify(ctx)
    steps = trace["trace"]
    assert steps["loop"] is not None
    for cut in (1,):
        forged = json.loads(json.dumps(trace))
        forged["trace"]["steps"] = steps["steps"][:-cut]
        forged["trace"]["attempts"] = steps["attempts"][:-cut]
        assert "does not lead back" in refusal_of(ctx, forged), forged
    forged = json.loads(json.dumps(trace))
    forged["trace"]["loop"] = len(steps["steps"]) + 1  # it is said to stutter, and can go on
    assert "does not lead back" in refusal_of(ctx, forged)
    forged["trace"]["loop"] = None
    assert "may go on without a violation" in refusal_of(ctx, forged, "--property", "ltl:p")


def test_a_lasso_without_the_mark_is_refuted(ctx):
    bad = "byte x;\nactive proctype A() { do :: x == 0 -> x = 1 :: x == 1 -> x = 0 od }\nltl %s\n"
    trace = lasso(ctx, bad % "p { <> [] (x == 0) }", "ltl:p")
    for good in ("p { [] <> (x == 0) }", "p { <> (x == 1) && [] <> (x == 1) }"):
        (ctx.tmp / "m.pml").write_text(bad % good)
        assert "does not violate the property" in refusal_of(ctx, trace)
    text = VIOLATED["progress"][2]
    trace = lasso(ctx, text, "progress")
    (ctx.tmp / "m.pml").write_text(text.replace("do :: x", "progress_2: do :: x"))
    assert refusal_of(ctx, trace, "--property", "progress")


def test_a_lasso_that_is_not_fair_is_refuted_where_fairness_is_asked_for(ctx):
    text = HOLDS + "ltl p { [] <> (y == 3) }\n"
    trace = lasso(ctx, text, "ltl:p")
    certify(ctx)
    assert "not weakly fair" in refusal_of(ctx, trace, "--fair")
    trace = lasso(ctx, HOLDS + "ltl p { <> [] (y == 3) }\n", "ltl:p", "--fair")
    certify(ctx, "--fair")
    certify(ctx)


def test_a_formula_of_the_command_line(ctx):
    given = ("--ltl", "[] <> (y == 3)", "--fair")
    report = make(ctx, HOLDS, "ltl:given", *given)
    assert report["verdict"] == "holds" and report["certificate"]["reason"] is None
    certify(ctx, *given)
    assert "not known" in certify(ctx, "--fair", code=1)["reason"]
    assert "'formula [] <> (y == 3)'" in certify(ctx, "--ltl", "[] <> (y == 2)", "--fair", code=1)["reason"]
    assert "'fair yes', not 'fair no'" in certify(ctx, "--ltl", "[] <> (y == 3)", code=1)["reason"]
    make(ctx, HOLDS, "ltl:given", "--ltl", "[] <> (y == 3)", code=1)
    assert certify(ctx, "--ltl", "[] <> (y == 3)")["property"] == "ltl:given"


def test_what_cannot_be_combined_is_refused_with_the_reason(ctx):
    wanted, options, text = MODELS["strong"]
    (ctx.tmp / "m.pml").write_text(text)
    base = ("--certificate", "m.cert", "--property", wanted)
    for more, reason in ((("--certificate-kind", "compact"), "closed-set only"), (("--reduce", "merge,order"), "leave order out"),
                         (("--depth", "9"), "--depth"), (("--store", "bitstate"), "keeps all states")):
        assert reason in run(ctx, "check", "--exec", "interp", *base, *more, "m.pml", code=2).err, more
    run(ctx, "check", "--exec", "interp", *base, "--certificate-kind", "closed-set", "m.pml")
    assert certify(ctx)["kind"] == "ranked-set"
    assert "invariant" in certify(ctx, "--invariant", "x < 9", code=2)["error"]
    assert "expected one of" in run(ctx, "certify", "--property", "nothing", "m.pml", "m.cert", code=2).err
    assert certify(ctx, "--memory", "1", code=3)["limit"] == "memory"


def test_another_model_is_refused(ctx):
    wanted, options, text = MODELS["strong"]
    make(ctx, text, wanted, *options)
    (ctx.tmp / "other.pml").write_text(text.replace("x = 3", "x = 4"))
    assert "another model" in certify(ctx, model="other.pml", code=1)["reason"]
    (ctx.tmp / "other.pml").write_text("active proctype A() { skip }\n")
    assert "another model" in certify(ctx, model="other.pml", code=1)["reason"]


def test_a_changed_file_is_never_confirmed(ctx):
    wanted, options, text = MODELS["fair"]
    make(ctx, text, wanted, *options)
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
            result = run(ctx, "certify", "--exec", "interp", *draws, *options, "m.pml", "m.cert", code=None)
            # A sample does not read all of the file.
            assert result.code in ((1, 2, 3) if draws else (1, 2)), (i, result.code, result.out, result.err)


def test_many_mutants_are_confirmed_only_where_they_are_proofs(ctx):
    """What the unit tests of RankRecorder, RankCertifier and LassoCheck do with 120 graphs."""
    if not ctx.long:
        ctx.skip("a campaign: only with --long")
    program = ctx.spoor.parent / "spoor_unit_tests"
    if not program.exists():
        ctx.skip("the unit tests are not built")
    result = ctx.run([program, "--gtest_filter=Rank*:LassoCheck*"], timeout=3000, env={"SPOOR_RANKED_GRAPHS": "6000"})
    assert result.code == 0, result.out[-3000:]


@pytest.mark.threads
def test_random_models_with_random_formulas(ctx):
    """What a check says, the certifier confirms; and it confirms nothing else."""
    count = 1500 if ctx.long else 8 if ctx.slow else 50
    answers = {"holds": 0, "violated": 0, "other": 0}
    for seed in range(count):
        case = generate_case(seed)
        wanted, text = (("ltl:p", str(case.with_ltl())) if seed % 4 < 2 else
                        ("accept" if seed % 4 == 2 else "progress", str(case.tree)))
        options = ("--fair",) if seed % 3 == 0 and wanted != "progress" else ()
        (ctx.tmp / "m.pml").write_text(text)
        (ctx.tmp / "m.cert").unlink(missing_ok=True)
        plain = run(ctx, "check", "--json", "--exec", "interp", "--coverage", "off", "--memory", MEMORY, "--time", "20", "--property", wanted,
                    *options, "--ledger", "none", "m.pml", code=None)
        result = run(ctx, "check", "--json", "--exec", "interp", "--coverage", "off", "--memory", MEMORY, "--time", "20", "--property", wanted,
                     *options, "--certificate", "m.cert", "m.pml", code=None)
        assert result.code in (0, 1, 2, 3) and (result.code == plain.code or 3 in (result.code, plain.code)), (seed, result.code, plain.code)
        if result.code in (2, 3):
            continue
        report = json.loads(result.out)
        if result.code == 1:
            answers["violated"] += 1
            answer = certify(ctx, "--property", wanted, *options)
            assert answer["answer"] == "confirmed", seed
            continue
        if report["certificate"]["reason"] is not None:
            assert "holds of every run" in report["certificate"]["reason"], (seed, report["certificate"])
            continue
        answers["holds"] += 1
        answer = certify(ctx, "--jobs", "2", *options)
        assert answer["states"] == report["states"], seed
        certify(ctx, "--sample", "20", *options, code=3)
        # The same certificate for another question.
        if wanted == "ltl:p":
            other = certify(ctx, *(() if options else ("--fair",)), code=1)
            assert "its options are not" in other["reason"], seed
    assert answers["holds"] > count // 8 and answers["violated"] > count // 8, answers
