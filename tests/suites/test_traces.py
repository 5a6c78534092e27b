"""Traces: our own files, SPIN's trails in both directions, charts.

The real SPIN is the reference where it is installed: a trail that we write must replay under
`spin -t -p` and reach the same error, and a trail that its verifier writes must replay here, with
statement merging (SPIN's default) and without.
"""

import json
import re
import shutil

# One model per corner of the trail format. All are violated; `says` is what SPIN prints on replay.
MODELS = {
    "atomic": ("byte x;\nactive [2] proctype A() { atomic { x++; x++ }; assert(x != 4) }\n",
               "assertion violated"),
    "assertion inside atomic": ("byte x;\nactive proctype A() { x = 1;\n"
                                "  atomic { x++; assert(x == 7); x++ } }\n", "assertion violated"),
    "d_step": ("byte x;\nactive proctype A() { d_step { x = 1; x = x + 4 }; assert(x == 1) }\n",
               "assertion violated"),
    "rendezvous": ("chan q = [0] of { byte };\nactive proctype A() { q!1; q!2 }\n"
                   "active [2] proctype B() { byte y; q?y; assert(y == 1) }\n",
                   "assertion violated"),
    "buffers": ("mtype = { ping, pong };\nchan q = [2] of { mtype, byte };\n"
                "active proctype A() { q!ping(1); q!pong(2) }\n"
                "active proctype B() { byte y; q?ping(y); q?pong(y); assert(y != 2) }\n",
                "assertion violated"),
    "random receive": ("chan q = [3] of { byte, byte };\nactive proctype A() { byte y;\n"
                       "  q!1(10); q!2(20); q!!0(5); q??2(y); assert(y != 20) }\n",
                       "assertion violated"),
    "merged statements": ("byte g;\nactive [2] proctype A() { byte a, b, c;\n"
                          "  a = 1; b = a + 1; c = b + 1; a = c; g = g + a;\n"
                          "  b = 0; c = 0; assert(g != 6) }\n", "assertion violated"),
    "processes that end": ("byte x;\nproctype P(byte n) { x = x + n }\n"
                           "init { run P(1); run P(2); (_nr_pr == 1); run P(4); (_nr_pr == 1);\n"
                           "  assert(x != 7) }\n", "assertion violated"),
    "loops and gotos": ("byte x;\nactive proctype A() {\nagain: do :: x < 4 -> x++ :: else -> break od;\n"
                        "  if :: x < 6 -> x++; goto again2 :: else fi;\nagain2: skip; assert(x != 5) }\n",
                        "assertion violated"),
    "unless": ("byte x;\nactive proctype A() { { do :: x < 5 -> x++ od } unless { x == 3 -> x = 9 };\n"
               "  assert(x != 9) }\n", "assertion violated"),
    "timeout": ("byte x;\nactive proctype A() { timeout -> x = 1; assert(x == 0) }\n"
                "active proctype B() { x = 0 }\n", "assertion violated"),
    # With merging, each round of the loop could stand on a line or be merged into the one before it.
    "merged loop inside atomic": ("byte i;\nactive proctype A() {\n"
                                  "  atomic { do :: i < 40 -> i++ :: else -> break od };\n"
                                  "  assert(i != 40) }\n", "assertion violated"),
    "deadlock": ("chan q = [1] of { byte };\nactive proctype A() { q!1; q!2 }\n",
                 "trail ends after"),
    "initial deadlock": ("chan q = [0] of { byte };\nactive proctype A() { q!1 }\n", None),
    # SPIN has two numbers for such a goto, and all later ones are shifted.
    "label on a goto": ("byte x;\nactive proctype A() { a: x = 1 - x;\n  b: goto a }\n"
                        "active proctype B() { A[0]@b ->\n  x = 5;\n  assert(x != 5) }\n", "assertion violated"),
    "never claim": ("byte x;\nactive proctype A() { do :: x < 3 -> x++ :: else -> break od;\n"
                    "  assert(x != 3) }\nnever { do :: x > 9 -> break :: else od }\n",
                    "assertion violated"),
}


def spoor(ctx, *args, **options):
    return ctx.run_spoor(args, cwd=ctx.tmp, **options)


def need_spin(ctx):
    if not shutil.which("spin") or not shutil.which("gcc"):
        ctx.skip("spin or gcc is not installed")


def find_violation(ctx, text, *args):
    (ctx.tmp / "m.pml").write_text(text)
    result = spoor(ctx, "check", "m.pml", "--json", *args)
    assert result.code == 1, (result.code, result.out, result.err)
    return json.loads(result.out)["violations"][0]


def write_spin_trail(ctx, text, spin_options, gcc_options=("-DSAFETY", "-DNOCLAIM")):
    """Has SPIN's own verifier write m.pml.trail; returns what it printed."""
    (ctx.tmp / "m.pml").write_text(text)
    trail = ctx.tmp / "m.pml.trail"
    trail.unlink(missing_ok=True)
    made = ctx.run(["spin", *spin_options, "-a", "m.pml"], cwd=ctx.tmp)
    assert made.code == 0, made.out + made.err
    built = ctx.run(["gcc", "-w", "-O0", *gcc_options, "-o", "pan", "pan.c"], cwd=ctx.tmp, timeout=120)
    assert built.code == 0, built.err
    said = ctx.run(["./pan"], cwd=ctx.tmp).out
    assert trail.exists(), said
    return said


def test_our_trails_replay_in_spin_and_reach_the_error(ctx):
    need_spin(ctx)
    for search in ("bfs", "dfs"):
        for name, (text, says) in MODELS.items():
            if says is None:
                continue  # SPIN shows nothing for a trail without lines
            violation = find_violation(ctx, text, "--trail", "m.pml.trail", "--search", search)
            replay = ctx.run(["spin", "-t", "-p", "m.pml"], cwd=ctx.tmp).out
            about = f"{name}, {search}:\n{replay}"
            assert f"trail ends after {violation['trace']['length']} steps" in replay, about
            assert says in replay, about
            for complaint in ("transition failed", "invalid statement", "no matching", "stop error"):
                assert complaint not in replay, about
            # SPIN names the line of every statement but those inside a d_step.
            lines = [int(line) for line in re.findall(r"^ *\d+:\tproc .* m\.pml:(\d+) .*\[", replay, re.M)]
            ours = [step["location"]["line"] for step in violation["trace"]["steps"]
                    if step["statement"] != "-end-"]
            if name != "d_step":
                assert lines == ours, f"{about}\n{lines}\n{ours}"


def test_trails_of_spin_replay_here(ctx):
    need_spin(ctx)
    for options in ([], ["-o1", "-o2", "-o3"]):
        for name, (text, _) in MODELS.items():
            said = write_spin_trail(ctx, text, options)
            expected = "assertion" if "assertion violated" in said else "deadlock"
            result = spoor(ctx, "trace", "m.pml", "m.pml.trail")
            about = f"{name}, {options}: {said.splitlines()[0]}\n{result.out}{result.err}"
            assert result.code == 0, about
            assert re.search(rf"at the end:\n  {expected}: ", result.out), about


def test_trails_of_spin_with_a_never_claim_replay_here(ctx):
    need_spin(ctx)
    text, _ = MODELS["never claim"]
    for options in ([], ["-o3"]):
        write_spin_trail(ctx, text, options, gcc_options=("-DSAFETY",))
        assert (ctx.tmp / "m.pml.trail").read_text().startswith("-2:"), "no claim in the trail"
        result = spoor(ctx, "trace", "m.pml", "m.pml.trail")
        assert result.code == 0 and "at the end:\n  assertion: " in result.out, result.out + result.err


def test_a_trail_of_spin_comes_back_as_one_that_spin_accepts(ctx):
    need_spin(ctx)
    for name in ("merged statements", "rendezvous", "processes that end"):
        write_spin_trail(ctx, MODELS[name][0], [])
        again = spoor(ctx, "trace", "m.pml", "m.pml.trail", "--format", "trail", "-o", "again.trail")
        assert again.code == 0, again.err
        replay = ctx.run(["spin", "-k", "again.trail", "-t", "-p", "m.pml"], cwd=ctx.tmp).out
        assert "assertion violated" in replay, (name, replay)


# Runs that end in a cycle: one with statements that SPIN merges, one with a variable that is not read again (it
# has another value before the first round than after it), one that stands still, one whose cycle is all of it.
LASSOS = {
    "merged": """byte x; bool g;
active proctype P() { byte i, j; x = 1; do :: i = (i + 1) % 3; j = i; g = (j == 1) od }
active proctype Q() { do :: g -> x = 2 :: x == 2 -> x = 3 od }
ltl p { <> [] !g }""",
    "dead": """bool g;
active proctype P() { byte v = 5; g = 1; do :: g = 0; v = 7; g = 1; v = v + 1 od }
ltl p { <> [] g }""",
    "still": """bool g; byte x;
active proctype P() { byte i; do :: i < 3 -> i++; x = i :: i == 3 -> break od }
ltl p { <> g }""",
    "all": """bool g;
active proctype P() { do :: g = 1 - g od }
ltl p { <> [] g }""",
    "message": """chan c = [2] of { byte }; bool b;
active proctype A() { do :: c!1 :: c!2 od }
active proctype B() { byte m; do :: c?m -> b = (m == 2) od }
ltl p { [] <> b }""",
}


def is_lasso(text):
    """A report, or the table of a trace."""
    return "and so on, again from" in text or "stands still" in text or "the cycle begins at" in text


def test_lassos_of_spin_keep_their_cycle(ctx):
    need_spin(ctx)
    for options in ([], ["-o3"], ["-o1", "-o2", "-o3"]):
        for name, text in LASSOS.items():
            (ctx.tmp / "m.pml.trail").unlink(missing_ok=True)
            (ctx.tmp / "m.pml").write_text(text)
            assert ctx.run(["spin", *options, "-a", "m.pml"], cwd=ctx.tmp).code == 0
            assert ctx.run(["gcc", "-w", "-O0", "-o", "pan", "pan.c"], cwd=ctx.tmp, timeout=120).code == 0
            said = ctx.run(["./pan", "-a"], cwd=ctx.tmp).out
            assert "acceptance cycle" in said, (name, said)
            result = spoor(ctx, "trace", "m.pml", "m.pml.trail")
            about = f"{name}, {options}:\n{(ctx.tmp / 'm.pml.trail').read_text()}\n{result.out}{result.err}"
            assert result.code == 0 and is_lasso(result.out), about
            # From there to our own format and back to a trail.
            assert spoor(ctx, "trace", "m.pml", "m.pml.trail", "--format", "json", "-o", "t.json").code == 0, about
            again = spoor(ctx, "trace", "m.pml", "t.json")
            assert again.out == result.out, (about, again.out, again.err)
            assert spoor(ctx, "trace", "m.pml", "t.json", "--format", "trail", "-o", "t.trail").code == 0, about
            last = spoor(ctx, "trace", "m.pml", "t.trail")
            assert last.out == result.out, (about, last.out, last.err)


def test_our_lassos_replay_in_spin_and_here(ctx):
    for name, text in LASSOS.items():
        for reduce in ("default", "none"):
            violation = find_violation(ctx, text, "--property", "ltl", "--reduce", reduce, "--trace", "t.json", "--trail", "t.trail")
            shown = {}
            for source in ("t.json", "t.trail"):
                result = spoor(ctx, "trace", "m.pml", source)
                assert result.code == 0 and is_lasso(result.out), (name, reduce, source, result.out, result.err)
                shown[source] = result.out
            assert shown["t.json"] == shown["t.trail"], (name, reduce, shown)
            report = ctx.tmp / "report.json"
            report.write_text(spoor(ctx, "check", "m.pml", "--property", "ltl", "--reduce", reduce, "--json").out)
            assert spoor(ctx, "trace", "m.pml", report).out == shown["t.json"], (name, reduce)
            if not shutil.which("spin"):
                continue
            replay = ctx.run(["spin", "-k", "t.trail", "-t", "-p", "m.pml"], cwd=ctx.tmp).out
            for complaint in ("transition failed", "invalid statement", "no matching", "stop error"):
                assert complaint not in replay, (name, reduce, replay)
            if violation["trace"]["loop"] is not None and name != "still":
                assert "START OF CYCLE" in replay, (name, reduce, replay)


def test_a_trace_of_nothing_needs_an_error_to_show(ctx):
    (ctx.tmp / "m.pml").write_text("byte x; active proctype P() { x = 1 }")
    (ctx.tmp / "empty.trail").write_text("")
    assert spoor(ctx, "check", "m.pml", "--json").code == 0
    result = spoor(ctx, "trace", "m.pml", "empty.trail")
    assert result.code == 2 and "the trace is empty, and the initial state shows no error" in result.err, result.out + result.err
    simulated = spoor(ctx, "simulate", "m.pml", "--trace", "empty.trail")
    assert simulated.code == 2 and "the trace is empty" in simulated.err, simulated.out + simulated.err
    (ctx.tmp / "m.pml").write_text("byte x; active proctype P() { x == 1 }")
    result = spoor(ctx, "trace", "m.pml", "empty.trail")
    assert result.code == 0 and "deadlock" in result.out, result.out + result.err


def test_a_cycle_that_does_not_close_is_refused(ctx):
    (ctx.tmp / "m.pml").write_text("byte x; active proctype P() { do :: x++ od }")
    (ctx.tmp / "t.trail").write_text("1:0:0\n-1:-1:-1\n2:0:0\n3:0:0\n")
    result = spoor(ctx, "trace", "m.pml", "t.trail")
    assert result.code == 2 and "does not return to the state there" in result.err, result.out + result.err


DEAD = """chan c = [1] of { byte }; byte g;
active proctype A() { c!4 }
active proctype B() { byte v, w; c?v; w = v + 1; g = w; w = 9; assert(v == 0) }
"""


def test_a_trace_shows_the_values_of_variables_that_are_not_read_again(ctx):
    """In the search they are zero; nobody should see that."""
    for options in ((), ("--search", "dfs"), ("--exec", "native"), ("--exec", "interp", "--store", "tree")):
        violation = find_violation(ctx, DEAD, "--trace", "t.json", *options)
        changes = [change for step in violation["trace"]["steps"] for change in step["changes"]]
        assert changes == ["c = [4]", "c = []", "B[1]:v = 4", "B[1]:w = 5", "g = 5", "B[1]:w = 9"], changes
        assert "B[1]:v = 4" in violation["trace"]["final_state"], violation["trace"]["final_state"]
        for source in ("trace", "simulate"):
            args = ("t.json",) if source == "trace" else ("--trace", "t.json", "--verbose")
            out = spoor(ctx, source, "m.pml", *args).out
            assert all(change in out for change in changes), out
        (ctx.tmp / "report.json").write_text(spoor(ctx, "check", "m.pml", "--json", *options).out)
        assert all(change in spoor(ctx, "trace", "m.pml", "report.json").out for change in changes)


STUCK = """mtype = { ping, pong };
chan a = [1] of { mtype, byte };
chan b = [0] of { byte };
byte x, y = 3; bool flags[3];
active proctype P() { a!ping,1; a!pong,2 }
active proctype Q() { byte v; if :: b?v :: x == 1 && y > 3 && !flags[v] -> skip :: a?pong,v :: a??pong,v fi }
active proctype R() { x == 0 -> end: do :: b?x od }
active proctype S() provided (x == 2) { y = 1 }
active proctype T() { b!7,1; d_step { x == 9; y = 2 } }
active proctype U() { run V() }
proctype V() { atomic { y == 8 -> x = 1 } }
"""


def test_a_deadlock_says_who_waits_for_what(ctx):
    stuck = STUCK.replace("b!7,1; ", "")
    violation = find_violation(ctx, stuck)
    waiting = {process["process"]: process for process in violation["trace"]["waiting"]}
    reasons = {name: [(option["statement"], option["reason"]) for option in process["options"]]
               for name, process in waiting.items()}
    assert reasons["P[0]"] == [("a!pong,2", "the channel is full: [ping,1]")], reasons
    assert reasons["Q[1]"] == [
        ("b?v", "no process offers a message that matches"),
        ("((((x==1)&&(y>3))&&!(flags[v])))", "is false: x = 0, y = 3, flags[v] = 0, v = 0"),
        ("a?pong,v", "the first message does not match: [ping,1]"),
        ("a??pong,v", "no message matches: [ping,1]")], reasons
    assert waiting["R[2]"]["valid_end"] and not waiting["P[0]"]["valid_end"], waiting
    assert reasons["S[3]"] == [("y = 1", "the provided clause of the process is false")], reasons
    assert reasons["T[4]"][0][1] == "is false: x = 0", reasons
    assert reasons["U[5]"] == [("-end-", "the processes that were started after it have not ended")], reasons
    assert reasons["V[6]"] == [("((y==8))", "is false: y = 3")], reasons
    assert waiting["P[0]"]["location"]["line"] == 5, waiting
    assert violation["trace"]["final_state"][:2] == ["x = 0", "y = 3"], violation["trace"]
    text = spoor(ctx, "check", "m.pml").out
    for words in ("nobody can move:", "P[0]  m.pml:5", "the channel is full: [ping,1]", "(may end here)", "the state at the end:\n  x = 0, y = 3,",
                  "a = [ping,1]"):
        assert words in text, (words, text)
    assert max(map(len, text[text.index("the state at the end"):].splitlines()[:4])) < 80, text
    short = spoor(ctx, "check", "m.pml", "--no-final-state").out
    assert "the channel is full" in short and "the state at the end" not in short, short
    (ctx.tmp / "t.json").write_text(spoor(ctx, "check", "m.pml", "--json").out)
    for words in ("the channel is full: [ping,1]", "the state at the end:"):
        assert words in spoor(ctx, "trace", "m.pml", "t.json").out


def test_a_sender_without_a_receiver_waits(ctx):
    violation = find_violation(ctx, "chan c = [0] of { byte }; active proctype P() { byte v; if :: c!1 :: c?v fi }")
    options = violation["trace"]["waiting"][0]["options"]
    assert [option["reason"] for option in options] == ["no process can receive it here", "no process offers a message that matches"], options


def test_a_guard_without_a_value_is_not_called_false(ctx):
    (ctx.tmp / "m.pml").write_text("byte x; active proctype P() { x = 0; 5 / x > 1 }")
    report = json.loads(spoor(ctx, "check", "m.pml", "--json", "--all-errors").out)
    stuck = [v["trace"]["waiting"] for v in report["violations"] if v["kind"] == "deadlock"]
    assert stuck and "division by zero" in stuck[0][0]["options"][0]["reason"], report["violations"]


def test_every_violation_shows_the_state_at_its_end(ctx):
    find_violation(ctx, "byte x; active proctype P() { byte v; v = 3; x = v; assert(x != 3) }")
    text = spoor(ctx, "check", "m.pml").out
    assert "the state at the end:\n  x = 3, P[0]:v = 3, P[0] at m.pml:1" in text and "nobody can move" not in text, text
    many = find_violation(ctx, "byte x[100]; active proctype P() { x[99] = 1; assert(x[99] == 0) }")
    assert many["trace"]["waiting"] == []
    text = spoor(ctx, "check", "m.pml").out
    assert "and 41 more (--full-trace)" in text and "x[99] = 1" not in text[text.index("the state"):], text
    assert "x[99] = 1" in spoor(ctx, "check", "m.pml", "--full-trace").out


# The reduced search runs the loops of A first, whose variable nobody else sees.
DETOUR = """byte g;
active [N] proctype A() { byte i; do :: i < 9 -> i++ :: else -> break od }
active proctype B() { g = 1; g = 2; assert(g != 2) }
active proctype C() { g == 1 -> assert(false) }
"""


def test_no_trace_is_shorter(ctx):
    for options in ((), ("--store", "tree"), ("--threads", "3"), ("--exec", "native"), ("--property", "safety")):
        violation = find_violation(ctx, DETOUR, "-DN=2", "--trace", "t.json", *options)
        assert violation["is_shortest"] and violation["trace"]["length"] == 3, violation
        assert "there may be a shorter" not in spoor(ctx, "check", "m.pml", "-DN=2", *options).out
        shown = spoor(ctx, "trace", "m.pml", "t.json")
        assert shown.code == 0 and "\n3 steps; at the end:\n  assertion: " in shown.out, shown.out + shown.err
        (ctx.tmp / "report.json").write_text(spoor(ctx, "check", "m.pml", "-DN=2", "--json", *options).out)
        assert spoor(ctx, "trace", "m.pml", "report.json").out == shown.out
    everything = spoor(ctx, "check", "m.pml", "-DN=2", "--json", "--all-errors")
    assert [(v["trace"]["length"], v["is_shortest"]) for v in json.loads(everything.out)["violations"]] == [(3, True), (3, True), (41, True)], everything.out
    assert not find_violation(ctx, DETOUR, "-DN=2", "--search", "dfs")["is_shortest"]


def test_where_the_shortest_trace_is_not_known_the_report_says_so(ctx):
    """Too many states without reductions: 10^5 before the first error."""
    late = DETOUR.replace("break od", "break od; n++").replace("byte g;", "byte g, n;").replace("{ g = 1;", "{ n == N -> g = 1;").replace("g == 1 ->", "false ->")
    violation = find_violation(ctx, late, "-DN=5")
    assert not violation["is_shortest"], violation
    assert "there may be a shorter trace" in spoor(ctx, "check", "m.pml", "-DN=5").out
    plain = find_violation(ctx, late, "-DN=5", "--reduce", "none")
    assert plain["is_shortest"] and plain["trace"]["length"] <= violation["trace"]["length"], (plain, violation)


def test_all_formats_lead_back_to_the_same_trace(ctx):
    for name, (text, _) in MODELS.items():
        # A trail does not know what was merged, so its steps are those of the plain model.
        violation = find_violation(ctx, text, "--reduce", "none", "--trace", "t.json", "--trail", "t.trail")
        for source in ("t.json", "t.trail"):
            shown = spoor(ctx, "trace", "m.pml", source, "--format", "json")
            assert shown.code == 0, (name, source, shown.err)
            trace = json.loads(shown.out)
            assert trace["trace"] == violation["trace"], (name, source)
            assert trace["findings"][0]["message"] == violation["message"], (name, source)
        trail = spoor(ctx, "trace", "m.pml", "t.json", "--format", "trail")
        assert trail.out == (ctx.tmp / "t.trail").read_text(), name


def test_a_report_of_check_is_a_trace_too(ctx):
    text, _ = MODELS["buffers"]
    (ctx.tmp / "m.pml").write_text(text)
    (ctx.tmp / "report.json").write_text(spoor(ctx, "check", "m.pml", "--json").out)
    result = spoor(ctx, "trace", "m.pml", "report.json")
    assert result.code == 0 and "assertion violated" in result.out, result.err


def test_the_table_shows_who_where_what_and_its_effect(ctx):
    find_violation(ctx, MODELS["buffers"][0], "--trace", "t.json")
    table = spoor(ctx, "trace", "m.pml", "t.json").out
    assert table.splitlines()[0].split() == ["#", "process", "line", "statement", "changes"]
    assert re.search(r"^ *1  A\[0\] +m\.pml:3  q!ping,1 +q = \[ping,1\]$", table, re.M), table
    assert re.search(r"B\[1\] +m\.pml:4  q\?ping,y +.*B\[1\]:y = 1", table), table


def test_values_of_named_mtypes_keep_their_names_in_channels(ctx):
    text = ("mtype:fruit = { apple, pear };\nmtype = { one, two };\n"
            "typedef R { byte n; mtype:fruit f };\n"
            "chan q = [1] of { mtype:fruit, mtype, R };\nchan s = [0] of { mtype:fruit };\n"
            "active proctype A() { R r; r.f = pear; q!apple,two,r; s!pear }\n"
            "active proctype B() { mtype:fruit f; s?f; assert(false) }\n")
    trace = find_violation(ctx, text)["trace"]
    assert "q = [apple,two,0,pear]" in trace["final_state"], trace["final_state"]
    texts = [step["message"]["text"] for step in trace["steps"] if "message" in step]
    assert texts == ["apple,two,0,pear", "pear", "pear"], texts


def test_the_chart_draws_a_handshake_as_an_arrow(ctx):
    text = ("chan q = [0] of { byte };\nactive proctype A() { q!7 }\n"
            "active proctype B() { byte y; q?y; assert(y == 8) }\n")
    find_violation(ctx, text, "--trace", "t.json")
    chart = spoor(ctx, "trace", "m.pml", "t.json", "--format", "msc").out
    assert re.search(r"├─+.*7.*─*▶│", chart), chart
    assert "A[0]" in chart and "B[1]" in chart and "✗ assertion violated" in chart, chart
    plain = spoor(ctx, "trace", "m.pml", "t.json", "--format", "msc", "--ascii").out
    assert plain.isascii() and re.search(r"\+-+.*7.*-*>\|", plain), plain


def test_a_trace_brings_the_macros_that_it_was_made_with(ctx):
    text = "byte x;\nactive proctype A() { x = N; assert(x == 3) }\n"
    find_violation(ctx, text, "-DN=4", "--trace", "t.json", "--trail", "t.trail")
    assert "x = 4" in spoor(ctx, "trace", "m.pml", "t.json").out
    assert spoor(ctx, "trace", "m.pml", "t.trail").code == 2, "a trail knows no macros"
    assert "x = 4" in spoor(ctx, "trace", "m.pml", "t.trail", "-DN=4").out


def test_a_trace_that_does_not_fit_says_where(ctx):
    find_violation(ctx, MODELS["buffers"][0], "--trace", "t.json", "--trail", "t.trail")
    (ctx.tmp / "other.pml").write_text("byte z;\nactive proctype Z() { z = 1; z = 2 }\n")
    result = spoor(ctx, "trace", "other.pml", "t.json")
    assert result.code == 2 and "step 1 of " in result.err and "the model differs" in result.err, result.err
    result = spoor(ctx, "trace", "other.pml", "t.trail")
    assert result.code == 2 and re.search(r"t\.trail:\d+: ", result.err), result.err


def test_a_trace_survives_an_edit_elsewhere(ctx):
    text = "byte x;\nactive proctype A() { x = 1; assert(x == 2) }\n"
    find_violation(ctx, text, "--trace", "t.json")
    (ctx.tmp / "m.pml").write_text(text + "active proctype B() { skip; skip }\n")
    result = spoor(ctx, "trace", "m.pml", "t.json")
    assert result.code == 0 and "assertion violated" in result.out, result.err


def test_damaged_trace_files_are_refused(ctx):
    (ctx.tmp / "m.pml").write_text(MODELS["atomic"][0])
    damaged = [b"\x00\x01\x02", b"hello\n", b"{", b"{}", b"[1]", b"{" * 100_000, b'{"violations": []}',
               b"1:0:0\n2:x:0\n", b"1:0\n", b"1:0:99999999999999999999999\n", b"1:0:0\n" + b"\xff" * 50,
               b"-5:0:0\n", b"1:250:0\n", b"1:0:4000000\n",
               b'{"format": "spoor-trace", "format_version": 99, "trace": {}}',
               b'{"format": "spoor-trace", "format_version": 1, "trace": {"attempts": [7], "steps": []}}',
               b'{"format": "spoor-trace", "format_version": 1, "options": 3,'
               b' "trace": {"attempts": [], "steps": []}}']
    for number, content in enumerate(damaged):
        (ctx.tmp / "t").write_bytes(content)
        for command in (["trace", "m.pml", "t"], ["simulate", "m.pml", "--trace", "t"]):
            result = spoor(ctx, *command)
            assert result.code == 2 and result.err.startswith("spoor: "), (
                number, content[:60], result.code, result.err[:500])
    assert spoor(ctx, "trace", "m.pml", "missing").code == 2
    assert spoor(ctx, "trace", "m.pml", ".").code == 2


def test_a_simulation_follows_a_trace(ctx):
    text = 'byte x;\nactive proctype A() { x = 1; printf("x is %d\\n", x); assert(x == 2) }\n'
    find_violation(ctx, text, "--trace", "t.json", "--trail", "t.trail")
    for source in ("t.json", "t.trail"):
        result = spoor(ctx, "simulate", "m.pml", "--trace", source)
        assert result.code == 1, result.err
        assert "x is 1\n" in result.out and "error: assertion violated" in result.out, result.out


def test_long_trails_are_followed_in_time(ctx):
    text = "int x;\nactive proctype A() { do :: x < 20000 -> x++ :: else -> break od; assert(0) }\n"
    violation = find_violation(ctx, text, "--trail", "t.trail")
    assert violation["trace"]["length"] == 40002
    result = spoor(ctx, "trace", "m.pml", "t.trail", "--format", "trail", timeout=60)
    assert result.code == 0 and result.out == (ctx.tmp / "t.trail").read_text(), result.err


def test_merged_trails_are_followed_in_time(ctx):
    """SPIN's own trail, which merges the two statements of a round: 2^40 ways to match, one place."""
    (ctx.tmp / "m.pml").write_text(
        "byte i;\ninit { atomic { do :: i < 40 -> i++ :: else -> break od }; assert(false) }\n")
    numbers = [0] * 40 + [2, 3, 6, 8]
    lines = ["-4:-4:-4", *(f"{step}:0:{number}" for step, number in enumerate(numbers, 1))]
    (ctx.tmp / "t.trail").write_text("\n".join(lines) + "\n")
    result = spoor(ctx, "trace", "m.pml", "t.trail", timeout=20)
    assert result.code == 0 and "84 steps; at the end:\n  assertion: " in result.out, result.err
