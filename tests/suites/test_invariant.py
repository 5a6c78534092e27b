"""--invariant: a condition on every state, or on every step, that is checked along with safety."""

import concurrent.futures
import json
import os
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from generator import generate  # noqa: E402

MODEL = """#define LIMIT 5
byte x; byte y;
active proctype P() { do :: x < LIMIT -> x++ :: x == LIMIT -> x = 0; y = (y + 1) % 3 od }
active proctype Q() { byte k; do :: k < 3 -> k++ :: k == 3 -> k = 0 od }
"""
MEMORY = "50M"


def check(ctx, path, *options):
    ran = ctx.run([ctx.spoor, "check", "--json", "--coverage", "off", "--ledger", "none", "--exec", "interp", *options, path], timeout=120)
    return ran.code, json.loads(ran.out) if ran.code in (0, 1, 3) else ran.err


def model(ctx, text=MODEL):
    path = ctx.tmp / "m.pml"
    path.write_text(text)
    return path


def test_an_invariant_is_checked_along_with_safety(ctx):
    path = model(ctx)
    code, report = check(ctx, path, "--invariant", "x <= LIMIT")
    assert (code, report["verdict"], report["options"]["invariant"]) == (0, "holds", "x <= LIMIT")
    code, report = check(ctx, path, "--invariant", "x < LIMIT")
    violation = report["violations"][0]
    assert (code, violation["kind"], violation["message"]) == (1, "claim-violated", "the invariant x < LIMIT is violated")
    # 5 times a guard and x++: the shortest way, which a search without reductions has confirmed.
    assert len(violation["trace"]["steps"]) == 10 and violation["is_shortest"], violation
    assert check(ctx, path, "--invariant", "x <= LIMIT", "--property", "safety")[0] == 0


def test_an_invariant_of_two_states_is_about_steps(ctx):
    path = model(ctx)
    assert check(ctx, path, "--invariant", "x == 5 -> X (x == 5 || x == 0)")[0] == 0
    code, report = check(ctx, path, "--invariant", "x == 4 -> X (x != 5)")
    violation = report["violations"][0]
    assert (code, violation["message"]) == (1, "the invariant x == 4 -> X (x != 5) is violated by this step")
    assert report["reductions"] == {"made": "dead", "reason": "the invariant is about two consecutive states (X)"}
    # The end of a process is a step; a run that has ended has none.
    ends = model(ctx, "byte x; active proctype P() { x = 1 }\n")
    assert check(ctx, ends, "--invariant", "x == 1 -> X (x == 2)")[0] == 1
    assert check(ctx, ends, "--invariant", "_nr_pr == 0 -> X (x == 2)")[0] == 0


def test_what_is_no_invariant_is_refused(ctx):
    path = model(ctx)
    for condition, words in (("<> (x == 3)", "not a condition of a state"), ("x < 9) || (y < 9", "not a condition of a state"),
                             ("X X (x == 0)", "not a condition of a state"), ("x +", "P101"), ("z == 3", "P201"), ("", "expected a value")):
        code, message = check(ctx, path, "--invariant", condition)
        assert code == 2 and words in message, (condition, message)
    for options, words in ((("--property", "deadlock"), "--property leaves out"), (("--ltl", "[] (x < 9)"), "only one of --invariant and --ltl")):
        code, message = check(ctx, path, "--invariant", "x < 9", *options)
        assert code == 2 and words in message, message
    graph = ctx.tmp / "g.aut"
    graph.write_text("des (0, 1, 2)\n(0, a, 1)\n")
    code, message = check(ctx, graph, "--invariant", "x < 9")
    assert code == 2 and "a graph has no variables" in message, message


def test_a_certificate_confirms_further_invariants(ctx):
    path = model(ctx)
    for name, options in (("none", ("--reduce", "none")), ("default", ()), ("own", ("--invariant", "x < 6"))):
        assert ctx.run([ctx.spoor, "check", "--certificate", ctx.tmp / name, *options, path]).code == 0
    def certify(name, *options):
        ran = ctx.run([ctx.spoor, "certify", path, ctx.tmp / name, *options])
        return ran.code, ran.out + ran.err
    for condition, code in (("x < 6", 0), ("x == 5 -> X (x == 5 || x == 0)", 0), ("x < 5", 1), ("x == 5 -> X (x == 0)", 1), ("<> (x == 3)", 2)):
        found, words = certify("none", "--invariant", condition)
        assert found == code and ("the invariant" in words or code != 1), (condition, words)
    assert certify("own", "--invariant", "x < 6")[0] == 0
    # The trace of a violation is its certificate.
    assert ctx.run([ctx.spoor, "check", "--certificate", ctx.tmp / "trace", "--invariant", "x < 3", path]).code == 1
    assert certify("trace", "--invariant", "x < 3")[0] == 0
    assert certify("trace", "--invariant", "x < 9")[0] == certify("trace")[0] == 1
    for name, options in (("default", ("--invariant", "x < 6")), ("own", ()), ("own", ("--invariant", "x < 7"))):
        code, words = certify(name, *options)
        assert code == 1 and words.startswith("refuted"), (name, words)


def conditions(text, seed):
    """Conditions on a global variable of a model; of two states one that a run which has ended does not violate."""
    choose = random.Random(seed)
    names = re.findall(r"^(?:bit|bool|byte|short|int) (\w+)(?: =|;|,)", text, re.MULTILINE)
    if not names:
        return []
    name, value = choose.choice(names), choose.randrange(4)
    return [f"{name} != {value}", f"{name} == {value} -> X ({name} != {value + 1})"]


def difference(ctx, seed):
    """The invariant and the same formula as a claim: is the one violated where the other is?"""
    text = str(generate(seed, seed % 4 == 0).tree)
    path = ctx.tmp / f"{seed}.pml"
    path.write_text(text)
    compared = 0
    for condition in conditions(text, seed):
        claim = check(ctx, path, "--all-errors", "--memory", MEMORY, "--property", "ltl:given", "--ltl", f"[] ({condition})", "--reduce", "none")
        for options in ((), ("--reduce", "none"), ("--search", "dfs"), ("--reduce", "merge,dead")):
            mine = check(ctx, path, "--all-errors", "--memory", MEMORY, "--invariant", condition, *options)
            if any(isinstance(report, str) or report["limit"] for _, report in (claim, mine)):
                continue
            found = [any(violation["kind"] == "claim-violated" for violation in report["violations"]) for _, report in (claim, mine)]
            if found[0] != found[1]:
                return compared, f"{seed} {condition} {options}: as a claim {found[0]}, as an invariant {found[1]}"
            compared += 1
    return compared, None


def test_random_invariants_are_violated_where_the_formula_is(ctx):
    count = 1000 if ctx.long else 10 if ctx.slow else 60
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda seed: difference(ctx, seed), range(31_000_000, 31_000_000 + count)))
    wrong = [difference for _, difference in found if difference]
    assert not wrong, "\n".join(wrong[:5])
    assert sum(compared for compared, _ in found) >= count
