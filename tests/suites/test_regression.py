"""Checks after an edit: with a ledger, a check answers what a full check answers.

The old version is checked with a ledger, then the new one twice: with the ledger, which takes what the edit
cannot influence from the recording, and without. Verdict, kinds of violation, figures and unreached statements
must be equal, and traces must replay (spoor does so before it shows one). Where the states that the edit touches
were enough for a verdict (scope "bound"), the number of states and the executed statements are bounds. With
`--regression prune` the search leaves out what lies below recorded states that cannot reach the edit; the figures
are then its own.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from generator import generate  # noqa: E402
from generator.liveness import generate_case  # noqa: E402
from generator.mutate import mutate  # noqa: E402

SHOWN = 3
MEMORY = "50M"  # of a random model that needs more nothing is compared
VIOLATED, UNDECIDED = 1, 3
# Options of all three checks.
KINDS = (("--reduce", "none"), (), ("--reduce", "merge,dead"), ("--search", "dfs"), ("--store", "tree"),
         ("--threads", "2", "--store", "exact"), ("--all-errors",), ("--property", "deadlock"))
RECORD, CLOSURE, WALK, PRUNE = ("--record",), *(("--regression", name) for name in ("closure", "walk", "prune"))
# Two phases: an edit in the first leaves the second as it was.
PHASES = """byte x, y;
active proctype P() {
  do :: x < 20 -> x++ :: y < 3 -> y++ :: x == 20 && y == 3 -> break od;
  x = 0; do :: x < 30 -> x++ :: x == 30 -> x = 0 :: y < 20 -> y++ od
}
"""
COUNTER = """byte x;
active proctype P() { do :: x < 4 -> x++ :: x > 0 -> x-- od }
active proctype Q() { byte y; do :: y < 9 -> y++ :: y == 9 -> y = 0; assert(x <= 4) od }
"""


def check(ctx, path, *options, ledger="none"):
    if "--property" not in options:
        options = ("--property", "safety", *options)
    ran = ctx.run([ctx.spoor, "check", "--json", "--coverage", "off", "--exec", "interp", "--memory", MEMORY,
                   "--ledger", ledger, *options, path], timeout=120)
    return ran.code, json.loads(ran.out) if ran.code in (0, 1, 3) else ran.err


def answer(checked):
    """What must not depend on a ledger."""
    code, report = checked
    if isinstance(report, str):
        return code, None
    violations = [(violation["kind"], violation["message"], len(violation["trace"]["steps"]))
                  for violation in report["violations"]]
    figures = [report[name] for name in ("states", "transitions", "inner_steps", "depth", "findings")]
    return code, report["verdict"], violations, figures, report["unreached"]


def key_of(statement):
    return json.dumps(statement, sort_keys=True)


def bound_mistake(bound, full):
    """Of a report whose figures are bounds, and that of a full check: what contradicts; or None."""
    if full["verdict"] != "holds" or bound["violations"]:
        return f"the verdict is {full['verdict']}"
    # Two reduced searches may leave out different states.
    if full["scope"] == "all" and bound["states"] < full["states"]:
        return f"{bound['states']} states are fewer than {full['states']}"
    missing = {key_of(each) for each in bound["unreached"] or []} - {key_of(each) for each in full["unreached"] or []}
    return f"a statement is reached: {missing}" if missing else None


def pruned_answer(checked):
    """What must not depend on pruning."""
    code, report = checked
    if isinstance(report, str):
        return code, None
    kinds = sorted({violation["kind"] for violation in report["violations"]})
    # Up to the first error it depends on what was searched before.
    unreached = report["unreached"] if report["scope"] != "part" else None
    return code, report["verdict"], kinds, unreached


def claim_answer(checked):
    """What must not depend on a recorded graph of a claim: its plan may leave out other steps than a full check's."""
    code, report = checked
    if isinstance(report, str):
        return code, None
    return code, report["verdict"], sorted({violation["kind"] for violation in report["violations"]}), report["vacuous"]


def is_reduced_claim(options):
    claims = [option for option in options if option.startswith(("ltl", "accept", "progress", "never"))]
    return claims and "none" not in options and "--fair" not in options


def recheck(ctx, folder, versions, *options, technique=WALK):
    """Checks the versions one after the other with a ledger; the answers of the last, with and without it. `technique`: one of the above, or
    several, which take turns so that the last version has the last one."""
    path = folder / "model.pml"
    ledger = folder / "ledger"
    techniques = [technique] if not technique or isinstance(technique[0], str) else technique
    for i, text in enumerate(versions):
        path.write_text(text)
        last = check(ctx, path, *options, *techniques[(i - len(versions)) % len(techniques)], ledger=ledger)
    return last, check(ctx, path, *options)


def compare(ctx, name, versions, *options, technique=WALK):
    """The ledger's part of the last report; and the difference between the answers, or None."""
    folder = ctx.tmp / name
    folder.mkdir(parents=True)
    with_ledger, full = recheck(ctx, folder, versions, *options, technique=technique)
    # Where a limit ends a search depends on the memory used.
    is_cut = any(checked[0] == UNDECIDED or not isinstance(checked[1], str) and checked[1]["limit"] is not None
                 for checked in (with_ledger, full))
    if not is_cut and not isinstance(with_ledger[1], str) and with_ledger[1]["scope"] == "bound":
        mistake = bound_mistake(with_ledger[1], full[1])
        return with_ledger[1]["ledger"], f"{name} {' '.join(options)}: {mistake}" if mistake else None
    of = pruned_answer if technique == PRUNE else claim_answer if is_reduced_claim(options) else answer
    if is_cut or of(with_ledger) == of(full):
        reuse = None if isinstance(with_ledger[1], str) else with_ledger[1].get("ledger")
        return reuse, None
    return None, f"{name} {' '.join(options)}\n  with the ledger {of(with_ledger)}\n  in full {of(full)}"


def compare_all(ctx, jobs, technique=WALK):
    """Jobs: (name, versions, options). Returns how many used a recording, and how many left out states."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda job: compare(ctx, job[0], job[1], *job[2], technique=technique), jobs))
    differences = [difference for _, difference in results if difference]
    for difference in differences[:SHOWN]:
        print(difference)
    assert not differences, f"{len(differences)} of {len(jobs)} answers differ"
    counts = collections.Counter("used" if reuse and reuse["used"] else "full" for reuse, _ in results)
    counts["bound"] = sum(bool(reuse and reuse["used"] and reuse["is_bound"]) for reuse, _ in results)
    counts["pruned"] = sum(bool(reuse and reuse["used"] and reuse["pruned_states"]) for reuse, _ in results)
    counts["executed"] = sum(bool(reuse and reuse["used"] and reuse["expanded_states"]) for reuse, _ in results)
    return counts


def test_an_edit_is_checked_without_executing_what_it_cannot_influence(ctx):
    (ctx.tmp / "a").mkdir()
    edited = COUNTER.replace("y == 9 -> y = 0", "y == 9 -> y = 1")
    with_ledger, full = recheck(ctx, ctx.tmp / "a", [COUNTER, edited], "--reduce", "none")
    assert answer(with_ledger) == answer(full)
    reuse = with_ledger[1]["ledger"]
    assert reuse["used"] and reuse["changed_locations"] > 0
    assert 0 < reuse["expanded_states"] < with_ledger[1]["states"] / 2, reuse


def test_a_model_that_is_not_edited_is_not_executed(ctx):
    (ctx.tmp / "a").mkdir()
    with_ledger, full = recheck(ctx, ctx.tmp / "a", [COUNTER, "/* a comment */\n" + COUNTER], "--reduce", "none")
    assert answer(with_ledger) == answer(full)
    assert with_ledger[1]["ledger"]["expanded_states"] == 0


def test_a_local_variable_that_is_renamed_changes_nothing(ctx):
    renamed = re.sub(r"\by\b", "counter", COUNTER)
    assert "byte counter; do :: counter < 9" in renamed
    for options in ((), ("--reduce", "none"), ("--search", "dfs")):
        folder = ctx.tmp / ("a" + "".join(options))
        folder.mkdir()
        with_ledger, full = recheck(ctx, folder, [COUNTER, renamed], *options)
        assert answer(with_ledger) == answer(full)
        reuse = with_ledger[1]["ledger"]
        assert reuse["used"] and reuse["changed_locations"] == 0 and reuse["expanded_states"] == 0, reuse
    # Renamed, and edited: what is edited is executed, and what is found is found under the new names.
    edited = renamed.replace("counter == 9 -> counter = 0; assert(x <= 4)", "counter == 9 -> counter = 0; assert(x < 4)")
    (ctx.tmp / "b").mkdir()
    with_ledger, full = recheck(ctx, ctx.tmp / "b", [COUNTER, edited], "--reduce", "none")
    assert with_ledger[0] == 1 and answer(with_ledger) == answer(full)
    assert with_ledger[1]["ledger"]["used"]


def test_a_violation_behind_the_edit_has_a_trace_that_replays(ctx):
    (ctx.tmp / "a").mkdir()
    edited = COUNTER.replace("assert(x <= 4)", "assert(x < 4)")
    with_ledger, full = recheck(ctx, ctx.tmp / "a", [COUNTER, edited])
    assert with_ledger[0] == 1 and answer(with_ledger) == answer(full)
    assert with_ledger[1]["ledger"]["used"]


def test_a_chain_of_versions(ctx):
    """Each version is checked with the recording of the one before, back to the first."""
    versions = [COUNTER.replace("y == 9 -> y = 0", f"y == 9 -> y = {i % 5}") for i in range(10)] + [COUNTER]
    used = compare_all(ctx, [(f"chain-{len(versions[:n])}", versions[:n], ()) for n in (2, 5, 11)])
    assert used["used"] == 3, used


# Chains that have fooled us: options, techniques, and the text with what changes from version to version.
CHAINS = {
    # The state with a value that is dead in the second version is met again in the third.
    "a value that is dead for a while": ((), (CLOSURE,), """byte y;
active proctype P() { byte x; if :: x = 1 :: x = 2 :: x = 3 fi; y = 1; y = 2; assert(HERE); y = 3 }
active proctype Q() { byte i; do :: i < 3 -> i++ :: i == 3 -> break od }
""", ("x < 5", "y < 5", "x != 2")),
    "the same with another layout": ((), (CLOSURE,), """byte y;
active proctype P() { byte x; if :: x = 1 :: x = 2 :: x = 3 fi; y = 1; y = 2; HERE; y = 3 }
active proctype Q() { byte i; do :: i < 3 -> i++ :: i == 3 -> break od }
""", ("assert(x < 5)", "assert(y < 5)", "skip; assert(x != 2)")),
    # A walk keeps states that it has not expanded.
    "a closure check after a walk": (("--reduce", "none"), (WALK, WALK, CLOSURE), """byte y, g;
active proctype P() { if :: HERE; y = 3 :: else -> y = 2 fi }
active proctype Q() { byte i; do :: i < 3 -> i++ :: i == 3 -> break od }
""", ("g == 0 -> y = 1; g = 2; assert(y < 5)", "g == 7 -> y = 1; g = 2; assert(y > 5)", "g == 0 -> y = 1; g = 2; assert(y > 5)")),
    # One statement of the first version is two of the second, and it is not known which of them was executed.
    "a statement that becomes two": (("--property", "ltl", "--threads", "1"), (RECORD,), """byte x, y; bool e;
ltl p { [] (x != 5) }
active proctype P() {
  HERE
  x = 5;
done: y = 1
}
active proctype Q() { e = true }
""", ("{ x = 1; x = 2 } unless { e; goto X }; goto done; X: x == 9;",
              "{ x = 1 } unless { e; goto X }; { x = 2 } unless { e; goto X }; goto done; X: x == 9;",
              "{ x = 1 } unless { e; goto X }; { x = 2 } unless { e; goto X }; goto done; X: x != 9;")),
}


def test_chains_that_have_fooled_us(ctx):
    for number, (what, (options, techniques, text, changes)) in enumerate(CHAINS.items()):
        folder = ctx.tmp / str(number)
        folder.mkdir()
        versions = [text.replace("HERE", change) for change in changes]
        with_ledger, full = recheck(ctx, folder, versions, *options, technique=techniques)
        assert full[0] == with_ledger[0] == VIOLATED, (what, with_ledger[1])
        assert not list((folder / "ledger").glob("*.damaged")), what


def test_findings_that_do_not_count_are_no_errors(ctx):
    """After an edit, as in a full check: deadlocks with --no-end-states."""
    model = "byte x;\nactive proctype P() { do :: x < 40 -> x++ :: x == 40 -> assert(x < 50); x == 50 od }\n"
    (ctx.tmp / "a").mkdir()
    with_ledger, full = recheck(ctx, ctx.tmp / "a", [model, model.replace("x < 50", "x < 60")], "--no-end-states", technique=CLOSURE)
    assert full[0] == with_ledger[0] == 0 and with_ledger[1]["scope"] == "bound", with_ledger[1]["ledger"]


def test_the_words_of_the_report(ctx):
    path = ctx.tmp / "model.pml"
    path.write_text(COUNTER)
    command = [ctx.spoor, "check", "--ledger", ctx.tmp / "ledger", *WALK, path]
    first = ctx.run(command)
    assert first.code == 0 and "ledger" not in first.out, first.out
    path.write_text(COUNTER.replace("y = 0", "y = 1"))
    second = ctx.run(command)
    assert re.search(r"^ledger: 2 of 7 locations changed; \d+ of 131 states explored$", second.out, re.M), second.out


def test_a_recording_that_is_damaged_or_foreign_leads_to_a_full_check(ctx):
    path, ledger = ctx.tmp / "model.pml", ctx.tmp / "ledger"
    path.write_text(COUNTER)
    check(ctx, path, *WALK, ledger=ledger)
    path.write_text(COUNTER.replace("y = 0", "y = 1"))  # else the head of the recording would be enough
    full = check(ctx, path)
    [file] = ledger.glob("*.recording")
    good = file.read_bytes()
    random_ = random.Random(1)
    damages = [good[:random_.randrange(len(good))] for _ in range(500 if ctx.long else 20)]
    for _ in range(500 if ctx.long else 20):
        damaged = bytearray(good)
        damaged[random_.randrange(len(good))] ^= 1 << random_.randrange(8)
        damages.append(bytes(damaged))
    for damaged in [b"", b"hello", *damages]:
        file.write_bytes(damaged)
        checked = check(ctx, path, *WALK, ledger=ledger)
        assert answer(checked) == answer(full)
        assert not checked[1]["ledger"]["used"]
        assert "set aside" in checked[1]["ledger"]["why_not_used"]
        assert check(ctx, path, *WALK, ledger=ledger)[1]["ledger"]["used"], "it was made anew"


def test_a_check_that_is_not_recorded_says_why(ctx):
    path = ctx.tmp / "model.pml"
    path.write_text(COUNTER)
    for options in (("--store", "bitstate"), ("--reduce", "merge,dead,order,stubborn"), ("--check-reduction",),
                    ("--store", "bitstate", "--swarm", "2"), ("--checkpoint", ctx.tmp / "kept")):
        code, report = check(ctx, path, *options, ledger=ctx.tmp / "ledger")
        assert code == 0 and not report["ledger"]["used"], report
        assert report["ledger"]["why_not_recorded"].startswith("not recorded: "), report["ledger"]
    assert not list((ctx.tmp / "ledger").glob("*.recording"))


def test_a_folder_that_cannot_be_written_is_no_error(ctx):
    path = ctx.tmp / "model.pml"
    path.write_text(COUNTER)
    (ctx.tmp / "file").write_text("")
    ran = ctx.run([ctx.spoor, "check", "--ledger", ctx.tmp / "file", path])
    assert ran.code == 0 and "no ledger in" in ran.err, ran.err


def test_a_check_that_a_limit_has_ended_leaves_a_larger_recording(ctx):
    path, ledger = ctx.tmp / "model.pml", ctx.tmp / "ledger"
    path.write_text(COUNTER)
    code, whole = check(ctx, path, *WALK, ledger=ledger)
    assert code == 0 and whole["states"] > 10
    recording = next(ledger.glob("*.recording"))
    before = recording.read_bytes()
    path.write_text(COUNTER.replace("y == 9 -> y = 0", "y == 9 -> y = 1"))
    code, cut = check(ctx, path, "--depth", "2", *WALK, ledger=ledger)
    assert code == UNDECIDED and cut["states"] < whole["states"], cut
    assert recording.read_bytes() == before
    code, after = check(ctx, path, *WALK, ledger=ledger)
    assert code == 0 and after["ledger"]["used"], after["ledger"]


def test_a_check_that_an_error_has_ended_leaves_a_larger_recording(ctx):
    """When the error is mended, the version before it is of use."""
    path, ledger = ctx.tmp / "model.pml", ctx.tmp / "ledger"
    path.write_text(COUNTER)
    code, whole = check(ctx, path, *WALK, ledger=ledger)
    assert code == 0
    recording = next(ledger.glob("*.recording"))
    before = recording.read_bytes()
    path.write_text(COUNTER.replace("assert(x <= 4)", "assert(x < 2)"))
    code, wrong = check(ctx, path, *WALK, ledger=ledger)
    assert code == VIOLATED and wrong["states"] < whole["states"], wrong
    assert recording.read_bytes() == before
    path.write_text(COUNTER.replace("assert(x <= 4)", "assert(x < 5)"))
    code, mended = check(ctx, path, *WALK, ledger=ledger)
    assert code == 0 and mended["ledger"]["used"] and mended["states"] == whole["states"], mended


def test_an_error_near_the_initial_state_is_found_without_the_recording(ctx):
    """To read the recording of a large model would take longer than to find the error."""
    large = ("byte x, y, z;\nactive proctype P() { do :: x < 12 -> x++ :: y < 12 -> y++ :: z < 12 -> z++ od }\n"
             "active proctype Q() { do :: z > 200 -> assert(x != 1) :: x == 12 -> break od }\n")
    edited = large.replace("z > 200", "z == 0")
    for options in (("--reduce", "none"), (), ("--search", "dfs"), ("--reduce", "none", "--threads", "1")):
        folder = ctx.tmp / ("a" + "".join(options))
        folder.mkdir()
        with_ledger, full = recheck(ctx, folder, [large, edited], "--no-end-states", *options)
        assert with_ledger[0] == VIOLATED and answer(with_ledger) == answer(full)
        reuse = with_ledger[1]["ledger"]
        assert not reuse["used"] and "near the initial state" in reuse["why_not_used"], reuse
        # The recording is still that of the first version; and where all errors are wanted, it is asked.
        every, full = recheck(ctx, folder, [edited], "--no-end-states", "--all-errors", *options)
        assert "the recorded steps" in every[1]["ledger"]["why_not_used"], every[1]["ledger"]
        assert answer(every) == answer(full)


def test_a_recording_that_will_not_do_is_not_read(ctx):
    """Random walks tell beforehand that most states are new, or that there is an error. A damage behind the head is not noticed then."""
    loop = ":: {0} < 12 -> {0}++ :: {0} == 12 -> {0} = 0"
    large = ("byte x, y, z, b;\nactive proctype P() { do " + loop.format("x") + " :: x == 3 -> b = 0 od }\n"
             "active proctype Q() { do " + loop.format("y") + " od }\n"
             "active proctype R() { do :: b < 9 -> z = (z + 1) % 13 :: z == 7 -> assert(x < 13 || y < 9) od }\n")
    path, ledger = ctx.tmp / "model.pml", ctx.tmp / "ledger"
    for edited, reason in ((large.replace("b = 0", "b = 1"), "too many states are new"),
                           (large.replace("x < 13", "x < 9"), "may lead to an error"), (large.replace("b = 0", "b = 0; b = 0"), "set aside")):
        path.write_text(large)
        code, before = check(ctx, path, "--fresh", *CLOSURE, ledger=ledger)
        assert code == 0 and before["states"] > 1000, before
        [file] = ledger.glob("*.recording")
        damaged = bytearray(file.read_bytes())
        damaged[-100] ^= 1
        file.write_bytes(damaged)
        path.write_text(edited)
        checked = check(ctx, path, *CLOSURE, ledger=ledger)
        assert answer(checked) == answer(check(ctx, path))
        assert reason in checked[1]["ledger"]["why_not_used"], checked[1]["ledger"]
        walks = checked[1]["ledger"]["walks"]
        assert before["ledger"]["walks"] is None and walks["steps"] > 0, walks
        assert 0 <= walks["states_in_sample"] <= walks["states"] and walks["has_error"] == reason.startswith("may lead"), walks
        assert (walks["share_of_new_states"] > 0.2) == reason.startswith("too many") or walks["has_error"], walks


def test_a_pruned_search_leaves_out_what_cannot_reach_the_edit(ctx):
    (ctx.tmp / "a").mkdir()
    edited = PHASES.replace("x < 20 -> x++", "x < 20 -> x = x + 1; skip")
    pruned, full = recheck(ctx, ctx.tmp / "a", [PHASES, edited], "--reduce", "none", technique=PRUNE)
    assert pruned[0] == 0 and pruned_answer(pruned) == pruned_answer(full)
    report, reuse = pruned[1], pruned[1]["ledger"]
    assert reuse["used"] and reuse["pruned_states"] > 0
    assert reuse["expanded_states"] + reuse["pruned_states"] == report["states"] < full[1]["states"] / 2, reuse
    assert report["scope"] == "pruned" and full[1]["scope"] == "all"


def test_a_violation_that_the_edit_cannot_reach_is_found_by_a_pruned_search(ctx):
    """In the second phase, which is that of the recording; with the trace of a full check."""
    (ctx.tmp / "a").mkdir()
    wrong = PHASES.replace(":: y < 20 -> y++ od\n}", ":: y < 20 -> y++; assert(y < 9) od\n}")
    edited = wrong.replace("x < 20 -> x++", "x < 20 -> x = 1 + x")
    for options in (("--reduce", "none"), ("--reduce", "none", "--all-errors")):
        pruned, full = recheck(ctx, ctx.tmp / "a", [wrong, edited], *options, technique=PRUNE)
        assert pruned[0] == 1 and answer(pruned)[2] == answer(full)[2], (answer(pruned), answer(full))
        assert pruned[1]["ledger"]["used"] == ("--all-errors" in options), pruned[1]["ledger"]


def test_each_state_of_a_component_reaches_the_same(ctx):
    """The published recording loses an element here: L3 copies the set of L2 while their component is open."""
    model = """byte x;
active proctype A() {
  if :: true -> goto FIRST fi;
L0:
  if :: x < 9 -> goto L1 :: x < 9 -> x = 0; assert(x == WANTED) fi;
  goto done;
L1:
  if :: true -> goto L2 :: x < 9 -> goto L3 fi;
L2:
  x = 0; goto L0;
L3:
  x = 0; goto L2;
done:
  skip
}
"""
    old, new = model.replace("FIRST", "L0").replace("WANTED", "0"), model.replace("FIRST", "L3").replace("WANTED", "1")
    jobs = [(f"{i}", [old, new], options) for i, options in enumerate(KINDS[:-1])]
    compare_all(ctx, jobs, PRUNE)
    assert check(ctx, ctx.tmp / "0" / "model.pml")[1]["verdict"] == "violated"


def test_a_pruned_search_follows_a_chain_of_versions(ctx):
    """The recording stays that of the first version, until nothing of it can be pruned."""
    versions = [PHASES, PHASES.replace("y < 3 -> y++", "y < 3 -> y = 1 + y"), PHASES.replace("x < 20", "x < 19 + 1"),
                PHASES.replace("x < 30 -> x++", "x < 30 -> x = 1 + x")]
    used = compare_all(ctx, [(f"chain-{n}", versions[:n], ("--reduce", "none")) for n in (2, 3, 4)], PRUNE)
    assert used["pruned"] == 2 and used["full"] == 1, used
    ledger, path = ctx.tmp / "chain-4" / "ledger", ctx.tmp / "chain-4" / "model.pml"
    path.write_text(versions[3].replace("y < 3 -> y++", "y < 3 -> y = 1 + y"))
    again = check(ctx, path, "--reduce", "none", *PRUNE, ledger=ledger)
    assert again[1]["ledger"]["pruned_states"] > 0, "the full check has recorded anew"


def test_walk_and_prune_share_a_ledger(ctx):
    """A walk ignores what states reach; a pruned search needs it, and records it where it is missing."""
    path, ledger = ctx.tmp / "model.pml", ctx.tmp / "ledger"

    def checked(text, *technique):
        path.write_text(text)
        return check(ctx, path, "--reduce", "none", *technique, ledger=ledger)[1]["ledger"]

    edits = [PHASES.replace("x < 20", f"x < {20 - i} + {i}") for i in range(1, 5)]
    assert not checked(PHASES)["used"]
    assert "does not say what its states reach" in checked(edits[0], *PRUNE)["why_not_used"]
    assert checked(edits[1], *PRUNE)["pruned_states"] > 0
    walked = checked(edits[2])
    assert walked["used"] and walked["pruned_states"] == 0
    assert checked(edits[3], *PRUNE, "--depth", "100000")["why_not_used"] is not None


def test_the_words_of_a_pruned_search(ctx):
    path = ctx.tmp / "model.pml"
    path.write_text(PHASES)
    command = [ctx.spoor, "check", "--ledger", ctx.tmp / "ledger", *PRUNE, "--reduce", "none", path]
    ctx.run(command)
    path.write_text(PHASES.replace("y < 3 -> y++", "y < 3 -> y = 1 + y"))
    out = ctx.run(command).out
    assert re.search(r"^holds: no error; \d+ states were enough, with a recording$", out, re.M), out
    assert re.search(r"^ledger: 1 of \d+ locations changed; \d+ states explored, \d+ of the recorded ones stand for all below them$",
                     out, re.M), out
    refused = ctx.run([ctx.spoor, "check", *PRUNE, "--ledger", "none", path])
    assert refused.code == 2 and "--regression prune needs a ledger" in refused.err, refused.err


def edited(tree, seed, edits):
    """The texts of a model and of so many versions after it."""
    versions = [tree]
    for edit in range(edits):
        versions.append(mutate(versions[-1], random.Random(seed + edit))[1])
    return [f"{version}\n" for version in versions]


def random_jobs(count):
    jobs = []
    for seed in range(7_000_000, 7_000_000 + count):
        versions = edited(generate(seed, seed % 4 == 0).tree, seed, 1 + seed % 3)
        jobs.append((f"{seed}", versions, KINDS[seed % len(KINDS)]))
    return jobs


def test_random_edits_of_random_models(ctx):
    count = 3000 if ctx.long else 20 if ctx.slow else 80
    used = compare_all(ctx, random_jobs(count), CLOSURE)
    print(dict(used))
    assert used["used"] >= count // 12 and used["bound"] >= count // 20, used


def test_random_chains_with_mixed_techniques(ctx):
    """What one technique leaves, the others use; edits and their reversals, so that states come back."""
    count = 2500 if ctx.long else 10 if ctx.slow else 40
    jobs = []
    for seed in range(9_000_000, 9_000_000 + count):
        versions = edited(generate(seed, seed % 4 == 0).tree, seed, 3)
        jobs.append((f"{seed}", [*versions, versions[seed % 3], versions[3]], KINDS[seed % len(KINDS)]))
    turns = [(CLOSURE, WALK), (CLOSURE,), (WALK, RECORD, CLOSURE), (CLOSURE, CLOSURE, WALK)]
    used = collections.Counter()
    for i, techniques in enumerate(turns):
        used += compare_all(ctx, jobs[i::len(turns)], techniques)
    print(dict(used))
    assert used["used"] >= count // 8, used


def test_walks_of_random_edits(ctx):
    count = 3000 if ctx.long else 10 if ctx.slow else 40
    used = compare_all(ctx, random_jobs(count), WALK)
    print(dict(used))
    assert used["used"] >= count // 5 and used["bound"] == 0, used


def test_a_pruned_search_of_random_edits_has_the_verdict_of_a_full_check(ctx):
    count = 3000 if ctx.long else 20 if ctx.slow else 80
    used = compare_all(ctx, random_jobs(count), PRUNE)
    print(dict(used))
    assert used["pruned"] >= count // 40, used


# A claim is checked again after edits of what its runs meet, and only then. Q waits for what never happens.
RESPONSE = """mtype = { low, high }
byte x; mtype level = low; chan c = [2] of { byte };
active proctype P() { byte t; do :: x < 3 -> x++; level = high :: x == 3 -> x = 0; level = low; t = 0 :: c?t od }
active proctype Q() { do :: x > 100 -> unreached: x = 7; c!1 :: x > 200 -> break od }
ltl p { [] ((x == 1) -> <> (x == 3)) }
ltl q { [] (x <= LIMIT) }
ltl r { [] (level == low || level == high) }
ltl s { [] (!(Q@unreached) && len(c) == 0) }
"""


def claims_explored(ctx, folder, *versions, options=()):
    """The answers for the last version with the ledger and without, each property by its name."""
    path = folder / "model.pml"
    for text in versions:
        path.write_text(text.replace("LIMIT", "3"))
        ran = ctx.run_spoor(["check", "--json", "--coverage", "off", "--ledger", folder / "ledger", "--record", *options, path])
    full = ctx.run_spoor(["check", "--json", "--coverage", "off", "--ledger", "none", *options, path])
    assert ran.code == full.code in (0, 1), (ran.err, full.err)
    mine, theirs = ({report["property"]: report for report in json.loads(each.out)["properties"]} for each in (ran, full))
    fields = ("verdict", "vacuous", "states", "transitions", "depth")
    for name, report in mine.items():
        for field in fields if "none" in options else fields[:2]:
            assert report.get(field) == theirs[name].get(field), (name, field, report, theirs[name])
    return {name for name, report in mine.items()
            if not (report["ledger"] and report["ledger"]["used"] and not report["ledger"]["expanded_states"])}


def test_a_claim_is_checked_again_only_where_an_edit_matters(ctx):
    """What is explored, is explored as far as the edit can matter: the set of claims for which a state is executed."""
    claims = {"ltl:p", "ltl:q", "ltl:r", "ltl:s"}
    edits = {
        "nothing": (lambda text: "/* a comment */" + text, set()),
        "a statement that no run reaches": (lambda text: text.replace("x = 7", "x = 8"), set()),
        "a statement more that no run reaches": (lambda text: text.replace("x = 7", "x = 7; x = 9"), set()),
        "a condition that no run reaches": (lambda text: text.replace("x = 7", "x = 7; x > 3"), set()),
        "another formula": (lambda text: text.replace("x <= LIMIT", "x < 9"), set()),
        "a formula that is new": (lambda text: text + "ltl n { [] (x < 7) }\n", {"ltl:n"}),
        "a formula that is renamed": (lambda text: text.replace("ltl q", "ltl other"), {"ltl:other"}),
        "the numbers of names": (lambda text: text.replace("low, high", "low, high, middle"), claims),
        "a capacity that an atom reads": (lambda text: text.replace("[2]", "[1]"), claims),
        "a statement": (lambda text: text.replace("x == 3 -> x = 0", "x == 3 -> x = 1"), claims),
        "what leads to a violation": (lambda text: text.replace("x < 3 -> x++", "x < 4 -> x++"), claims),
    }
    # With stubborn sets it matters what Q may ever access, and what the claim sees of it, whether it comes to
    # that or not.
    later = {"a variable that no run reads": (lambda text: text.replace("x = 7", "x = 7; level = low"), claims),
             "what a formula names": (lambda text: text.replace("unreached: x = 7; c!1", "x = 7; unreached: c!1"), {"ltl:s"})}
    for number, (what, (edit, explored)) in enumerate(edits.items()):
        for options in (("--reduce", "none"), ()):
            folder = ctx.tmp / f"{number}{len(options)}"
            folder.mkdir()
            got = claims_explored(ctx, folder, RESPONSE, edit(RESPONSE), options=options)
            assert got - {"safety"} == explored, (what, options, got)
    for number, (what, (edit, with_stubborn_sets)) in enumerate(later.items()):
        for options, explored in ((("--reduce", "none"), set()), ((), with_stubborn_sets)):
            folder = ctx.tmp / f"later{number}{len(options)}"
            folder.mkdir()
            got = claims_explored(ctx, folder, RESPONSE, edit(RESPONSE), options=options)
            assert got - {"safety"} == explored, (what, options, got)


def test_a_graph_of_a_claim_is_recorded_on_request(ctx):
    """Of most claims a check on the recorded graph takes as long as one in full."""
    def versions():
        yield RESPONSE.replace("LIMIT", "3")
        for start in (1, 2, 0):
            yield RESPONSE.replace("LIMIT", "3").replace("x == 3 -> x = 0", f"x == 3 -> x = {start}")

    for options, incremental in (((), [False] * 4), (("--record",), [False, True, True, True])):
        folder = ctx.tmp / f"default{len(options)}"
        folder.mkdir()
        used = []
        for text in versions():
            (folder / "model.pml").write_text(text)
            ran = ctx.run([ctx.spoor, "check", "--json", "--coverage", "off", "--property", "ltl:q", *options,
                           folder / "model.pml"], env={"SPOOR_LEDGER": ""})
            reuse = json.loads(ran.out)["ledger"]
            used.append(reuse["used"] and reuse["expanded_states"] > 0)
        assert used == incremental, (options, used)


def test_a_claim_that_an_edit_violates_has_a_trace_that_replays(ctx):
    """Through recorded states and executed ones; a lasso, and a prefix."""
    edited = RESPONSE.replace("x == 3 -> x = 0", "x == 3 -> x = 1; x = 0").replace("x < 3 -> x++", "x < 3 -> x++; level = low")
    stuck = RESPONSE.replace("x == 3 -> x = 0", "x == 3 -> x = 0 :: x == 1 -> level = high")
    for name, wanted, text in (("lasso", "ltl:p", stuck), ("prefix", "ltl:q", edited.replace("LIMIT", "2"))):
        for options in ((), ("--reduce", "none")):
            folder = ctx.tmp / f"{name}{len(options)}"
            folder.mkdir()
            with_ledger, full = recheck(ctx, folder, [RESPONSE.replace("LIMIT", "3"), text.replace("LIMIT", "3")],
                                        "--property", wanted, *options)
            assert claim_answer(with_ledger) == claim_answer(full), name
            assert with_ledger[0] == VIOLATED and with_ledger[1]["ledger"]["used"], (name, with_ledger)


def claim_jobs(count):
    jobs = []
    for seed in range(28_000_000, 28_000_000 + count):
        case = generate_case(seed, None)
        wanted = ("ltl:p", "accept", "progress")[seed % 3]
        versions = edited(case.with_ltl() if wanted == "ltl:p" else case.tree, seed, 1 + seed % 2)
        jobs.append((f"{seed}", versions, ("--property", wanted, *((), ("--fair",), ("--reduce", "none"))[seed // 3 % 3])))
    return jobs


def test_random_edits_of_models_with_claims(ctx):
    count = 1500 if ctx.long else 20 if ctx.slow else 90
    used = compare_all(ctx, claim_jobs(count), RECORD)
    print(dict(used))
    assert used["used"] >= count // 4 and used["executed"] >= count // 10, used


Pair = collections.namedtuple("Pair", "name versions options verdicts")  # options, verdicts: of each version


def pairs(ctx):
    folder = ctx.shared / "regression" if ctx.shared else None
    if folder is None or not (folder / "pairs.tsv").exists():
        ctx.skip("no ../shared/regression beside the repository")
    for row in (folder / "pairs.tsv").read_text().splitlines()[1:]:
        name, *columns = row.split("\t")
        yield Pair(name, [(folder / "pairs" / name / f"{version}.pml").read_text() for version in ("old", "new")],
                   [text.split() for text in columns[:2]], columns[2:4])


def with_defines(pair):
    """Its versions, without options: -DN=3 becomes a line of the model."""
    return ["".join(f"#define {word[2:].replace('=', ' ')}\n" for word in options if word.startswith("-D")) + text
            for text, options in zip(pair.versions, pair.options)]


def pair_jobs(ctx, slow_kinds=2):
    kinds = KINDS[:slow_kinds] if ctx.slow else KINDS
    return [(f"{pair.name}-{i}{'-back' * back}", with_defines(pair)[::-1 if back else 1], options)
            for pair in pairs(ctx) for i, options in enumerate(kinds)
            for back in ((False, True) if ctx.long else (False,))]


def test_a_pruned_search_is_not_fooled_by_the_pairs(ctx):
    jobs = pair_jobs(ctx, 1)
    used = compare_all(ctx, jobs, PRUNE)
    print(dict(used))
    assert used["used"] >= len(jobs) // 8 and used["pruned"] > 0, used


def test_pairs_that_fool_simple_implementations(ctx):
    jobs = pair_jobs(ctx)
    used = compare_all(ctx, jobs, CLOSURE)
    print(dict(used))
    assert used["used"] >= len(jobs) // 8 and used["bound"] >= len(jobs) // 10, used


def test_a_walk_is_not_fooled_by_the_pairs(ctx):
    jobs = [job for job in pair_jobs(ctx) if ctx.long or job[2] in KINDS[:4]]
    used = compare_all(ctx, jobs, WALK)
    print(dict(used))
    assert used["used"] >= len(jobs) // 4 and used["bound"] == 0, used


def pair_mistake(ctx, pair, back, kind):
    """Checks both versions with one ledger, with all that they state or the property they are about: a verdict that is not
    the true one; or None."""
    folder = ctx.tmp / f"{pair.name}{'-back' * back}{''.join(kind)}"
    folder.mkdir()
    steps = list(zip(pair.versions, pair.options, pair.verdicts))
    for text, options, verdict in steps[::-1] if back else steps:
        (folder / "model.pml").write_text(text)
        ran = ctx.run([ctx.spoor, "check", "--coverage", "off", "--exec", "interp", "--ledger", folder / "ledger", *options, *kind,
                       folder / "model.pml"], timeout=120)
        if ran.code != (verdict == "violated"):
            return f"{pair.name} {options} {kind} back={back}: exit {ran.code}, not {verdict}\n{ran.out}{ran.err}"
    return None


def test_pairs_have_their_verdicts(ctx):
    """The verdicts that SPIN confirms, of the property that a pair is about: formulas, claims, labels and fairness, too."""
    kinds = ((), ("--reduce", "none"), RECORD, (*RECORD, "--reduce", "none"), ("--search", "dfs"), ("--threads", "2"))
    jobs = [(pair, back, kind) for pair in pairs(ctx) for back in (False, True) for kind in (kinds if ctx.long else kinds[:2] if ctx.slow else kinds[:4])]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        mistakes = list(filter(None, pool.map(lambda job: pair_mistake(ctx, *job), jobs)))
    assert not mistakes, f"{len(mistakes)} of {len(jobs)} verdicts are wrong:\n" + "\n".join(mistakes[:SHOWN])
