"""The machine interface: one object, as docs/json.md and its schema say."""

import hashlib
import json
import re

import jsonschema

MODELS = {
    "holds": "byte x;\nactive proctype A() { x = 1 }\n",
    "assertion": "byte x;\nactive proctype A() { x = 1; assert(x == 2) }\n",
    "deadlock": "chan q = [0] of { byte };\nactive proctype A() { q!1 }\n",
    "runtime-error": "byte x, a[3];\nactive proctype A() { a[x + 5] = 1 }\n",
    "trace-assertion": "chan q = [1] of { byte };\ntrace { q!1 }\nactive proctype A() { q!2; q?_ }\n",
    "channel-assertion": "chan q = [2] of { byte };\nactive proctype A() { xs q; q!1 }\n"
                         "active proctype B() { q!2 }\n",
}


def schema(ctx):
    loaded = json.loads((ctx.root / "docs" / "check.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(loaded)
    return jsonschema.Draft7Validator(loaded)


def check(ctx, text, *args, name="m.pml", code=None):
    """Runs `check --json`, validates the one object that it prints, and returns it."""
    if text is not None:
        (ctx.tmp / name).write_text(text)
    result = ctx.run_spoor(["check", "--json", *args, name], cwd=ctx.tmp)
    report = json.loads(result.out)  # fails on anything beside one object
    errors = [f"{list(error.path)}: {error.message}" for error in schema(ctx).iter_errors(report)]
    assert not errors, "\n".join(errors) + "\n" + result.out[:2000]
    expected = {"holds": 0, "probably-holds": 0, "violated": 1, "unknown": 3}.get(report.get("verdict"), 2)
    assert result.code == expected, (result.code, result.out[:2000])
    if code is not None:
        assert result.code == code, (result.code, result.out[:2000], result.err)
    return report


def test_the_schema_refuses_what_is_no_report(ctx):
    good = check(ctx, MODELS["assertion"], code=1)
    validator = schema(ctx)
    for change in ({"verdict": "maybe"}, {"verdict": "holds"}, {"states": -1}, {"states": "3"},
                   {"violations": []}, {"model_sha256": "abc"}, {"limit": "patience"}):
        assert not validator.is_valid({**good, **change}), change
    for member in ("verdict", "violations", "states", "transitions", "depth", "elapsed_s", "cpu_s",
                   "memory_bytes", "options", "model_sha256", "version"):
        assert not validator.is_valid({k: v for k, v in good.items() if k != member}), member
    wrong = json.loads(json.dumps(good))
    wrong["violations"][0]["kind"] = "bug"
    assert not validator.is_valid(wrong)


def test_the_manual_names_every_member(ctx):
    manual = (ctx.root / "docs" / "json.md").read_text()
    members = set()

    def collect(value):
        if isinstance(value, dict):
            for key, inner in value.items():
                members.add(key)
                collect(inner)
        elif isinstance(value, list):
            for inner in value:
                collect(inner)

    collect(check(ctx, MODELS["assertion"]))
    collect(check(ctx, "proctype {"))
    collect(check(ctx, MODELS["holds"], "--store", "bitstate", "--bits", "2^12"))
    assert len(members) > 35, members
    missing = {name for name in members if f"`{name}`" not in manual}
    assert not missing, f"not in docs/json.md: {missing}"


def test_every_verdict_fits_the_schema(ctx):
    for kind, text in MODELS.items():
        report = check(ctx, text, code=0 if kind == "holds" else 1)
        kinds = [violation["kind"] for violation in report["violations"]]
        assert kinds == ([] if kind == "holds" else [kind]), (kind, kinds)
    for search in ("bfs", "dfs"):
        for kind, text in MODELS.items():
            report = check(ctx, text, "--all-errors", "--search", search)
            assert report["options"]["search"] == search and report["options"]["all_errors"]
            assert report["transitions"] == report["states"] + report["matched"]
    for kind, text in MODELS.items():
        report = check(ctx, text, "--store", "compact", code=0 if kind == "holds" else 1)
        assert report["verdict"] == ("probably-holds" if kind == "holds" else "violated")
        assert report["options"]["store"] == "compact"


def test_a_filter_tells_its_figures(ctx):
    for kind, text in MODELS.items():
        for filter_kind in ("classic", "blocked"):
            report = check(ctx, text, "--store", "bitstate", "--bits", "2^16", "--filter", filter_kind,
                           "--seed", "3", code=0 if kind == "holds" else 1)
            assert report["verdict"] == ("probably-holds" if kind == "holds" else "violated")
            assert report["store"] == report["options"]["store"] == "bitstate"
            figures = report["filter"]
            assert (figures["bits"], figures["hashes"], figures["kind"], figures["seed"]) == \
                (65536, 3, filter_kind, 3)
            states = figures["states"]
            assert states >= report["states"] and states <= figures["bits_set"] <= 3 * states
            assert figures["fraction_set"] == figures["bits_set"] / 65536
            assert figures["hash_factor"] == 65536 / states and figures["uninterrupted"] > 1
            is_told = filter_kind == "classic" and kind == "holds"
            assert (figures["coverage_stern"] is not None) == is_told, figures
            assert (figures["coverage_dillinger"] is not None) == is_told, figures
    report = check(ctx, MODELS["holds"], "--store", "bitstate", "--bits", "2^12")
    validator = schema(ctx)
    assert validator.is_valid(report)
    for change in ({"coverage_stern": 1.1}, {"coverage_dillinger": -0.1}, {"kind": "blocked"}, {"hashes": 9}):
        assert not validator.is_valid({**report, "filter": {**report["filter"], **change}}), change
    assert not validator.is_valid({k: v for k, v in report.items() if k != "filter"})
    assert "filter" not in check(ctx, MODELS["holds"])


def test_a_violation_points_at_its_statement(ctx):
    report = check(ctx, "byte x;\nactive proctype A() {\n  x = 1;\n  assert(x == 2)\n}\n", code=1)
    violation = report["violations"][0]
    assert violation["location"]["file"] == "m.pml" and violation["location"]["line"] == 4
    assert violation["location"]["column"] == 3, violation["location"]
    trace = violation["trace"]
    assert trace["length"] == len(trace["steps"]) == 2 and len(trace["attempts"]) == 2
    first, last = trace["steps"]
    assert first["process"] == {"pid": 0, "name": "A"} and first["location"]["line"] == 3
    assert first["statement"] == "x = 1" and first["changes"] == ["x = 1"], first
    assert last["location"] == violation["location"] and last["changes"] == []


def test_actions_of_one_step_share_its_number(ctx):
    report = check(ctx, "byte x;\nactive proctype A() { atomic { x = 1; x = 2 }; assert(0) }\n",
                   "--reduce", "none")
    assert [step["step"] for step in report["violations"][0]["trace"]["steps"]] == [1, 1, 2]


def test_a_trace_ends_where_an_assertion_fails_inside_atomic(ctx):
    report = check(ctx, "byte x;\nactive proctype A() {\n atomic { x = 1;\n assert(x == 2);\n"
                        " x = 3 } }\n", code=1)
    steps = report["violations"][0]["trace"]["steps"]
    assert [step["location"]["line"] for step in steps] == [3, 4], steps


def test_output_of_the_model_is_in_its_step(ctx):
    report = check(ctx, 'active proctype A() { printf("a\\tb %d\\n", 7); assert(0) }\n')
    assert report["violations"][0]["trace"]["steps"][0]["output"] == "a\tb 7\n"


def test_wrong_input_is_an_object_too(ctx):
    report = check(ctx, "byte x;\ninit { y = 1;\n z = 2 }\n", code=2)
    assert {d["location"]["line"] for d in report["diagnostics"]} == {2, 3}, report
    assert all(d["severity"] == "error" and d["code"] for d in report["diagnostics"])
    assert check(ctx, None, name="missing.pml", code=2)["error"]
    assert check(ctx, None, name="missing.aut", code=2)["error"]
    assert check(ctx, MODELS["holds"], "--search=fast", code=2)["error"]
    assert check(ctx, MODELS["holds"], "--nonsense", code=2)["error"]


def test_warnings_do_not_spoil_the_object(ctx):
    report = check(ctx, "byte never_used;\nactive proctype A() { skip }\n", code=0)
    assert report["warnings"] and report["warnings"][0]["severity"] == "warning", report["warnings"]


def test_options_are_repeated_in_the_report(ctx):
    report = check(ctx, MODELS["holds"], "--time", "2m", "--memory", "1G", "--depth", "100",
                   "--no-end-states", "--strict", "--lose-messages", "--allow-c",
                   "-DN=1", "-DM", "--reduce", "none", "--store", "tree", "--threads", "3")
    assert report["options"] == {
        "search": "bfs", "store": "tree", "swarm": 0, "repeat": 0, "coverage": "quick", "accept_coverage": 0.95, "threads": 3, "time_s": 120.0, "memory_bytes": 1 << 30, "depth": 100,
        "all_errors": False, "reduce": "none", "property": "default", "ltl": None, "invariant": None, "fair": False, "exec": "auto", "end_states": False,
        "check_reduction": False, "regression": "auto", "strict": True, "lose_messages": True, "allow_c": True,
        "defines": ["N=1", "M"]}
    plain = check(ctx, MODELS["holds"])["options"]
    assert plain["time_s"] is None and plain["depth"] is None and plain["defines"] == []


def test_reductions_are_named_that_were_made(ctx):
    text = "byte x; active [2] proctype P() { byte a; a = 1; a = 2; x = a }\n"
    made = {}
    for options in (("exact",), ("compact",), ("exact", "--search", "dfs"), ("compact", "--search", "dfs")):
        report = check(ctx, text, "--store", *options)
        made[options] = report["states"], report["reductions"]
    assert made["exact",][1] == {"made": "merge,dead,order", "reason": None}, made
    assert made["compact",] == made["exact",] and made["exact", "--search", "dfs"] == made["exact",], made
    states, reductions = made["compact", "--search", "dfs"]
    assert reductions["made"] == "merge,dead" and "depth-first" in reductions["reason"], made
    assert states == check(ctx, text, "--reduce", "merge,dead")["states"], made


def test_what_is_not_checked_is_named(ctx):
    text = "byte x;\nactive proctype P() { accept: progress: x = 1; accept2: x = 2 }\nnever { do :: x > 9 -> break :: else od }\n"
    report = check(ctx, text)
    assert [one["property"] for one in report["properties"]] == ["safety", "never"], report
    left = [(one["property"], one["location"]["line"]) for one in report["not_checked"]]
    assert left == [("accept", 2), ("progress", 2)], left
    left = [one["property"] for one in check(ctx, text, "--property", "safety")["not_checked"]]
    assert left == ["never", "accept", "progress"], left
    report = check(ctx, text.replace("break", "x = 0"), code=3)
    assert report["verdict"] == "unknown" and report["limit"] == "not-possible", report
    safety, never = report["properties"]
    assert safety["verdict"] == "holds" and safety["reason"] is None, safety
    assert never["verdict"] == "unknown" and "x = 0" in never["reason"], never
    assert [one["code"] for one in report["warnings"]] == ["P346"], report["warnings"]


def test_a_limit_is_named(ctx):
    endless = "byte a, b, c;\n" + "".join(
        f"active proctype P{v}() {{ do :: {v}++ od }}\n" for v in "abc")
    assert check(ctx, endless, "--depth", "4", code=3)["limit"] == "depth"
    timed = check(ctx, endless, "--time", "0.2", code=3)
    assert timed["limit"] == "time" and 0.1 < timed["elapsed_s"] < 10
    assert check(ctx, endless, "--memory", "20M", code=3)["limit"] == "memory"


def test_the_digest_is_that_of_the_text(ctx):
    text = MODELS["holds"]
    assert check(ctx, text)["model_sha256"] == hashlib.sha256(text.encode()).hexdigest()
    (ctx.tmp / "part.h").write_text("#define N 1\n")
    whole = '#include "part.h"\nactive proctype A() { skip }\n'
    first = check(ctx, whole)["model_sha256"]
    (ctx.tmp / "part.h").write_text("#define N 2\n")
    assert check(ctx, whole)["model_sha256"] != first, "an include is part of the model"


def test_figures_are_those_of_a_real_run(ctx):
    report = check(ctx, "byte x;\nactive proctype A() { do :: x < 9 -> x++ :: else -> break od }\n")
    assert report["states"] == 21 and report["depth"] == 20, report
    assert report["memory_bytes"] >= report["search_memory_bytes"] > 0
    assert report["elapsed_s"] >= 0 and report["cpu_s"] >= 0
    assert re.fullmatch(r"\d+\.\d+\.\d+", report["version"])


def test_unreached_statements_are_listed_on_request(ctx):
    text = "byte x;\nactive proctype A() {\n if\n :: x == 0\n :: x == 1 ->\n x = 9\n fi }\n"
    lines = {entry["location"]["line"] for entry in check(ctx, text)["unreached"]}
    assert 6 in lines and 4 not in lines, lines
    assert check(ctx, text, "--no-unreached")["unreached"] is None


def test_text_that_is_no_utf_8_is_replaced(ctx):
    (ctx.tmp / "m.pml").write_bytes(b'active proctype A() { printf("\xff\xfe"); assert(0) }\n')
    report = check(ctx, None)
    assert report["violations"][0]["trace"]["steps"][0]["output"] == "\ufffd\ufffd"


def test_graphs_have_neither_processes_nor_macros(ctx):
    report = check(ctx, 'des (0, 1, 2)\n(0, "a", 1)\n', name="g.aut", code=1)
    step = report["violations"][0]["trace"]["steps"][0]
    assert step["process"] is None and step["location"]["line"] == 2, step
    assert report["violations"][0]["kind"] == "deadlock"


def test_the_memory_is_that_of_the_program_not_of_who_started_it(ctx):
    if ctx.slow:
        ctx.skip("instrumented programs need much memory of their own")
    (ctx.tmp / "m.pml").write_text("active proctype P() { skip }\n")
    starter = "import subprocess, sys; held = b'x' * 300_000_000; sys.exit(subprocess.run(sys.argv[1:]).returncode)"
    result = ctx.run(["/usr/bin/env", "python3", "-c", starter, ctx.spoor, "check", "--json", "--exec", "interp", "m.pml"], cwd=ctx.tmp)
    assert result.code == 0, result.err
    assert 1_000_000 < json.loads(result.out)["memory_bytes"] < 100_000_000


def test_a_long_statement_is_not_printed_whole_at_each_step(ctx):
    condition = " || ".join(f"x == {i}" for i in range(400, 1300))
    text = (f"short x;\nactive proctype P() {{\n x = 500;\n do\n :: x = ({condition} -> 500 : 2)\n :: x = ({condition} -> 501 : 3)\n"
            " :: x == 501 -> x = 502\n :: x == 502 -> assert(false)\n od }\n")
    [violation] = check(ctx, text, "--search", "dfs")["violations"]
    long = [step for step in violation["trace"]["steps"] if step["statement"].startswith("x = (")]
    assert long and all("... (" in step["statement"] and len(step["statement"]) < 360 > len(step["key"]) - 20 for step in long), long
    other = check(ctx, text.replace("-> 501 :", "-> 500 :").replace("-> 500 : 2", "-> 501 : 2"), "--search", "dfs")
    mine, theirs = ({step["key"] for step in found if step["statement"].startswith("x = (")}
                    for found in (violation["trace"]["steps"], other["violations"][0]["trace"]["steps"]))
    assert mine - theirs, "what is left out makes keys differ"
