"""Native code: what the emitted C does is what the interpreter does, state by state.

`spoor check --exec both` expands every state by both tiers and fails (exit 70) where successors,
their order, their bytes or their numbers differ. A model that native code does not take on is
refused there with the reason; the reasons are few and known. (So is one with an error in it, which
random models may have.)
"""

import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from generator import generate  # noqa: E402
from lib.corpus import read_rows  # noqa: E402

NOT_NATIVE = re.compile(r"native code is not possible for this model: it (uses priorities|uses enabled\(\)|uses np_|"
                        r"uses _p, _pid or _priority of another process|"
                        r"has a trace assertion|has a run inside an expression)|"
                        r"\S+ had not finished after \d+ minutes|"
                        r"something is wrong with its initial values|error\[P")
LARGEST = 10_000        # states of a corpus model in the normal run
COUNTER = ("byte x, y, z;\nactive proctype A() { do :: x++ od }\nactive proctype B() { do :: y++ od }\n"
           "active proctype C() { do :: z < 4 -> z++ :: z == 4 -> z = 0 od }\n")


def need_compiler(ctx):
    if not shutil.which("cc"):
        ctx.skip("there is no C compiler")


def both(ctx, path, *options, compiler="cc", timeout=60):
    return ctx.run_spoor(["check", "--exec", "both", "--reduce", "none", "--all-errors", "--quiet", "--allow-c",
                          "--memory", "1G", *options, path], timeout=timeout, env={"CC": compiler})


def agree_on(ctx, jobs, least):
    """Runs all (name, path, options); at least the share `least` must be taken on by native code.

    cc takes twenty times as long as tcc for a model: it compiles one in four, and all with --long.
    """
    native, refused, wrong = 0, [], []
    fast = "cc" if ctx.long or shutil.which("tcc") is None else "tcc"

    def one(number, job):
        name, path, options = job
        compiler = fast if number % 4 else "cc"
        return name, both(ctx, path, *options, compiler=compiler, timeout=600 if ctx.long else 120)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, result in pool.map(one, range(len(jobs)), jobs):
            if result.code in (0, 1, 3):
                native += 1
            elif result.code == 2 and NOT_NATIVE.search(result.err):
                refused.append(name)
            else:
                wrong.append(name)
                print(f"{name}: exit {result.code}\n{result.err[:2000]}")
    print(f"{native} native, {len(refused)} left to the interpreter: {refused}")
    assert not wrong, f"native code and interpreter disagree: {wrong}"
    assert native >= least * len(jobs), f"only {native} of {len(jobs)} are native"


def test_both_tiers_agree_on_our_models(ctx):
    need_compiler(ctx)
    models = sorted((ctx.root / "tests" / "models").glob("*.pml"))
    models = [m for m in models if "_rejected" not in m.name]
    agree_on(ctx, [(m.name, m, ()) for m in (models[::4] if ctx.slow else models)], least=0.8)


def test_both_tiers_agree_on_random_models(ctx):
    need_compiler(ctx)
    count = 2000 if ctx.long else 30 if ctx.slow else 120
    jobs = []
    for seed in range(count):
        path = ctx.tmp / f"random{seed}.pml"
        path.write_text(generate(7_000_000 + seed, errors=seed % 4 == 3).text)
        jobs.append((path.name, path, ("--time", "5", *(["--strict"] if seed % 10 == 0 else []),
                                       *(["--lose-messages"] if seed % 10 == 5 else []))))
    agree_on(ctx, jobs, least=0.5)


def test_both_tiers_agree_on_the_corpus(ctx):
    need_compiler(ctx)
    if ctx.shared is None or not (ctx.shared / "corpus" / "oracle.tsv").exists():
        ctx.skip("there is no shared/corpus beside the repository")
    most = 3_000_000 if ctx.long else 1_000 if ctx.slow else LARGEST
    rows = [row for row in read_rows(ctx.shared / "corpus")
            if row.verdict not in ("syntax-error", "compile-error") and (row.states < most or not row.complete)]
    if ctx.slow:  # the C compiler has had the others in the release build
        rows = rows[::3]
    agree_on(ctx, [(row.id, row.path,
                    ("--time", "20" if row.complete else "1", *("-D" + d.removeprefix("-D") for d in row.defines),
                     *row.options)) for row in rows], least=0.85)


@pytest.mark.threads
def test_the_change_over_leaves_the_figures_alone(ctx):
    need_compiler(ctx)
    path = ctx.tmp / "counter.pml"
    path.write_text(COUNTER)
    figures = {}
    for tier in ("interp", "native", "auto"):
        report = json.loads(ctx.run_spoor(["check", "--json", "--exec", tier, path], timeout=120,
                                          env={"XDG_CACHE_HOME": str(ctx.tmp / "cache" / tier)}).out)
        figures[tier] = {key: report[key] for key in
                         ("verdict", "states", "transitions", "depth", "inner_steps", "unreached")}
    assert figures["interp"]["states"] == 256 * 256 * 10, figures
    assert figures["interp"] == figures["native"] == figures["auto"], figures


def test_code_is_compiled_once_and_kept(ctx):
    need_compiler(ctx)
    path = ctx.tmp / "counter.pml"
    path.write_text("active proctype A() { skip }\n")
    folder = ctx.tmp / "cache" / "spoor" / "native"

    def check(expected=0, cc="cc"):
        result = ctx.run_spoor(["check", "--exec", "native", "--quiet", path],
                               env={"XDG_CACHE_HOME": str(ctx.tmp / "cache"), "CC": cc})
        assert result.code == expected, result.out + result.err

    check()
    kept = list(folder.iterdir())
    assert len(kept) == 1 and kept[0].suffix == ".so", kept
    assert folder.stat().st_mode & 0o777 == 0o700
    first = kept[0].stat().st_ino
    check()
    assert kept[0].stat().st_ino == first, "compiled again"
    kept[0].write_bytes(b"no object")  # damaged: made again
    check()
    assert kept[0].stat().st_size > 1000
    for planted in (folder, folder.parent):  # any user could have put code there: not used
        planted.chmod(0o777)
        kept[0].write_bytes(b"no object")
        check()
        assert kept[0].read_bytes() == b"no object"
        planted.chmod(0o700)
    check()
    kept[0].chmod(0o666)  # any user could have written to it: made again
    check()
    assert kept[0].stat().st_mode & 0o777 == 0o600


def test_damaged_code_is_not_used(ctx):
    need_compiler(ctx)
    folder = ctx.tmp / "cache" / "spoor" / "native"

    def check(name, text):
        (ctx.tmp / name).write_text(text)
        result = ctx.run_spoor(["check", "--exec", "native", "--json", ctx.tmp / name],
                               env={"XDG_CACHE_HOME": str(ctx.tmp / "cache")})
        assert result.code == 0, (name, result.code, result.err)
        return json.loads(result.out)["states"]

    texts = {f"m{last}.pml": f"byte x;\nactive proctype A() {{ do :: x < {last} -> x++ :: else -> break od }}\n" for last in (5, 9)}
    states, files = {}, {}
    for name, text in texts.items():
        states[name] = check(name, text)
        [files[name]] = set(folder.iterdir()) - set(files.values())
    assert states["m5.pml"] != states["m9.pml"], states
    [name, other] = texts
    good = files[name].read_bytes()
    random_ = random.Random(1)
    damages = [good[:random_.randrange(len(good))] for _ in range(500 if ctx.long else 12)]
    for _ in range(500 if ctx.long else 12):
        flipped = bytearray(good)
        flipped[random_.randrange(len(good))] ^= 1 << random_.randrange(8)
        damages.append(bytes(flipped))
    damages += [b"", good + b"x", files[other].read_bytes()]  # the last: the whole code of another model
    for damage in damages:
        files[name].write_bytes(damage)
        assert check(name, texts[name]) == states[name]
        assert files[name].read_bytes() != damage, "left as it was"
    files[name].unlink()
    files[name].symlink_to(files[other])
    assert check(name, texts[name]) == states[name]
    assert not files[name].is_symlink() and check(other, texts[other]) == states[other]


def test_a_crash_in_compiled_code_names_its_file(ctx):
    need_compiler(ctx)
    version = re.search(r"kNativeVersion = (\d+);", (ctx.root / "src" / "exec" / "native_code.h").read_text())[1]
    (ctx.tmp / "crash.c").write_text(
        f"const unsigned spoor_native_version = {version}, spoor_work_bytes = 1 << 16;\n"
        "int spoor_expand(void) { *(volatile int *)8 = 1; return 0; }\n")
    compiler = ctx.tmp / "cc"
    compiler.write_text("#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && out=$2; shift; done\n"
                        f"exec cc -shared -fPIC -o \"$out\" '{ctx.tmp / 'crash.c'}'\n")
    compiler.chmod(0o755)
    path = ctx.tmp / "m.pml"
    path.write_text("active proctype A() { skip }\n")
    folder = ctx.tmp / "cache" / "spoor" / "native"
    for _ in range(2):
        result = ctx.run_spoor(["check", "--exec", "native", path],
                               env={"XDG_CACHE_HOME": str(ctx.tmp / "cache"), "CC": str(compiler)})
        assert result.code not in (0, 1, 2, 3) or ctx.preset == "asan-ubsan", result.code
        assert not result.out, result.out
        named = re.search(r"^spoor: the compiled code of the model has crashed: (\S+\.so) ", result.err, re.M)
        assert named and named[1].startswith(str(folder)), result.err
        assert list(folder.iterdir()) == [], "the next run would use it"
    assert ctx.run_spoor(["check", "--exec", "interp", path]).code == 0


def test_without_a_compiler_the_interpreter_carries_on(ctx):
    path = ctx.tmp / "m.pml"
    path.write_text("byte x;\nactive proctype A() { do :: x++ od }\n")
    env = {"CC": "/nonexistent/cc", "XDG_CACHE_HOME": str(ctx.tmp / "cache")}
    assert ctx.run_spoor(["check", "--quiet", path], env=env).code == 0
    result = ctx.run_spoor(["check", "--exec", "native", "--quiet", path], env=env)
    assert result.code == 2 and "no C compiler" in result.err, result.err


@pytest.mark.other_program
def test_emitted_code_is_clean_c(ctx):
    need_compiler(ctx)
    for model in sorted((ctx.root / "examples").glob("*.pml")):
        result = ctx.run_spoor(["emit", model, "-o", ctx.tmp / "m.c"])
        if result.code == 2 and "there is no C code for it" in result.err:
            continue
        assert result.code == 0, result.err
        compiled = ctx.run(["cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-c", "-o",
                            ctx.tmp / "m.o", ctx.tmp / "m.c"])
        assert compiled.code == 0, f"{model}:\n{compiled.err[:3000]}"


@pytest.mark.threads
def test_a_finished_search_does_not_wait_for_the_compiler(ctx):
    path = ctx.tmp / "m.pml"
    path.write_text("active proctype A() { skip }\n")
    slow = ctx.tmp / "slow-cc"
    slow.write_text("#!/bin/sh\nsleep 30\n")
    slow.chmod(0o755)
    result = ctx.run_spoor(["check", "--quiet", path],
                           env={"CC": str(slow), "XDG_CACHE_HOME": str(ctx.tmp / "cache")})
    assert result.code == 0 and result.seconds < 20, result.seconds  # however busy the machine is


@pytest.mark.threads
def test_the_report_says_who_executed_the_model(ctx):
    need_compiler(ctx)
    path = ctx.tmp / "m.pml"
    path.write_text("byte x;\nactive proctype A() { do :: x++ od }\n")
    special = ctx.tmp / "special.pml"
    special.write_text("byte x;\nactive proctype A() priority 2 { x++ }\n")
    graph = ctx.tmp / "g.aut"
    graph.write_text('des (0, 1, 2)\n(0, "a", 1)\n')

    def execution(model, *options, **env):
        env["XDG_CACHE_HOME"] = str(ctx.tmp / "cache")
        return json.loads(ctx.run_spoor(["check", "--json", *options, model], env=env).out)["execution"]

    assert execution(path, "--exec", "native") == {"tier": "native", "reason": None}
    assert execution(path, "--exec", "both") == {"tier": "both", "reason": None}
    assert execution(path, "--exec", "interp") == {
        "tier": "interpreter", "reason": "it was asked for (--exec interp)"}
    assert execution(special) == {"tier": "interpreter", "reason": "it uses priorities"}
    assert execution(graph) == {"tier": "none", "reason": None}
    path.write_text(COUNTER)
    alone = execution(path, CC="/nonexistent/cc")
    assert alone["tier"] == "interpreter" and "no C compiler" in alone["reason"], alone
    text = ctx.run_spoor(["check", special]).out
    assert "interpreted, without native code: it uses priorities" in text, text
    assert "interpreted" not in ctx.run_spoor(["check", "--exec", "interp", special]).out


def test_what_a_killed_compilation_left_is_removed_by_the_next(ctx):
    need_compiler(ctx)
    path = ctx.tmp / "m.pml"
    path.write_text("byte x;\nactive proctype A() { do :: x++ od }\n")
    place = ctx.tmp / "place"
    place.mkdir()
    slow = ctx.tmp / "slow-cc"
    started = ctx.tmp / "started"
    slow.write_text(f"#!/bin/sh\n: > '{started}'\nexec sleep 60\n")
    slow.chmod(0o755)
    env = {"TMPDIR": str(place), "XDG_CACHE_HOME": str(ctx.tmp / "cache")}
    killed = subprocess.Popen([str(ctx.spoor), "check", "--exec", "native", str(path)],
                              env={**os.environ, **env, "CC": str(slow)})
    deadline = time.monotonic() + 30
    while not started.exists() and time.monotonic() < deadline:  # nothing is written from then on
        time.sleep(0.05)
    [left] = place.iterdir()
    old = time.time() - 3600

    def check():
        result = ctx.run_spoor(["check", "--exec", "native", "--quiet", path], env=env)
        assert result.code == 0, result.err
        shutil.rmtree(ctx.tmp / "cache", ignore_errors=True)  # or nothing is compiled the next time

    os.utime(left, (old, old))
    check()
    assert left.exists(), "removed while its owner lives"
    killed.kill()
    killed.wait()
    check()
    assert not left.exists(), "left behind"
    left.mkdir()
    check()
    assert left.exists(), "it may have been made just now"
    other = place / "spoor-work-of-somebody"
    other.mkdir()
    os.utime(other, (old, old))
    check()
    assert other.exists(), "not one of ours"
