"""Embedded C: c_code, c_expr, c_decl, c_state and c_track, allowed with --allow-c.

The golden models tests/models/embedded_*.pml are confirmed by SPIN in test_examples.py; here are more
of them, each asked of SPIN and of every tier, and what SPIN has no answer to: refusals, crashes, what
C prints, traces.
"""

import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from lib.corpus import read_rows  # noqa: E402
from lib.differential import ask_spoor, compare  # noqa: E402
from lib.spin_oracle import Oracle  # noqa: E402

ALLOW = ("--allow-c",)

MODELS = {
    "functions see the state and call each other": """
        c_decl { int limit(void); }
        c_code { int next(int v) { return v + 1 > limit() ? 0 : v + 1; } int limit(void) { return now.top; } }
        byte top = 4, x;
        active [2] proctype p() { do :: c_code { now.x = next(now.x); } :: x == 3 -> top-- ; break od }""",
    "declarations are in scope of the state": """
        c_decl {
        \\#include <string.h>
          enum { N = 3 }; typedef struct { char text[N + 1]; } Word;
        }
        c_state "Word w" "Global"
        active [2] proctype p() { byte i; do :: i < 3 ->
          c_code { now.w.text[Pp->i] = 'a' + Pp->_pid; }; i++ :: i == 3 -> break od }
        """,
    "statements in atomic and d_step": """
        int a, b;
        active [2] proctype p() { byte k;
          do :: a < 6 -> atomic { c_code { now.a++; }; c_code { now.b += now.a; }; c_expr { now.b < 40 } -> k++ }
             :: d_step { c_expr { now.b > 2 } -> c_code { now.b -= 2; }; k = c_expr { now.b % 3 } }
             :: b > 10 -> break
          od }""",
    "an atomic sequence is interrupted by a c_expr": """
        byte x;
        active [2] proctype p() { atomic { x++; c_expr { now.x == 2 } -> x = x + 2 } }
        active proctype q() { x == 1 -> x = 2 }""",
    "variables of all processes are apart": """
        proctype p(byte me; int start) { int mine; c_code { Pp->mine = Pp->start + Pp->me; }
          do :: c_expr { Pp->mine > 0 } -> c_code { Pp->mine--; } :: else -> break od }
        init { int k; c_code { Pinit->k = 2; }; run p(1, k); run p(2, -k) }""",
    "values are truncated on the way back": """
        bit b; bool flag; byte y; short s; int i; unsigned u : 5; mtype = { m1, m2 }; mtype m; byte ys[3]; bit bs[3]; byte n;
        active proctype p() { do :: n < 100 -> n++; c_code { now.b++; now.y += 200; now.s += 30000; now.i += 2000000000; now.u += 7; now.m = 1 + now.m % 2;
          now.ys[1] -= 100; now.bs[2] += 64; now.flag = !now.flag; } od }""",
    "tracked memory is what it was": """
        c_decl { int cells[4]; int *cursor; char other; }
        c_track "cells" "sizeof(int) * 4"
        c_track "&other" "1" "Matched"
        c_code { static void bump(int i) { cells[i % 4] = (cells[i % 4] + 1) % 3; other = i; } }
        active [2] proctype p() { byte i; do :: i < 4 -> c_code { bump(Pp->i + Pp->_pid); }; i++ :: c_expr { cells[0] == 2 } -> break od }""",
    "what is not matched follows the path": """
        c_decl { int height; }
        c_track "&height" "sizeof(int)" "UnMatched"
        byte x;
        active [2] proctype p() { do :: x < 9 -> c_code { height++; now.x++; } :: x > 0 -> c_code { height--; now.x--; } od }""",
    "a handshake carries values of C": """
        chan c = [0] of { byte, int }; byte got; int sum;
        active proctype s() { byte i; do :: i < 4 -> c!i,c_expr { Ps->i * 100 - 50 }; i++ :: i == 4 -> break od }
        active proctype r() { int v; do :: c?got,v -> c_code { now.sum += Pr->v; } :: timeout -> break od; assert(c_expr { now.sum == 400 }) }""",
    "a buffered channel is matched by C": """
        chan c = [2] of { byte }; byte want = 1;
        active proctype s() { c!0; c!1; c!2 }
        active proctype r() { do :: c??eval(c_expr { now.want }) -> want++ :: c?_ :: c_expr { now.want == 2 } && nempty(c) -> break od }""",
    "a precondition of c_code": """
        byte x;
        active [2] proctype p() { do :: x < 4 -> c_code [now.x != 3] { now.x++; } :: x > 2 -> x = 0 od }""",
    "hidden data are not part of a state": """
        c_state "int base" "Hidden" "10"
        c_state "int total" "Global" "1"
        active [2] proctype p() { c_code { now.total += base; }; c_expr { now.total == 21 } -> skip }""",
    "values of every type are conditions": """
        c_decl { double half = 0.5; char *text = "x"; long long big = 1LL << 40; }
        bit b; unsigned u : 3; byte y;
        active proctype p() { byte k; do :: c_expr { now.b } -> k++; b = 0 :: c_expr { now.u } -> u-- :: c_expr { half } && y < 2 -> y++
          :: c_expr { text } && k < 2 -> b = 1; k++ :: c_expr { big } && u == 0 -> u = 5; break od }""",
    "names of C's library are the model's own": """
        c_decl { int optind = 41; int opterr; }
        c_track "&opterr" "sizeof(int)"
        byte x;
        active [2] proctype p() { c_code { now.x = optind; opterr = (opterr + 2) % 5; }; assert(x == 41) }""",
    "escapes by C": """
        byte x;
        active proctype p() { { do :: x < 5 -> x++ od } unless { c_expr { now.x == 3 } -> c_code { now.x = 7; } } }
        active proctype q() { c_expr { now.x > 1 } -> x = 0 }""",
}

CRASHES = {
    "bad address": "int *none = 0; *none = 1;",
    "bad arithmetic": "volatile int zero = 0; now.x = 100 / zero;",
    "abort": "abort();",
    "exit": "exit(0);",
    "stack": "endless(1);",
}


RANDOM_HEAD = """c_decl { int ext[2]; int loose; }
c_track "ext" "sizeof(ext)"
c_track "&loose" "sizeof(loose)" "UnMatched"
c_state "int gs" "Global" "2"
c_state "short ls" "Local p" "3"
c_state "char lc" "Local q"
byte a; short b; int c; bit d; unsigned e : 3; byte arr[3]; chan ch = [2] of { byte, int };
"""


class RandomModel:
    """Two processes of a few steps, most of them C that mixes all kinds of variables."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def place(self, name):
        own = [f"P{name}->k", f"P{name}->" + ("ls" if name == "p" else "lc")]
        return self.random.choice(["now.a", "now.b", "now.c", "now.d", "now.e", "now.arr[1]", "now.gs", "ext[0]",
                                   "ext[1]", "now.arr[(unsigned)now.a % 3]", *own])

    def value(self, name, depth=0):
        if depth == 2 or self.random.random() < 0.3:
            return self.random.choice([self.place(name), str(self.random.randrange(-300, 300)), f"P{name}->_pid"])
        operator = self.random.choice(["+", "-", "*", "^", "&", "<", "=="])
        return f"({self.value(name, depth + 1)} {operator} {self.value(name, depth + 1)})"

    def code(self, name):
        lines = [f"{self.place(name)} = {self.value(name)} % {self.random.choice([3, 7, 70000])};"
                 for _ in range(self.random.randrange(1, 4))]
        return "c_code { loose++; " + " ".join(lines) + " }"

    def step(self, name):
        code, value = self.code(name), self.value(name)
        return self.random.choice([
            code, f"atomic {{ {code}; {self.code(name)} }}", f"d_step {{ {code}; k = c_expr {{ {value} }} }}",
            f"if :: c_expr {{ {value} }} -> {code} :: else -> a++ fi", f"b = c_expr {{ {value} }} + k",
            f"if :: ch!c_expr {{ {value} }},k :: ch?_,k :: {code} fi"])

    def text(self):
        bodies = ""
        for name in "pq":
            options = " ".join(f":: n < 3 -> n++; {self.step(name)}" for _ in range(2))
            bodies += f"proctype {name}() {{ byte n; int k; do {options} :: n == 3 -> break od }}\n"
        return RANDOM_HEAD + bodies + "init { atomic { run p(); run q() } }\n"


def need_compiler(ctx):
    if not shutil.which("cc"):
        ctx.skip("there is no C compiler")


def write(ctx, text, name="model.pml"):
    path = ctx.tmp / name
    path.write_text(text)
    return path


def check(ctx, path, *options, **more):
    return ctx.run_spoor(["check", "--allow-c", "--reduce", "none", "--all-errors", *options, path], **more)


def agree_with_spin(ctx, models):
    """Asks SPIN and every tier about the models, a list of (name, text)."""
    need_compiler(ctx)
    if not Oracle.available():
        ctx.skip("spin is not installed")
    oracle = Oracle(ctx.tmp, compiler="gcc", timeout=120, memory_mb=1024)

    def one(item):
        number, (name, text) = item
        path = write(ctx, text, f"model{number}.pml")
        spin = oracle.ask(text)
        if not spin.complete:
            return f"{name}: SPIN says {spin.outcome}: {spin.text[:500]}"
        for search, tier in (("bfs", "interp"), ("bfs", "both"), ("dfs", "both"), ("dfs", "auto")):
            ours = ask_spoor(ctx.spoor, path, search=search, timeout=60, extra=(*ALLOW, "--exec", tier))
            if problem := compare(spin, ours):
                return f"{name}, {search}, {tier}: {problem.category}: {problem.text[:800]}\n{text}"
        return None

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [text for text in pool.map(one, enumerate(models)) if text]
    assert not wrong, "\n".join(wrong)


def test_every_construct_has_the_states_of_spin(ctx):
    agree_with_spin(ctx, list(MODELS.items()))


def test_random_models_have_the_states_of_spin(ctx):
    count = 200 if ctx.long else 4 if ctx.slow else 12
    agree_with_spin(ctx, [(f"seed {seed}", RandomModel(seed).text()) for seed in range(count)])


def test_corpus_models_have_the_states_of_spin(ctx):
    need_compiler(ctx)
    if ctx.shared is None:
        ctx.skip("there is no corpus beside the repository")
    rows = [row for row in read_rows(ctx.shared / "corpus") if "--allow-c" in row.options and row.complete]
    assert {"hw.ccode2", "hw.ctrack"} <= {row.id for row in rows}
    for row in rows:
        ours = ask_spoor(ctx.spoor, row.path, extra=row.options)
        assert (ours.states, ours.transitions) == (row.states, row.transitions), f"{row.id}: {ours.text}"


def test_reductions_do_not_change_the_verdict(ctx):
    need_compiler(ctx)
    for path in sorted((ctx.root / "tests" / "models").glob("embedded_*.pml")):
        plain = ask_spoor(ctx.spoor, path, extra=ALLOW)
        reduced = ask_spoor(ctx.spoor, path, extra=(*ALLOW, "--reduce", "default"))
        assert plain.kinds == reduced.kinds and plain.complete and reduced.complete, path.name


def test_without_leave_no_command_runs_the_c_of_a_model(ctx):
    witness = ctx.tmp / "witness"
    path = write(ctx, f"""c_code {{ __attribute__((constructor)) static void f(void) {{ fopen("{witness}", "w"); }} }}
active proctype p() {{ c_code {{ fopen("{witness}", "w"); }} }}""")
    for command in (["check"], ["check", "--exec", "interp"], ["simulate"], ["graph", "export"], ["emit"]):
        result = ctx.run_spoor([*command, path])
        assert result.code == 2, result.err
        assert "P430" in result.err and "--allow-c" in result.err, result.err
    assert not witness.exists(), "the C of the model ran"
    assert ctx.run_spoor(["graph", "control", path]).code == 0
    assert not witness.exists(), "the C of the model ran"


def test_a_machine_without_a_compiler_says_so(ctx):
    path = ctx.root / "tests" / "models" / "embedded_c_state.pml"
    result = check(ctx, path, env={"CC": "/nonexistent/cc"})
    assert result.code == 2, result.err
    assert "P431" in result.err and "no C compiler" in result.err, result.err


def test_errors_of_the_compiler_speak_of_the_line_of_the_model(ctx):
    need_compiler(ctx)
    path = write(ctx, "byte x;\nactive proctype p() {\n  c_code { now.x = unheard_of; }\n}\n")
    result = check(ctx, path)
    assert result.code == 2 and "P431" in result.err, result.err
    assert "model.pml:3:" in result.err and "unheard_of" in result.err, result.err


def test_c_includes_files_beside_the_model(ctx):
    need_compiler(ctx)
    path = write(ctx, 'c_decl {\n\\#include "limits_of_mine.h"\n}\nint x;\n'
                      "active proctype p() { c_code { now.x = MINE; }; assert(x == 3) }\n")
    header = ctx.tmp / "limits_of_mine.h"
    header.write_text("#define MINE 3\n")
    assert check(ctx, path, cwd="/").code == 0
    header.write_text("#define MINE 4\n")  # nothing is kept from the run before
    assert check(ctx, path, cwd="/").code == 1


def test_a_bad_scope_is_refused(ctx):
    path = write(ctx, 'c_state "int x" "Local nobody"\nactive proctype p() { skip }\n')
    result = check(ctx, path)
    assert result.code == 2 and "P432" in result.err, result.err


def test_a_precondition_that_fails_is_an_error_with_a_trace(ctx):
    need_compiler(ctx)
    path = write(ctx, "byte x;\nactive proctype p() { x = 2; c_code [now.x < 2] { now.x = 9; }; skip }\n"
                      "active proctype q() { do :: c_expr [now.x < 2] { now.x > 0 } && false -> skip :: x > 9 -> break od }\n")
    report = json.loads(check(ctx, path, "--json").out)
    errors = [v for v in report["violations"] if "precondition" in v["message"]]
    assert len(errors) == 2, report
    assert {e["kind"] for e in errors} == {"runtime-error"}, errors
    assert {e["location"]["line"] for e in errors} == {2, 3}, errors
    for error in errors:
        assert error["trace"]["steps"][0]["statement"] == "x = 2" and error["trace"]["length"] == 2, error


def test_a_crash_is_an_error_of_the_model_with_a_trace(ctx):
    need_compiler(ctx)
    if ctx.preset == "tsan":
        ctx.skip("the thread sanitizer keeps signals to itself")
    for name, code in CRASHES.items():
        path = write(ctx, "c_code { static int endless(int n) { volatile char much[4096]; much[n % 9] = 1; "
                          "return n + endless(n + 1) + much[n % 7]; } }\n"
                          f"byte x;\nactive proctype p() {{ x = 1; c_code {{ {code} }}; x = 2 }}\n"
                          "active proctype q() { skip }\n")
        for tier in ("interp", "native"):
            result = check(ctx, path, "--json", "--exec", tier)
            assert result.code == 1, f"{name}, {tier}: exit {result.code} {result.err}"
            report = json.loads(result.out)
            [violation] = report["violations"]
            assert violation["kind"] == "runtime-error" and "embedded C" in violation["message"], violation
            assert violation["location"]["line"] == 3 and report["states"] == 6, report


def test_code_that_depends_on_data_outside_the_state_gets_no_verdict(ctx):
    need_compiler(ctx)
    path = write(ctx, "c_decl { int n; }\nbyte x, y;\nactive [2] proctype p() { do :: x < 6 -> c_code { n++; now.x = n % 7; }\n"
                      ":: y < 2 -> y++ ; assert(x != 5) :: y == 2 -> y = 0 od }\n")
    for options in (("--search", "bfs"), ("--search", "dfs"), ("--exec", "both")):
        result = check(ctx, path, "--json", *options)
        assert result.code == 2 and "c_track" in result.err, f"{options}: exit {result.code} {result.err}"
        assert "c_track" in json.loads(result.out)["error"]
    for seed in range(1, 9):
        result = ctx.run_spoor(["simulate", "--allow-c", "-v", "--seed", str(seed), "--steps", "40", path])
        assert result.code in (0, 1, 2), f"exit {result.code} {result.err}"


def test_what_c_prints_is_shown_in_traces_and_not_in_a_search(ctx):
    need_compiler(ctx)
    path = write(ctx, 'byte x;\nactive proctype p() { c_code { printf("x is %d\\n", now.x); puts("so"); }; assert(x == 1) }\n')
    result = check(ctx, path, "--quiet")
    assert result.code == 1 and "x is 0" not in result.out, result.out
    json.loads(check(ctx, path, "--json").out)
    result = ctx.run_spoor(["simulate", "--allow-c", path])
    assert "x is 0\nso\n" in result.out, result.out


def test_traces_are_written_and_replayed(ctx):
    need_compiler(ctx)
    text = """c_decl { int hits; } c_track "&hits" "sizeof(hits)" "UnMatched"
c_state "int gone" "Local p" "4"
byte x;
active [2] proctype p() { do :: c_expr { Pp->gone > 0 } -> c_code { Pp->gone--; hits++; now.x = hits; } :: else -> break od; assert(x != 8) }
"""
    path = write(ctx, text)
    trace = ctx.tmp / "t.json"
    for search in ("bfs", "dfs"):
        assert check(ctx, path, "--trace", trace, "--search", search).code == 1
        shown = ctx.run_spoor(["trace", "--allow-c", path, trace])
        assert shown.code == 0 and "assertion violated" in shown.out, shown.out + shown.err
        assert "p[1]:int gone = 3" in shown.out and "&hits = 8" in shown.out, shown.out
        refused = ctx.run_spoor(["trace", path, trace])
        assert refused.code == 2 and "P430" in refused.err, "a trace file must not allow C"


def test_a_graph_has_the_states_of_the_search(ctx):
    need_compiler(ctx)
    path = ctx.root / "tests" / "models" / "embedded_c_track_unmatched.pml"
    result = ctx.run_spoor(["graph", "export", "--allow-c", path])
    assert result.code == 0 and result.out.replace(" ", "").startswith("des(0,36,12)"), result.out[:200]


def test_emit_shows_the_library_and_the_model(ctx):
    need_compiler(ctx)
    path = ctx.root / "tests" / "models" / "embedded_c_state.pml"
    result = ctx.run_spoor(["emit", "--allow-c", path])
    library, model = result.out.split("\f")
    for name, text in (("library", library), ("model", model)):
        (ctx.tmp / f"{name}.c").write_text(text)
        compiled = ctx.run(["cc", "-w", "-fsyntax-only", ctx.tmp / f"{name}.c"])
        assert compiled.code == 0, compiled.err
