"""Certificates on the command line: who made the check need not be believed, nor what the file says.

A check that holds leaves a certificate that is confirmed, one that is violated a trace; and nothing else is.
"""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import pathlib

import jsonschema
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from generator import generate  # noqa: E402
from lib.corpus import read_rows  # noqa: E402

REDUCTIONS = ("merge,dead,order", "none", "merge", "dead", "order", "default")
LARGEST_STATES = 300_000  # of a model of the corpus

LOCK = """
byte inside; chan lock = [1] of { bit };
active [2] proctype user() { do :: lock!0; inside++; assert(inside == 1); inside--; lock?_ od }
"""
WRONG = LOCK.replace("lock!0; ", "").replace("; lock?_", "")
# 117,649 states.
LARGE = "".join(f"byte v{i};\nactive proctype P{i}() {{ do :: d_step {{ v{i} < 6 -> v{i}++ }} od }}\n" for i in range(6))


def spoor(ctx, command, *args, code=0, timeout=60, **how):
    result = ctx.run_spoor([command, *args], cwd=ctx.tmp, timeout=timeout, **how)
    assert code is None or result.code == code, (result.args, result.code, result.out[-2000:], result.err[-2000:])
    return result


def make(ctx, text, *options, name="m.pml", certificate="c", code=0):
    """Checks the model, which leaves a certificate, and returns the report."""
    (ctx.tmp / name).write_text(text)
    return json.loads(spoor(ctx, "check", "--json", "--exec", "interp", "--certificate", certificate, *options, name,
                            code=code).out)


def certify(ctx, *args, code=0, model="m.pml", certificate="c"):
    """The object that `certify --json` prints, compared with the schema and the exit code."""
    result = spoor(ctx, "certify", "--json", "--exec", "interp", *args, model, certificate, code=None)
    report = json.loads(result.out)
    schema = json.loads((ctx.root / "docs" / "certify.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    errors = [error.message for error in jsonschema.Draft7Validator(schema).iter_errors(report)]
    assert not errors, (errors, report)
    expected = {"confirmed": 0, "refuted": 1, "not-confirmed": 1, "unknown": 3}[report["answer"]]
    assert result.code == expected == code, (result.code, report)
    assert (report["reason"] is None) == (report["answer"] in ("confirmed", "unknown")), report
    return report


def wrong_input(ctx, *args):
    """What is said about input that is wrong: exit code 2, a sentence, and an object with --json."""
    result = spoor(ctx, "certify", *args, code=2)
    assert result.out == "", result.out
    error = json.loads(spoor(ctx, "certify", "--json", *args, code=2).out)["error"]
    assert error in result.err, (error, result.err)
    return error


def test_a_check_that_holds_is_confirmed(ctx):
    made = make(ctx, LOCK)
    assert made["certificate"] == {"file": "c", "bytes": (ctx.tmp / "c").stat().st_size, "reason": None, "signed_by": None, "kind": "compact"}
    report = certify(ctx)
    assert report["kind"] == "compact" and report["claim"]["options"].startswith("reductions merge,dead,order\n")
    assert report["states"] == made["states"] and report["transitions"] == made["transitions"] - 1
    assert report["model_sha256"] == report["claim"]["model_sha256"] == made["model_sha256"]
    shown = spoor(ctx, "certify", "m.pml", "c").out
    assert shown.startswith(f"confirmed: the model has no error (safety); {made['states']} states and "
                            f"{made['transitions'] - 1} transitions were executed anew\n\nclaim: safety, reductions ")
    assert spoor(ctx, "certify", "-q", "m.pml", "c").out == shown.splitlines(keepends=True)[0]
    for jobs in ("1", "2", "64"):
        again = certify(ctx, "--jobs", jobs)
        assert {k: again[k] for k in ("states", "transitions", "regions")} == {
            k: report[k] for k in ("states", "transitions", "regions")}


def test_the_manual_shows_what_is_printed(ctx):
    manual = (ctx.root / "docs" / "cli.md").read_text(encoding="utf-8")
    blocks = [b for b in re.findall(r"```\n(.*?)```", manual, re.S) if "spoor certify" in b and b.startswith("$ spoor check")]
    assert len(blocks) == 2
    for command, printed in re.findall(r"^\$ spoor (.*)\n((?:[^$].*\n)*)", "".join(blocks), re.M):
        words = [str(ctx.root / w) if w.startswith("examples/") else w for w in command.split()]
        assert ctx.run_spoor(words, cwd=ctx.tmp).out == printed


def test_the_manual_names_every_member(ctx):
    manual = (ctx.root / "docs" / "json.md").read_text()
    schema = json.loads((ctx.root / "docs" / "certify.schema.json").read_text())
    for name in [*schema["properties"], *schema["properties"]["claim"]["properties"]]:
        assert f"`{name}`" in manual, name


def test_a_violation_leaves_its_trace(ctx):
    made = make(ctx, WRONG, code=1)
    assert made["certificate"]["bytes"] == 0
    report = certify(ctx)
    assert report["kind"] == "trace" and report["findings"][0]["kind"] == "assertion" and report["steps"] > 0
    assert spoor(ctx, "certify", "m.pml", "c").out.startswith("confirmed: the model has an error: assertion violated")
    assert certify(ctx, "--property", "deadlock", code=1)["reason"].endswith("none of the property that was asked for")
    (ctx.tmp / "m.pml").write_text(LOCK)
    assert certify(ctx, code=1)["answer"] == "refuted"
    # The model is right now, and the trace makes way for a certificate.
    make(ctx, LOCK)
    assert certify(ctx)["kind"] == "compact"
    make(ctx, WRONG, code=1)
    assert certify(ctx)["kind"] == "trace"


def test_a_deadlock_that_is_none_is_no_error(ctx):
    stuck = "chan q = [0] of { byte };\nactive proctype A() { q!1 }\n"
    make(ctx, stuck, code=1)
    certify(ctx)
    certify(ctx, "--property", "deadlock")
    certify(ctx, "--no-end-states", code=1)
    make(ctx, stuck, "--no-end-states")
    certify(ctx, "--no-end-states")
    assert "'end-states no', not 'end-states yes'" in certify(ctx, code=1)["reason"]


def test_a_failed_step_can_lead_to_a_deadlock(ctx):
    make(ctx, "active proctype A() { assert(false); false }\n", "--property", "deadlock", code=1)
    assert [f["kind"] for f in certify(ctx)["findings"]] == ["assertion", "deadlock"]
    assert [f["kind"] for f in certify(ctx, "--property", "deadlock")["findings"]] == ["deadlock"]
    assert [f["kind"] for f in certify(ctx, "--no-end-states")["findings"]] == ["assertion"]


def test_the_trace_of_another_model_is_not_believed(ctx):
    """The options in a trace could make any model wrong."""
    text = "byte x;\nactive proctype A() { x = V; assert(x == 2) }\n"
    make(ctx, text, "-DV=1", code=1)
    assert certify(ctx, "-DV=1")["answer"] == "confirmed"
    assert certify(ctx, "-DV=2", code=1)["reason"] == "its options are not those asked for: it has 'V=1', not 'V=2'"
    (ctx.tmp / "m.pml").write_text("#ifndef V\n#define V 2\n#endif\n" + text)
    spoor(ctx, "check", "m.pml")
    assert "it has 'V=1', not ''" in certify(ctx, code=1)["reason"]


def test_a_trail_of_spin_is_certified(ctx):
    make(ctx, WRONG, code=1)
    spoor(ctx, "check", "--trail", "m.pml.trail", "m.pml", code=1)
    report = certify(ctx, certificate="m.pml.trail")
    assert report["kind"] == "trace" and report["answer"] == "confirmed"
    (ctx.tmp / "cut").write_text("".join((ctx.tmp / "m.pml.trail").read_text().splitlines(keepends=True)[:-1]))
    assert certify(ctx, certificate="cut", code=1)["reason"] == (
        "the trace can be followed, and there is no error at its end")


def test_what_is_asked_for_must_be_what_is_claimed(ctx):
    text = "#include \"part.h\"\nbyte x;\nactive proctype A() { x = V }\n"
    (ctx.tmp / "part.h").write_text("byte y;\n")
    make(ctx, text, "-DV=1", "-DW")
    certify(ctx, "-DV=1", "-DW")
    for options, words in ((("-DV=2", "-DW"), "'defines V=1 W', not 'defines V=2 W'"),
                           (("-DV=1",), "'defines V=1 W', not 'defines V=1'"),
                           (("-DV=1", "-DW", "--strict"), "'strict no', not 'strict yes'"),
                           (("-DV=1", "-DW", "--lose-messages"), "'lose-messages no', not 'lose-messages yes'"),
                           (("-DV=1", "-DW", "--no-end-states"), "'end-states yes', not 'end-states no'"),
                           (("-DV=1", "-DW", "--property", "deadlock"), "the property safety, not deadlock")):
        report = certify(ctx, *options, code=1)
        assert words in report["reason"] and report["states"] == 0, report
    # Another model, if only by a file that it includes.
    (ctx.tmp / "part.h").write_text("byte z;\n")
    assert "another model" in certify(ctx, "-DV=1", "-DW", code=1)["reason"]


def test_deadlocks_alone_can_be_certified(ctx):
    make(ctx, WRONG, "--property", "deadlock")
    assert certify(ctx)["property"] == "deadlock"
    certify(ctx, "--property", "deadlock")
    assert "about the property deadlock, not safety" in certify(ctx, "--property", "safety", code=1)["reason"]


def test_files_that_are_no_certificates_are_wrong_input(ctx):
    make(ctx, LOCK)
    good = (ctx.tmp / "c").read_bytes()
    changes = random.Random(1)
    damaged = [good[:size] for size in (8, 40, len(good) // 2, len(good) - 1)] + [good + b"x"]
    for _ in range(200 if ctx.long else 5):
        at = changes.randrange(8, len(good))
        damaged.append(good[:at] + bytes([good[at] ^ 1 << changes.randrange(8)]) + good[at + 1:])
    for content in damaged:
        (ctx.tmp / "d").write_bytes(content)
        assert "the certificate 'd' is " in wrong_input(ctx, "m.pml", "d")
    for content in (b"{}", b"[1]", b"1:2\n", b"spoor-cp", b"\xff\0", os.urandom(1000)):
        (ctx.tmp / "d").write_bytes(content)
        wrong_input(ctx, "m.pml", "d")
    assert "No such file" in wrong_input(ctx, "m.pml", "nowhere")
    wrong_input(ctx, "m.pml", ".")
    spoor(ctx, "certify", "nowhere.pml", "c", code=2)
    (ctx.tmp / "broken.pml").write_text("active proctype A() { x = 1 }\n")
    spoor(ctx, "certify", "broken.pml", "c", code=2)
    (ctx.tmp / "d").write_bytes(b"spoor-ce" + (2).to_bytes(4, "little") + good[12:])
    assert "format 2" in wrong_input(ctx, "m.pml", "d")


def test_only_certificates_are_replaced(ctx):
    make(ctx, LOCK)
    make(ctx, LOCK)
    for content in ("mine", '{"format": "mine"}', "byte x;"):
        (ctx.tmp / "mine").write_text(content)
        (ctx.tmp / "m.pml").write_text(LOCK)
        result = spoor(ctx, "check", "--certificate", "mine", "m.pml", code=2)
        assert "is not a certificate, and is not replaced by one" in result.err
        spoor(ctx, "check", "--certificate", "m.pml", "m.pml", code=2)
        assert (ctx.tmp / "mine").read_text() == content and (ctx.tmp / "m.pml").read_text() == LOCK
    for path in (".", "nowhere/c", "/dev/null"):
        spoor(ctx, "check", "--certificate", path, "m.pml", code=2)


def test_files_that_cannot_be_read_or_written(ctx):
    if os.geteuid() == 0:
        ctx.skip("root may read and write everything")
    make(ctx, LOCK)
    (ctx.tmp / "c").chmod(0o444)
    spoor(ctx, "check", "--certificate", "c", "m.pml", code=2)
    certify(ctx)
    (ctx.tmp / "c").chmod(0)
    wrong_input(ctx, "m.pml", "c")


def test_some_checks_have_no_certificate(ctx):
    (ctx.tmp / "m.pml").write_text(LOCK + "ltl p { []<>(inside == 0) }\n")
    for options, words in ((("--store", "bitstate"), "store that keeps all states"),
                           (("--store", "compact"), "store that keeps all states"),
                           (("--search", "bfs", "--certificate-kind", "full"), "depth-first"), (("--property", "safety", "--reduce", "stubborn"), "stubborn"),
                           (("--property", "safety", "--depth", "5"), "--depth"), ((), "one property")):
        result = spoor(ctx, "check", "--certificate", "c", *options, "m.pml", code=2)
        assert words in result.err and not (ctx.tmp / "c").exists(), (options, result.err)
    # Not all states were seen.
    (ctx.tmp / "m.pml").write_text(LARGE)
    options = ("--certificate", "c", "--exec", "interp", "--no-end-states", "--reduce", "none", "m.pml")
    report = json.loads(spoor(ctx, "check", "--json", "--time", "0.01", *options, code=3).out)
    assert report["certificate"]["reason"] == "the search has not seen all states" and not (ctx.tmp / "c").exists()
    assert "no certificate: " in spoor(ctx, "check", "--time", "0.01", *options, code=3).out


def test_limits_end_it(ctx):
    make(ctx, LARGE, "--no-end-states", "--reduce", "none")
    assert certify(ctx, "--no-end-states", "--time", "0.01", code=3)["limit"] == "time"
    assert certify(ctx, "--no-end-states", "--memory", "1K", code=3)["limit"] == "memory"
    assert spoor(ctx, "certify", "-q", "--no-end-states", "--exec", "interp", "--memory", "1K", "m.pml", "c",
                 code=3).out == "unknown: a limit ended the certification (memory)\n"
    report = certify(ctx, "--no-end-states")
    assert report["regions"] > 1 and report["memory_bytes"] < 10_000_000


@pytest.mark.threads
def test_a_signal_ends_it(ctx):
    make(ctx, LARGE, "--no-end-states", "--reduce", "none")
    seen = set()
    for after_s in (0.05, 0.1, 0.2, 0.4, 0.8):
        process = subprocess.Popen([ctx.spoor, "certify", "--json", "--exec", "interp", "--no-end-states", "m.pml", "c"],
                                   cwd=ctx.tmp, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        time.sleep(after_s)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=120)
        if process.returncode == -signal.SIGINT:
            continue  # it had not begun
        report = json.loads(out)
        seen.add((process.returncode, report["answer"], report["limit"]))
    assert seen <= {(0, "confirmed", None), (3, "unknown", "interrupted")}, seen


@pytest.mark.other_program
def test_compiled_code_and_interpreter_confirm_the_same(ctx):
    make(ctx, LARGE, "--no-end-states", "--reduce", "none")
    reports = []
    for exec_ in ("auto", "native", "both", "interp"):
        result = spoor(ctx, "certify", "--json", "--exec", exec_, "--no-end-states", "--jobs", "2", "m.pml", "c")
        reports.append(json.loads(result.out))
    assert len({(r["states"], r["transitions"], r["regions"]) for r in reports}) == 1
    assert reports[-1]["compared_states"] == 0
    for report in reports[:-1]:
        assert 700 < report["compared_states"] < 1800  # one of a hundred
    shown = spoor(ctx, "certify", "--no-end-states", "m.pml", "c").out
    assert "also executed by the interpreter: " in shown


@pytest.mark.other_program
def test_embedded_c_runs_only_where_it_is_allowed(ctx):
    text = ("c_decl { int twice(int x) { return 2 * x; } }\nc_state \"int n\" \"Global\"\n"
            "active proctype A() { do :: c_expr { now.n < 900 } -> c_code { now.n = now.n + twice(1); } :: else -> break "
            "od; assert(true) }\n")
    make(ctx, text, "--allow-c")
    report = certify(ctx, "--allow-c", "--jobs", "4")
    assert report["regions"] == 1 and report["states"] > 450
    assert "P430" in spoor(ctx, "certify", "m.pml", "c", code=2).err
    spoor(ctx, "certify", "--allow-c", "m.pml", "c")
    make(ctx, text.replace("assert(true)", "assert(false)"), "--allow-c", code=1)
    assert certify(ctx, "--allow-c")["kind"] == "trace"


def test_graphs_have_certificates(ctx):
    graph = 'des (0, 3, 2)\n(0, "a", 1)\n(1, "b", 0)\n(1, i, 1)\n'
    make(ctx, graph, name="g.aut")
    assert certify(ctx, model="g.aut")["transitions"] == 3
    make(ctx, 'des (0, 1, 2)\n(0, "a", 1)\n', name="g.aut", code=1)
    assert certify(ctx, model="g.aut")["kind"] == "trace"


# ---- certificates of many models ------------------------------------------------------------------------------

def disagreement(ctx, path, name, *options, limit_s=20):
    """Does the certificate say what the check says? Returns what is wrong, and the verdict, if there was one."""
    def ask(command, *more):
        result = spoor(ctx, command, "--json", "--exec", "interp", "--allow-c", "--time", limit_s, *more, code=None,
                       timeout=10 * limit_s)
        return result.code, json.loads(result.out) if result.out else result.err

    certificate = f"{name}.certificate"
    code, plain = ask("check", "--memory", "2G", *options, path)
    if code not in (0, 1):
        return "", None
    code, made = ask("check", "--memory", "2G", "--certificate", certificate, *options, path)
    if code in (2, 3):
        return "", None  # unmatched C data, for one
    if made["verdict"] != plain["verdict"]:
        return f"{made['verdict']} with a certificate, {plain['verdict']} without", None
    if made["verdict"] == "holds" and made["certificate"]["bytes"] == 0:
        return f"no certificate: {made['certificate']['reason']}", None
    options = [o for i, o in enumerate(options) if "--reduce" not in (o, options[i - 1] if i else "")]
    code, certified = ask("certify", *options, path, certificate)
    (ctx.tmp / certificate).unlink()
    if code == 3:
        return "", None
    if code != 0 or certified["answer"] != "confirmed":
        return f"{plain['verdict']}, and then {certified}", None
    if (certified["kind"] == "compact") != (plain["verdict"] == "holds"):
        return f"{plain['verdict']}, and then a {certified['kind']}", None
    return "", plain["verdict"]


def agree(ctx, jobs):
    """`jobs`: paths with options. Returns the verdicts."""
    wrong, verdicts = [], []
    for number, (path, options) in enumerate(jobs):
        found, verdict = disagreement(ctx, path, f"job{number}", *options)
        if found:
            wrong.append(f"{path.name} {' '.join(options)}: {found}")
        if verdict is not None:
            verdicts.append(verdict)
    assert not wrong, f"{len(wrong)} of {len(jobs)}:\n" + "\n".join(wrong[:20])
    return verdicts


def test_our_models_are_confirmed_under_all_reductions(ctx):
    models = sorted((ctx.root / "examples").glob("*.pml")) + sorted((ctx.root / "tests" / "models").glob("*.pml"))
    models = [m for m in models if "_rejected" not in m.name]
    if ctx.long:
        jobs = [(m, ("--property", p, "--reduce", r)) for m in models for p in ("safety", "deadlock") for r in REDUCTIONS]
    else:
        jobs = [(m, ("--property", "deadlock" if i % 5 == 4 else "safety", "--reduce", REDUCTIONS[i % 6]))
                for i, m in enumerate(models[::20 if ctx.slow else 3])]
    verdicts = agree(ctx, jobs)
    assert len(verdicts) > 0.7 * len(jobs) and verdicts.count("holds") > len(verdicts) / 4


def test_random_models_are_confirmed(ctx):
    count = 1500 if ctx.long else 6 if ctx.slow else 30
    first = random.randrange(1 << 30) if ctx.long else 9_000_000
    print(f"seeds from {first}")
    jobs = []
    for seed in range(count):
        path = ctx.tmp / f"random{seed}.pml"
        path.write_text(generate(first + seed, errors=seed % 4 == 3).text)
        jobs.append((path, ("--property", "deadlock" if seed % 5 == 4 else "safety", "--reduce", REDUCTIONS[seed % 6])))
    verdicts = agree(ctx, jobs)
    assert len(verdicts) >= 0.5 * count


def test_the_corpus_is_confirmed(ctx):
    if not ctx.long:
        ctx.skip("minutes: only with --long")
    if ctx.shared is None or not (ctx.shared / "corpus").is_dir():
        ctx.skip("no corpus")
    rows = [r for r in read_rows(ctx.shared / "corpus") if r.complete and r.states <= LARGEST_STATES]
    jobs = [(row.path, (*row.options, *(f"-D{d.removeprefix('-D')}" for d in row.defines), "--property", "safety",
                        "--reduce", REDUCTIONS[i % 6])) for i, row in enumerate(rows)]
    verdicts = agree(ctx, jobs)
    assert len(verdicts) > 0.6 * len(jobs), (len(verdicts), len(jobs))


def test_no_changed_certificate_is_confirmed(ctx):
    """A campaign of more than 100,000 of them; the unit tests try some thousands."""
    if not ctx.long:
        ctx.skip("a campaign: only with --long")
    program = ctx.spoor.parent / "spoor_unit_tests"
    if not program.exists():
        ctx.skip("the unit tests are not built")
    result = ctx.run([program, "--gtest_filter=CertificateAttacks*"], timeout=3000,
                     env={"SPOOR_CERTIFICATE_SEED": str(random.randrange(1, 1 << 20)), "SPOOR_CERTIFICATE_ROUNDS": "20"})
    print(result.out)
    assert result.code == 0, result.out[-3000:]
    assert sum(map(int, re.findall(r": (\d+) tried", result.out))) > 100_000
