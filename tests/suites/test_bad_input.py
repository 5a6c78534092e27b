"""Bad input of any kind gets a clear error and exit 2, never a crash, and never a verdict."""

import concurrent.futures
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from lib.snippets import SNIPPETS  # noqa: E402
from lib.spin_oracle import Oracle  # noqa: E402

MEMORY_MB = 4096
PLACE = re.compile(r"\bmodel\.pml:\d+(:\d+)?\b")
CODE = re.compile(r"\b[A-Z]\d{3}\b")
GOOD = "init { skip }\n"


def check(ctx, text, *options, name="model.pml", timeout=60):
    path = ctx.tmp / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return ctx.run_spoor(["check", name, *options], cwd=ctx.tmp, timeout=timeout,
                         memory_mb=MEMORY_MB)


def said(result):
    return result.out + result.err


def assert_refused(result, *, code=True):
    assert result.code == 2, f"exit {result.code}\n{said(result)[:2000]}"
    assert said(result).strip(), "no message"
    if code:
        assert CODE.search(said(result)), f"no code in:\n{said(result)[:2000]}"


def assert_pointed(result):
    """Refused with a place, the line itself and a caret."""
    assert_refused(result)
    assert PLACE.search(said(result)), f"no place in:\n{said(result)[:2000]}"
    assert "^" in said(result), f"no caret in:\n{said(result)[:2000]}"


def test_an_empty_file_is_refused(ctx):
    assert_refused(check(ctx, ""))
    assert_refused(check(ctx, "\n \n\t\n"))


def test_a_binary_file_is_refused(ctx):
    assert_refused(check(ctx, bytes(range(256)) * 40))
    assert_refused(check(ctx, pathlib.Path("/bin/true").read_bytes()[:100_000]))


def test_a_zero_byte_in_the_middle_is_refused(ctx):
    assert_refused(check(ctx, b"byte x;\ninit { x = 1; \0 skip }\n"))


def test_bytes_that_are_no_utf_8_are_no_crash(ctx):
    assert_refused(check(ctx, b"byte x;\ninit { \xff\xfe\xc3 = 1 }\n"))
    assert check(ctx, b"/* gr\xfc\xdfe */ init { skip }\n").code == 0


def test_a_folder_is_refused(ctx):
    (ctx.tmp / "folder.pml").mkdir()
    assert_refused(ctx.run_spoor(["check", "folder.pml"], cwd=ctx.tmp))


def test_a_missing_file_is_refused(ctx):
    result = ctx.run_spoor(["check", "nowhere.pml"], cwd=ctx.tmp)
    assert_refused(result)
    assert "nowhere.pml" in said(result)


def test_an_unreadable_file_is_refused(ctx):
    if os.geteuid() == 0:
        ctx.skip("root can read everything")
    path = ctx.tmp / "model.pml"
    path.write_text(GOOD)
    path.chmod(0)
    assert_refused(ctx.run_spoor(["check", "model.pml"], cwd=ctx.tmp))


def test_a_line_of_ten_megabytes_is_no_crash(ctx):
    assert_refused(check(ctx, "x" * 10_000_000))
    assert_refused(check(ctx, "init { " + "skip; " * 1_700_000, timeout=120))
    assert check(ctx, "/*" + "x" * 10_000_000 + "*/ init { skip }").code == 0


def test_deep_nesting_is_no_crash(ctx):
    deep = 10_000
    for text in (
            "byte x; init { x = " + "(" * deep + "1" + ")" * deep + " }",
            "byte x; init { x = " + "!" * deep + "x }",
            "byte x; init { x = " + "-" * deep + "x }",
            "init { " + "{ " * deep + "skip" + " }" * deep + " }",
            "init { " + "if :: " * deep + "skip" + " fi" * deep + " }",
            "init { " + "atomic { " * deep + "skip" + " }" * deep + " }",
            "byte x; init { x = " + "(x -> " * deep + "1" + " : 2)" * deep + " }",
            "byte x; init { x = x" + " + x" * deep + " }",
            "byte a[2]; init { a[" + "a[" * deep + "0" + "]" * deep + "] = 1 }",
            "ltl p { " + "[] (" * deep + "true" + ")" * deep + " } init { skip }",
            "init { " + "(" * deep):
        result = check(ctx, text, timeout=120)
        assert result.code in (0, 1, 2), f"exit {result.code} for {text[:40]}\n{said(result)[:500]}"
        if result.code == 2:
            assert_refused(result)


def test_a_missing_include_is_refused_at_its_line(ctx):
    assert_pointed(check(ctx, '\n\n#include "nowhere.h"\ninit { skip }\n'))


def test_a_file_that_includes_itself_is_refused(ctx):
    assert_refused(check(ctx, '#include "model.pml"\ninit { skip }\n'))


def test_inlines_that_call_each_other_are_refused(ctx):
    assert_pointed(check(ctx, "inline f() { f() }\ninit { f() }\n"))
    assert_pointed(check(ctx, "inline f() { g() }\ninline g() { f() }\ninit { g() }\n"))


def test_a_macro_bomb_is_refused(ctx):
    lines = ["#define A0 skip; skip"]
    lines += [f"#define A{n} A{n - 1}; A{n - 1}" for n in range(1, 40)]
    assert_refused(check(ctx, "\n".join(lines) + "\ninit { A39 }\n", timeout=120))


def test_an_inline_bomb_is_no_crash(ctx):
    lines = ["byte x;", "inline f0() { x = 1; x = 2 }"]
    lines += [f"inline f{n}() {{ f{n - 1}(); f{n - 1}() }}" for n in range(1, 40)]
    assert_refused(check(ctx, "\n".join(lines) + "\ninit { f39() }\n", timeout=120))


def test_line_ends_of_windows_are_taken(ctx):
    result = check(ctx, b"byte x;\r\ninit {\r\n  x = 1;\r\n  assert(x == 1)\r\n}\r\n")
    assert result.code == 0, said(result)
    assert_pointed(check(ctx, b"byte x;\r\ninit {\r\n  y = 1\r\n}\r\n"))


def test_a_last_line_without_end_is_taken(ctx):
    assert check(ctx, "init { skip }").code == 0
    assert check(ctx, "byte x; init { x = 1 } // the end").code == 0
    assert_refused(check(ctx, "init { skip } /* the end"))


def test_every_error_of_a_file_is_told_in_one_go(ctx):
    result = check(ctx, "byte x;\ninit {\n  y = 1;\n  x = 2;\n  z = 3;\n  goto nowhere\n}\n")
    assert_pointed(result)
    for line in (3, 5, 6):
        assert f"model.pml:{line}" in said(result), f"nothing about line {line}:\n{said(result)}"


def test_a_field_of_what_is_no_record_is_no_crash(ctx):
    for index in ("x.y", "x.y.z", "a[0].y", "b.y", "r.q", "r.q.s"):
        text = f"typedef R {{ byte f }}; R r; byte b; byte a[2];\nactive proctype P() {{ a[{index}] = 1 }}\n"
        assert_pointed(check(ctx, text))


def test_an_undeclared_name_suggests_the_nearest(ctx):
    result = check(ctx, "byte counter;\ninit { countr = 1 }\n")
    assert_pointed(result)
    assert "counter" in said(result).replace("countr = 1", ""), said(result)


def test_an_error_in_an_included_file_points_into_it(ctx):
    (ctx.tmp / "part.h").write_text("byte x;\nbyte x;\n")
    result = check(ctx, '#include "part.h"\ninit { skip }\n')
    assert_refused(result)
    assert "part.h:2" in said(result), said(result)


def test_an_error_behind_a_macro_points_at_its_use(ctx):
    result = check(ctx, "#define SET(v, e) v = e\nbyte x;\ninit {\n  SET(x, 1);\n  SET(y, 2)\n}\n")
    assert_pointed(result)
    assert "model.pml:5" in said(result), said(result)


def test_wrong_options_are_refused(ctx):
    (ctx.tmp / "model.pml").write_text(GOOD)
    for options in (["--nonsense"], ["--search", "sideways"], ["--time", "soon"], ["--time", "-1"],
                    ["--memory", "lots"], ["--memory", "0"], ["--depth", "deep"], ["--depth", "-5"],
                    ["--depth", "99999999999999999999999"], ["--property", "beauty"],
                    ["--reduce", "perhaps"], ["-D"], ["-D", "=3"], ["-D", "3=x"], ["model.pml"]):
        result = ctx.run_spoor(["check", "model.pml", *options], cwd=ctx.tmp)
        assert_refused(result, code=False)
    for command in ([], ["paint"], ["check"], ["trace", "model.pml"], ["explain", "X999"]):
        result = ctx.run_spoor(command, cwd=ctx.tmp)
        assert_refused(result, code=False)


def test_an_unknown_option_suggests_the_nearest(ctx):
    (ctx.tmp / "model.pml").write_text(GOOD)
    result = ctx.run_spoor(["check", "model.pml", "--all-eror"], cwd=ctx.tmp)
    assert_refused(result, code=False)
    assert "--all-errors" in said(result), said(result)


def test_wrong_input_is_a_json_object_too(ctx):
    import json
    report = json.loads(check(ctx, "init { y = 1 }\n", "--json").out)
    assert "verdict" not in report or report["verdict"] is None, report


def test_accepted_and_refused_snippets_are_as_in_spin(ctx):
    """SPIN's acceptance is recorded beside each snippet; ours must equal it."""
    wrong = []
    for number, (text, accepted) in enumerate(SNIPPETS):
        result = check(ctx, text, "--quiet")
        if result.code not in (0, 1, 2, 3):
            wrong.append(f"{number}: exit {result.code} for: {text}")
        elif (result.code != 2) != accepted:
            wrong.append(f"{number}: {'refused' if accepted else 'accepted'}: {text}\n"
                         f"   {said(result)[:300]}")
        elif not accepted and not CODE.search(said(result)):
            wrong.append(f"{number}: no code for: {text}")
    assert not wrong, "\n".join(wrong)


def test_spin_itself_accepts_and_refuses_these_snippets(ctx):
    if not Oracle.available():
        ctx.skip("spin is not installed")
    oracle = Oracle(ctx.tmp)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = list(pool.map(lambda pair: oracle.accepts(pair[0]), SNIPPETS))
    wrong = [text for (text, accepted), answer in zip(SNIPPETS, answers) if answer != accepted]
    assert not wrong, "SPIN decides otherwise about:\n" + "\n".join(wrong)
