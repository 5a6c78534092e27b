"""Limits are kept where a single state is the trouble: an atomic sequence with very many paths."""

import shutil

# 2^40 paths through one sequence: too many to complete.
MANY_PATHS = ("byte n; bit b[40];\nactive proctype A() { atomic {\n"
              "  do :: n < 40 -> if :: b[n] = 0 :: b[n] = 1 fi; n++ :: else -> break od } }\n")
# One path of many large states.
LONG_PATH = ("int a[50000]; int n;\nactive proctype A() { atomic { do :: n < 20000 -> a[n] = n; n++ "
             ":: else -> break od } }\n")

# Ninety ways on from a large state, each of them through large states.
WIDE = ("byte a[1000000]; byte i, r;\nactive proctype A() { do :: r < 2 -> "
        "atomic { select(i : 1..90); a[i + 100 * r] = 1; i = 0; r++ } :: else -> break od }\n")


def check(ctx, text, *options, timeout=30):
    path = ctx.tmp / "m.pml"
    path.write_text(text)
    return ctx.run_spoor(["check", "--quiet", *options, path], timeout=timeout)


def test_time_within_one_expansion(ctx):
    for tier in ("interp", "auto"):
        result = check(ctx, MANY_PATHS, "--time", "1", "--exec", tier)
        assert result.code == 3 and "time limit" in result.out, result.out + result.err
        assert result.seconds < 20, result.seconds  # all paths would take years


def test_memory_within_one_expansion(ctx):
    result = check(ctx, LONG_PATH, "--memory", "100M")
    assert result.code == 3 and "memory limit" in result.out, result.out + result.err
    assert ctx.slow or result.peak_mb < 160, result.peak_mb


def test_memory_within_one_native_expansion(ctx):
    if not shutil.which("cc"):
        ctx.skip("there is no C compiler")
    result = check(ctx, WIDE, "--memory", "200M", "--exec", "native", "--threads", "1")
    assert result.code == 3 and "memory limit" in result.out, result.out + result.err
    assert ctx.slow or result.peak_mb < 350, result.peak_mb  # 680 if the limit is not polled
