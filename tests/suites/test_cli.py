"""The command line: what users type, what they read, and which exit code they get."""

import json
import os
import pathlib
import re
import signal
import subprocess
import time

import pytest

HOLDS = "byte x;\nactive proctype A() { x = 1; assert(x == 1) }\n"
FAILS = """byte x;
chan q = [1] of { byte };
active proctype A() { q!7; x = 1 }
active proctype B() {
  byte y;
  q?y;
  assert(y == 8)
}
"""
STUCK = "chan q = [0] of { byte };\nactive proctype A() { q!1 }\n"
# 2^24 states: more than any test here waits for.
LARGE = """byte a, b, c;
active proctype A() { do :: a++ od }
active proctype B() { do :: b++ od }
active proctype C() { do :: c++ od }
"""
GRAPH = 'des (0, 3, 3)\n(0, "a", 1)\n(1, "b", 0)\n(1, "c", 2)\n'


def write(ctx, text, name="m.pml"):
    path = ctx.tmp / name
    path.write_text(text)
    return path.name


def spoor(ctx, *args, **options):
    return ctx.run_spoor(args, cwd=ctx.tmp, **options)


def assert_usage_error(result, *words):
    assert result.code == 2, (result.code, result.out, result.err)
    assert result.err.startswith("spoor: "), result.err
    for word in words:
        assert word in result.err, f"{word!r} is not in: {result.err}"


def test_version_and_help(ctx):
    version = spoor(ctx, "--version")
    assert version.code == 0 and re.fullmatch(r"spoor \d+\.\d+\.\d+\n", version.out), version.out
    for args in (["--help"], ["help"], ["-h"]):
        result = spoor(ctx, *args)
        assert result.code == 0 and "commands:" in result.out and not result.err
    for command in ("check", "simulate", "trace", "explain"):
        for args in ([command, "--help"], ["help", command]):
            result = spoor(ctx, *args)
            assert result.code == 0 and f"Usage: spoor {command}" in result.out, result.out
    for command in ("export", "random", "control"):
        result = spoor(ctx, "graph", command, "--help")
        assert result.code == 0 and f"Usage: spoor graph {command}" in result.out, result.out


def every_command(ctx):
    """All commands, read from the help: [["check"], ..., ["graph", "export"], ...]."""
    def listed(*args):
        return re.findall(r"^  (\w+) ", spoor(ctx, *args).out, re.M)
    commands = [[name] for name in listed("help") if name not in ("graph", "help")]
    commands += [["graph", name] for name in listed("graph", "--help")]
    assert ["check"] in commands and ["graph", "control"] in commands, commands
    return commands


def test_the_manual_names_every_option_and_no_other(ctx):
    manual = (ctx.root / "docs" / "cli.md").read_text()
    known = set()
    for command in every_command(ctx):
        assert f"    spoor {' '.join(command)} " in manual, f"no line for {command} in docs/cli.md"
        known |= set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", "".join(
            line[:28] for line in spoor(ctx, *command, "--help").out.splitlines(True)
            if line.startswith("  -"))))
    assert len(known) > 20, known
    missing = {option for option in known if not re.search(rf"`{option}\b", manual)}
    assert not missing, f"not in docs/cli.md: {missing}"
    named = set(re.findall(r"`(--[a-z][a-z-]*)", manual))
    assert not named - known - {"--version"}, f"only in docs/cli.md: {named - known}"


def test_the_manual_and_the_schema_have_every_store_and_every_search(ctx):
    text = spoor(ctx, "check", "--help").out
    manual = (ctx.root / "docs" / "cli.md").read_text()
    report = json.loads((ctx.root / "docs" / "check.schema.json").read_text())["definitions"]
    for option in ("search", "store", "policy"):
        values = re.search(rf"^  --{option} (\S+)$|^  --{option} (\S+) ", text, re.M)
        values = (values[1] or values[2]).split("|")
        shown = "\\|".join(values)
        assert f"| `--{option}` `{shown}` |" in manual, f"docs/cli.md does not have --{option} {shown}"
        if option == "policy":
            assert report["report"]["properties"]["cache"]["properties"]["policy"]["enum"] == values, values
            continue
        known = report["options"]["properties"][option]["enum"]
        assert known == (values + [None] if option == "search" else values), values  # a hunt has no order
        if option == "store":
            used = [value for value in values if value != "auto"]
            assert report["report"]["properties"]["store"]["enum"] == used, used


def test_exit_codes_tell_the_verdict(ctx):
    assert spoor(ctx, "check", write(ctx, HOLDS)).code == 0
    assert spoor(ctx, "check", write(ctx, FAILS)).code == 1
    assert spoor(ctx, "check", write(ctx, STUCK)).code == 1
    assert spoor(ctx, "check", write(ctx, STUCK), "--no-end-states").code == 0
    assert spoor(ctx, "check", write(ctx, "proctype {")).code == 2
    assert spoor(ctx, "check", write(ctx, LARGE), "--depth", "3").code == 3


def test_the_report_opens_with_the_verdict_and_its_place(ctx):
    result = spoor(ctx, "check", write(ctx, FAILS))
    first = result.out.splitlines()[0]
    assert re.fullmatch(r"violated: assertion violated: .* at m\.pml:7", first), first
    assert re.search(r"\d+ states, \d+ transitions, depth \d+; .* s, .* MiB", result.out)
    assert "q = [7]" in result.out and "m.pml:3" in result.out
    assert spoor(ctx, "check", write(ctx, HOLDS)).out.startswith("holds: no error; ")


def test_quiet_prints_the_verdict_only(ctx):
    result = spoor(ctx, "check", "-q", write(ctx, FAILS))
    assert result.out.count("\n") == 1 and not result.err, (result.out, result.err)


def test_unreached_statements_are_listed_by_line(ctx):
    name = write(ctx, "byte x;\nactive proctype A() {\n  if\n  :: x == 0 -> skip\n"
                      "  :: x == 1 ->\n     x = 9\n  fi\n}\n")
    assert re.search(r"m\.pml:6 +x = 9", spoor(ctx, "check", name).out)
    assert "never reached" not in spoor(ctx, "check", name, "--no-unreached").out
    failing = write(ctx, "byte x;\nactive proctype A() { assert(x == 1);\n x = 3 }\n", "f.pml")
    assert "never reached" not in spoor(ctx, "check", failing).out
    assert "f.pml:3" in spoor(ctx, "check", failing, "--unreached").out


def test_long_traces_are_cut_in_the_middle_unless_wanted_whole(ctx):
    name = write(ctx, "byte x;\nactive proctype A() { do :: x < 60 -> x++ :: x == 60 -> break od;"
                      " assert(false) }\n")
    short = spoor(ctx, "check", name).out
    assert re.search(r"\(\d+ more\)", short) and short.count("\n") < 45, short
    whole = spoor(ctx, "check", name, "--full-trace").out
    assert " more)" not in whole and whole.count("x = (x+1)") == 60


def test_all_errors_lists_each_defect_once(ctx):
    name = write(ctx, "byte x;\nactive [2] proctype A() {\n  x++;\n  assert(x == 7);\n  assert(x == 8)\n}\n")
    result = spoor(ctx, "check", "--all-errors", name)
    assert result.code == 1 and "(and 1 more)" in result.out.splitlines()[0]
    assert result.out.count("\n1. assertion") == 1 and result.out.count("\n2. assertion") == 1


def test_breadth_first_finds_a_trace_that_is_no_longer(ctx):
    name = write(ctx, "byte x;\nactive proctype A() { do :: x++; assert(x != 200) :: x = 199 od }\n")
    length = {}
    for search in ("bfs", "dfs"):
        result = spoor(ctx, "check", "--full-trace", "--search", search, name)
        assert result.code == 1, result.out
        length[search] = len(re.findall(r"^ *\d+  A\[0\]", result.out, re.MULTILINE))
    assert length["bfs"] == 3 and length["dfs"] >= 3, length


def test_every_store_gives_the_same_answer(ctx):
    def traced(violation):
        # Stores that forget look for bad cycles in another way, and may find another one first.
        is_cycle = violation["kind"] in ("acceptance-cycle", "non-progress")
        return violation["kind"], None if is_cycle else violation["trace"]["attempts"]

    names = sorted((ctx.root / "tests" / "models").glob("*.pml"))[::12]
    assert len(names) > 5
    verdicts = set()
    for name in names:
        for search in ("bfs", "dfs"):
            seen = []
            for store in ("exact", "tree", "compact", "bitstate"):
                result = spoor(ctx, "check", name, "--json", "--quiet", "--all-errors",
                               "--search", search, "--store", store, "--reduce", "none")
                report = json.loads(result.out)
                if result.code == 2:
                    break  # wrong input on purpose
                verdict = report["verdict"]
                verdicts.add((store, verdict))
                seen.append((verdict.replace("probably-", ""), report["states"],
                             report["transitions"], report["depth"],
                             [traced(v) for v in report["violations"]]))
            assert all(one == seen[0] for one in seen), (name, search, seen)
    assert ("exact", "holds") in verdicts and ("tree", "holds") in verdicts
    assert ("compact", "probably-holds") in verdicts and ("compact", "holds") not in verdicts
    assert ("compact", "violated") in verdicts
    assert ("bitstate", "probably-holds") in verdicts and ("bitstate", "holds") not in verdicts
    assert ("bitstate", "violated") in verdicts


def test_a_filter_says_how_far_to_trust_it(ctx):
    name = write(ctx, LARGE.replace("byte a, b, c", "byte a, b").replace(
        "active proctype C() { do :: c++ od }\n", ""))  # 65536 states
    bitstate = ("check", name, "--store", "bitstate", "--reduce", "none")
    result = spoor(ctx, *bitstate, "--bits", "2^26")
    assert result.code == 0, result.err
    assert re.match(r"probably holds: no error in 65,536 states; the chance that a state was missed is at "
                    r"most 0\.\d+\n", result.out), result.out
    assert "filter: classic, 2^26 bits (8.0 MiB), 3 hash functions, seed 1; 0.0029" in result.out, result.out
    assert "hash factor 1024" in result.out, result.out
    assert re.search(r"^new states expected before the next is missed: [3-4]\.\d+e\+07$", result.out, re.M)
    assert re.search(r"^coverage, estimated: 0\.999\d+ \(Stern\), [01]\.\d+ \(Dillinger\)$", result.out, re.M)

    full = spoor(ctx, *bitstate, "--bits", "64K", "--hashes", "1", "--seed", "7", "--accept-coverage", "0")
    assert full.code == 0 and "the filter is too full to bound the chance that a state was missed" in full.out, full.out
    assert "2^16 bits (8.0 KiB), 1 hash function, seed 7;" in full.out, full.out
    blocked = spoor(ctx, *bitstate, "--bits", "65536", "--filter", "blocked")
    assert blocked.code == 3 and "filter: blocked, 2^16 bits" in blocked.out, blocked.out
    assert "coverage: no estimate" in blocked.out and "Stern" not in blocked.out, blocked.out
    early = spoor(ctx, *bitstate, "--bits", "2^20", "--depth", "9")
    assert early.code == 3 and "coverage, estimated: no estimate (Stern), no estimate" in early.out, early.out
    for text in (result.out, full.out, blocked.out, early.out):
        assert "nan" not in text and "inf" not in text, text


def test_all_that_can_be_reached_means_that(ctx):
    """With reductions a number of states is enough, and not all that there are; the estimate says which it speaks of."""
    name = write(ctx, LARGE.replace("byte a, b, c", "byte a, b").replace("active proctype C() { do :: c++ od }\n", ""))
    whole = spoor(ctx, "check", name, "--reduce", "none", "-q").out
    assert whole == "holds: no error in 65,536 states, all that can be reached\n", whole
    assert re.match(r"holds: no error; [\d,]+ states were enough, with reductions\n", spoor(ctx, "check", name, "-q").out)
    for options, scope in (((), "reduced"), (("--reduce", "none"), "all"), (("--depth", "3"), "part"), (("--store", "compact"), "part")):
        report = json.loads(spoor(ctx, "check", name, "--json", *options).out)
        assert report["scope"] == report["properties"][0]["scope"] == scope, (options, report["scope"])
    assert ", all that can be reached with --reduce merge,dead;" in spoor(ctx, "estimate", name).out
    assert ", all that can be reached;" in spoor(ctx, "estimate", name, "--reduce", "none").out
    assert json.loads(spoor(ctx, "estimate", name, "--json").out)["reduce"] == "merge,dead"


def test_a_filter_is_chosen_with_care(ctx):
    name = write(ctx, HOLDS)
    bitstate = ("check", name, "--store", "bitstate")
    for bits in ("0", "1000", "2^5", "2^41", "2^", "2^x", "2^64", "3G", "1GB", "-1024", "", "1.5M", "2^30 "):
        assert_usage_error(spoor(ctx, *bitstate, "--bits", bits), "--bits: expected a power of two", "2^30")
    for bits, shown in (("2^10", "2^10"), ("1024", "2^10"), ("1K", "2^10"), ("2M", "2^21"), ("0.5M", "2^19")):
        result = spoor(ctx, *bitstate, "--bits", bits)
        assert result.code == 0 and f" {shown} bits" in result.out, result.out + result.err
    assert_usage_error(spoor(ctx, *bitstate, "--filter", "blocked", "--bits", "2^8"), "a blocked filter has at least 2^9 bits")
    for hashes in ("0", "9", "-1", "x", "300"):
        assert_usage_error(spoor(ctx, *bitstate, "--hashes", hashes), "--hashes: expected", "from 1 to 8")
    assert_usage_error(spoor(ctx, *bitstate, "--filter", "bloom"), "--filter: expected one of classic, blocked")
    assert_usage_error(spoor(ctx, *bitstate, "--seed", "x"), "--seed: expected a whole number")
    for option, value in (("--bits", "2^20"), ("--hashes", "3"), ("--filter", "classic"), ("--seed", "1")):
        assert_usage_error(spoor(ctx, "check", name, option, value), f"{option} needs --store bitstate")
    assert_usage_error(spoor(ctx, *bitstate, "--bits", "2^30", "--memory", "100M"),
                       "--bits 2^30 needs 128.0 MiB", "only 100.0 MiB (--memory)", "2^28 fits")
    result = spoor(ctx, *bitstate, "--memory", "100M")
    assert result.code == 0 and " 2^28 bits" in result.out, result.out
    assert " 2^30 bits" in spoor(ctx, *bitstate).out
    for option in ("--checkpoint", "--resume"):
        assert_usage_error(spoor(ctx, *bitstate, option, "kept"), "a checkpoint needs")
    assert_usage_error(spoor(ctx, "check", name, "--checkpoint-every", "9s"), "--checkpoint-every needs --checkpoint")
    help_text = spoor(ctx, "check", "--help").out
    for option in ("--bits M", "--hashes K", "--filter classic|blocked", "--seed N"):
        assert option in help_text, help_text


def test_a_filter_that_the_system_does_not_give_is_a_limit(ctx):
    if ctx.slow:
        ctx.skip("sanitizers reserve more address space than this")
    name = write(ctx, HOLDS)
    command = f"ulimit -v 1000000; {ctx.spoor} check {name} --store bitstate --bits 2^34 --memory 8G --json"
    result = ctx.run(["sh", "-c", command], cwd=ctx.tmp)
    report = json.loads(result.out)
    assert result.code == 3 and report["limit"] == "out-of-memory", (result.code, report)
    assert report["filter"]["hash_factor"] is None and report["filter"]["uninterrupted"] is None


def test_a_small_filter_reports_real_errors_only(ctx):
    """The program replays every trace before it reports it, and fails if that is not possible."""
    found = 0
    wrong = [path for path in sorted((ctx.root / "tests" / "models").glob("*.pml")) if "expect: violated" in path.read_text()]
    for name in wrong[::5]:
        for search in ("bfs", "dfs"):
            for reduce in ("none", "default", "merge,dead,stubborn"):
                options = ("check", name, "--json", "--quiet", "--all-errors", "--search", search, "--reduce", reduce)
                exact = spoor(ctx, *options)
                if exact.code == 2:
                    continue  # wrong input on purpose
                result = spoor(ctx, *options, "--store", "bitstate", "--bits", "2^10", "--hashes", "2")
                assert result.code in (0, 1), (name, result.code, result.err)

                def errors(text):
                    return {(v["kind"], v["message"]) for v in json.loads(text)["violations"]}
                assert reduce != "none" or errors(result.out) <= errors(exact.out), (name, search)
                found += len(errors(result.out))
    assert found > 20, found


@pytest.mark.threads
def test_the_number_of_threads_changes_no_answer_of_any_store(ctx):
    # Levels of some thousand states, which are worth sharing; the error is behind most of them.
    letters = "abcdef"
    name = write(ctx, f"byte {', '.join(letters)};\n" + "".join(
        f"active proctype P{v}() {{ do :: d_step {{ {v} < 5 -> {v}++ }}"
        f" :: assert({' + '.join(letters)} < LIMIT) od }}\n" for v in letters))
    for limit, states in (("31", 46_656), ("25", None)):
        answers = set()
        for store in ("exact", "tree", "compact"):
            for threads in ("1", "2", "5"):
                result = spoor(ctx, "check", name, f"-DLIMIT={limit}", "--json", "--quiet", "--reduce", "none",
                               "--exec", "interp", "--no-end-states", "--store", store, "--threads", threads)
                report = json.loads(result.out)
                assert states is None or report["states"] == states, (store, threads, report["states"])
                answers.add((report["verdict"].replace("probably-", ""), report["states"],
                             report["transitions"], report["depth"],
                             tuple(len(v["trace"]["attempts"]) for v in report["violations"])))
        assert len(answers) == 1, answers


def test_macros_come_from_the_command_line(ctx):
    name = write(ctx, "active proctype A() { assert(N == 2 && defined_too == 1) }\n")
    for args in (["-DN=2", "-Ddefined_too"], ["-D", "N=2", "-D", "defined_too"],
                 ["-D", "N=2", name, "-Ddefined_too"]):
        rest = [] if name in args else [name]
        assert spoor(ctx, "check", *args, *rest).code == 0, args
    assert spoor(ctx, "check", "-DN=3", "-Ddefined_too", name).code == 1
    assert_usage_error(spoor(ctx, "check", "-D", "3N", name), "NAME=VALUE")
    assert_usage_error(spoor(ctx, "check", "-D", "", name))


def test_messages_to_a_full_channel_can_be_lost(ctx):
    name = write(ctx, "chan q = [1] of { byte };\nactive proctype A() { q!1; q!2; assert(len(q) == 1) }\n")
    assert "end state" in spoor(ctx, "check", name).out
    result = spoor(ctx, "check", "--lose-messages", name)
    assert result.code == 0, result.out
    name = write(ctx, "chan q = [1] of { byte };\nactive proctype A() { q!1; q!2; assert(false) }\n")
    assert spoor(ctx, "check", "--lose-messages", "--trace", "lost.json", name).code == 1
    shown = spoor(ctx, "trace", name, "lost.json")  # the trace knows that messages were lost
    assert shown.code == 0 and "q!2" in shown.out, shown.out + shown.err


def test_limits_leave_it_undecided(ctx):
    name = write(ctx, LARGE)
    timed = spoor(ctx, "check", name, "--time", "300ms")
    assert timed.code == 3 and timed.out.startswith("unknown: the time limit of 0.30 s")
    assert timed.seconds < 10
    for limit in ("20M", "20MB", "20MiB", "20971520"):
        small = spoor(ctx, "check", name, "--memory", limit, timeout=120)
        assert small.code == 3 and "the memory limit of 20.0 MiB" in small.out, small.out
    assert spoor(ctx, "check", name, "--depth", "5").out.startswith(
        "unknown: the depth limit of 5 was reached")


def test_memory_that_runs_out_is_an_answer(ctx):
    if ctx.preset in ("asan-ubsan", "tsan"):
        ctx.skip("sanitizers reserve memory of their own")
    result = spoor(ctx, "check", write(ctx, LARGE), memory_mb=300, timeout=300)
    assert result.code == 3 and "memory" in result.out.splitlines()[0], (result.out, result.err)


def test_memory_that_the_system_refuses_is_not_the_limit_of_the_user(ctx):
    if ctx.preset in ("asan-ubsan", "tsan"):
        ctx.skip("sanitizers reserve memory of their own")
    name = write(ctx, LARGE)
    result = spoor(ctx, "check", name, "--memory", "100G", memory_mb=300, timeout=300)
    assert result.code == 3, (result.out, result.err)
    assert result.out.startswith("unknown: the system has no more memory"), result.out
    report = spoor(ctx, "check", name, "--memory", "100G", "--json", memory_mb=300, timeout=300)
    assert json.loads(report.out)["limit"] == "out-of-memory", report.out


def interrupt(ctx, args, number):
    with subprocess.Popen([str(ctx.spoor), *args], cwd=ctx.tmp, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(10 if ctx.slow else 1)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def test_signals_end_a_search_with_the_figures_so_far(ctx):
    name = write(ctx, LARGE)
    for number in (signal.SIGINT, signal.SIGTERM):
        code, out, err = interrupt(ctx, ["check", name], number)
        assert code == 3, (code, out, err)
        assert out.startswith("unknown: the search was interrupted"), out
        assert re.search(r"[\d,]{5,} states", out), out


def test_colours_only_where_wanted(ctx):
    name = write(ctx, HOLDS)
    assert "\x1b" not in spoor(ctx, "check", name).out
    assert "\x1b[" in spoor(ctx, "check", name, "--color", "always").out
    assert "\x1b" not in spoor(ctx, "check", name, "--color", "never").out


def test_progress_is_shown_on_a_terminal_only(ctx):
    name = write(ctx, LARGE + "byte d; active proctype D() { do :: d++ od }\n")  # LARGE itself can be done in two seconds
    assert "states," not in spoor(ctx, "check", name, "--time", "2").err
    master, slave = os.openpty()
    with subprocess.Popen([str(ctx.spoor), "check", name, "--time", "2"], cwd=ctx.tmp,
                          stdout=subprocess.DEVNULL, stderr=slave) as process:
        os.close(slave)
        seen = b""
        while True:
            try:
                chunk = os.read(master, 4096)
            except OSError:  # the other side has closed it
                break
            if not chunk:
                break
            seen += chunk
    os.close(master)
    assert process.returncode == 3
    assert re.search(rb"[\d,]+ states( \(perhaps [^)]*\))?, [\d,]+/s", seen), seen


def test_wrong_usage_gets_a_hint(ctx):
    name = write(ctx, HOLDS)
    assert_usage_error(spoor(ctx, "chekc", name), "did you mean check?", "spoor --help")
    assert_usage_error(spoor(ctx, name), f"spoor check {name}")
    assert_usage_error(spoor(ctx, "--verison"), "unknown option")
    assert_usage_error(spoor(ctx, "check", name, "--serch", "bfs"), "did you mean --search?")
    assert_usage_error(spoor(ctx, "check", name, "--search", "fast"), "bfs, dfs", "'fast'")
    assert_usage_error(spoor(ctx, "check", name, "--property", "liveness"), "safety")
    assert_usage_error(spoor(ctx, "check", name, "--ltl", "[] true", "--ltl", "<> true"), "--ltl is given twice", "&&")
    assert_usage_error(spoor(ctx, "check", name, "--property", "safety", "--property", "deadlock"),
                       "--property is given twice")
    assert_usage_error(spoor(ctx, "check", name, "--ltl", ""), "--ltl: expected a value")
    assert_usage_error(spoor(ctx, "check"), "model")
    assert_usage_error(spoor(ctx, "check", name, name), "unexpected argument")
    assert_usage_error(spoor(ctx, "graph", "exprot"), "did you mean export?")
    assert_usage_error(spoor(ctx, "simulate", name, "-i", "--trace", "x"), "cannot be combined")
    nothing = spoor(ctx)
    assert nothing.code == 2 and "commands:" in nothing.err and not nothing.out


def test_numbers_that_are_none_are_refused(ctx):
    name = write(ctx, HOLDS)
    for option, values in {"--time": ["0", "-1", "x", "5y", "", "1e400", "nan", "."],
                           "--memory": ["0", "-1", "4Q", "", "99999999999T", "G"],
                           "--depth": ["0", "-1", "1.5", "ten", "99999999999999999999999"]}.items():
        for value in values:
            result = spoor(ctx, "check", name, f"{option}={value}")
            assert result.code == 2, (option, value, result.out, result.err)
            assert result.err.strip(), (option, value)
    for value in ("0", "-3", "x", "99999999999"):
        assert spoor(ctx, "graph", "random", f"--states={value}").code == 2, value


def test_output_that_cannot_be_written_is_an_error(ctx):
    name = write(ctx, FAILS)
    result = spoor(ctx, "check", name, "--trace", "no/such/folder/t.json")
    assert result.code == 2 and "cannot write 'no/such/folder/t.json'" in result.err, result.err
    assert result.out.startswith("violated"), "the verdict is shown all the same"
    assert spoor(ctx, "check", name, "--trail", ".").code == 2
    with open("/dev/full", "w", encoding="utf-8") as full:
        code = subprocess.run([str(ctx.spoor), "check", name], cwd=ctx.tmp, stdout=full,
                              stderr=subprocess.PIPE, check=False).returncode
    assert code == 2


def test_explain_knows_what_diagnostics_name(ctx):
    listed = spoor(ctx, "explain")
    codes = re.findall(r"^([A-Z]\d+)  \S", listed.out, re.MULTILINE)
    assert listed.code == 0 and len(codes) > 20 and codes == sorted(codes), listed.out
    for code in codes:
        result = spoor(ctx, "explain", code.lower())
        assert result.code == 0 and result.out.startswith(f"{code}: "), result.out
        assert len(result.out.splitlines()) > 2, f"{code} is not explained"
    assert_usage_error(spoor(ctx, "explain", "P99999"), "no code 'P99999'")


def test_graphs_are_checked_without_a_language(ctx):
    result = spoor(ctx, "check", write(ctx, GRAPH, "g.aut"))
    assert result.code == 1 and result.out.startswith("violated: "), result.out
    live = write(ctx, 'des (0, 2, 2)\n(0, "a", 1)\n(1, "b", 0)\n', "live.aut")
    result = spoor(ctx, "check", live)
    assert result.code == 0 and "2 states, 3 transitions" in result.out, result.out
    assert spoor(ctx, "check", write(ctx, "des (0, 1)\n", "bad.aut")).code == 2
    assert spoor(ctx, "check", "missing.aut").code == 2
    (ctx.tmp / "folder.aut").mkdir()
    assert spoor(ctx, "check", "folder.aut").code == 2
    trail = spoor(ctx, "check", "g.aut", "--trail", "t.trail")
    assert trail.code == 2 and "graph" in trail.err and not (ctx.tmp / "t.trail").exists()


def test_an_exported_graph_has_as_many_states(ctx):
    name = write(ctx, FAILS)
    figures = re.compile(r"([\d,]+) states, ([\d,]+) transitions")
    own = figures.search(spoor(ctx, "check", name, "--all-errors", "--reduce", "none").out).groups()
    export = spoor(ctx, "graph", "export", name, "-o", "g.aut")
    assert export.code == 0 and "g.aut: " in export.out, export.err
    graph = figures.search(spoor(ctx, "check", "g.aut", "--all-errors").out).groups()
    assert own == graph, (own, graph)
    assert spoor(ctx, "graph", "export", name).out == (ctx.tmp / "g.aut").read_text()
    refused = spoor(ctx, "graph", "export", name, "-o", "h.aut", "--max-states", "3")
    assert refused.code == 3 and not (ctx.tmp / "h.aut").exists()


def test_an_exported_graph_is_that_of_the_options(ctx):
    name = write(ctx, "chan q = [1] of { byte };\nunsigned u : 2;\nbyte k = 5;\n"
                      "active proctype A() { q!1; q!2; u = k }\n")
    texts = {}
    for options in ((), ("--lose-messages",), ("--lose-messages", "--strict")):
        export = spoor(ctx, "graph", "export", name, *options)
        assert export.code == 0, export.err
        texts[options] = export.out
        (ctx.tmp / "g.aut").write_text(export.out)
        shown = re.compile(r"([\d,]+) states, ([\d,]+) transitions")
        own = spoor(ctx, "check", name, "--all-errors", *options).out
        graph = spoor(ctx, "check", "g.aut", "--all-errors").out
        assert shown.search(own).groups() == shown.search(graph).groups(), (options, own, graph)
    assert texts[()] != texts[("--lose-messages",)], texts
    # What --strict finds are errors, and a graph has none.
    assert texts[("--lose-messages",)] == texts[("--lose-messages", "--strict")], texts


def test_random_graphs_depend_on_the_seed_alone(ctx):
    def make(seed):
        result = spoor(ctx, "graph", "random", "--states", "50", "--seed", seed)
        assert result.code == 0
        return result.out
    assert make("1") == make("1") != make("2")
    (ctx.tmp / "r.aut").write_text(make("1"))
    assert spoor(ctx, "check", "r.aut").code in (0, 1)


def test_a_simulation_repeats_with_its_seed(ctx):
    name = write(ctx, "byte x;\nactive proctype A() { do :: x++ :: x = x * 3 :: x > 200 -> break od;"
                      ' printf("x is %d\\n", x) }\n')
    first = spoor(ctx, "simulate", name)
    assert first.code == 0 and first.out.startswith("seed 1\n") and "x is " in first.out, first.out
    assert spoor(ctx, "simulate", name).out == first.out
    others = {spoor(ctx, "simulate", name, "--seed", str(seed)).out.split("\n", 1)[1]
              for seed in range(2, 12)}
    assert len(others) > 1


def test_a_simulation_ends_in_the_error_or_at_the_limit(ctx):
    failing = spoor(ctx, "simulate", write(ctx, "active proctype A() { assert(false) }\n"))
    assert failing.code == 1 and "error: assertion violated" in failing.out, failing.out
    stuck = spoor(ctx, "simulate", write(ctx, STUCK))
    assert stuck.code == 1 and "error: invalid end state" in stuck.out, stuck.out
    endless = spoor(ctx, "simulate", write(ctx, LARGE), "--steps", "77")
    assert endless.code == 0 and "after 77 steps: stopped at the limit" in endless.out, endless.out
    broken = spoor(ctx, "simulate", write(ctx, "byte x;\nactive proctype A() { x = 1 / x }\n"))
    assert broken.code == 1 and "division by zero" in broken.out, broken.out


def test_verbose_simulations_show_each_step(ctx):
    result = spoor(ctx, "simulate", "-v", write(ctx, HOLDS))
    assert re.search(r"^ +1  A\[0\] +m\.pml:2 +x = 1 +x = 1$", result.out, re.MULTILINE), result.out


def test_interactive_simulation_takes_and_undoes_steps(ctx):
    name = write(ctx, "byte x;\nactive proctype A() { if :: x = 1 :: x = 2 fi; x = x + 10 }\n")
    result = spoor(ctx, "simulate", "-i", name, stdin="2\nu\nu\n9\nzebra\n?\n1\ns\n1\nq\n")
    assert result.code == 0, result.out
    assert "this is the initial state" in result.out
    assert "'9' is not one of the choices" in result.out and "'zebra' is not one" in result.out
    assert re.search(r"^ +1  A\[0\] .* x = 1$", result.out, re.MULTILINE), result.out
    assert re.search(r"^ +2  A\[0\] .* x = 2$", result.out, re.MULTILINE), result.out
    assert "x = 11" in result.out and "after 2 steps: " in result.out, result.out


def test_interactive_simulation_ends_with_its_input(ctx):
    result = spoor(ctx, "simulate", "-i", write(ctx, FAILS), stdin="")
    assert result.code == 0 and "after 0 steps: stopped" in result.out, result.out
    crash = spoor(ctx, "simulate", "-i", write(ctx, "active proctype A() { assert(false) }\n"),
                  stdin="1\n")
    assert crash.code == 1 and "(fails: assertion violated" in crash.out, crash.out


def test_what_a_model_prints_cannot_talk_to_the_terminal(ctx):
    name = write(ctx, 'active proctype A() { printf("\x1b]0;title\x07"); assert(false) }\n')
    for args in (["check", name], ["check", name, "--full-trace"]):
        assert "\x1b" not in spoor(ctx, *args).out


def test_models_are_found_wherever_they_are(ctx):
    folder = ctx.tmp / "a folder with spaces; and $signs"
    folder.mkdir()
    (folder / "m.pml").write_text('#include "part.h"\nactive proctype A() { assert(N == 1) }\n')
    (folder / "part.h").write_text("#define N 1\n")
    for path in (folder / "m.pml", pathlib.Path(folder.name) / "m.pml"):
        result = spoor(ctx, "check", path)
        assert result.code == 0, result.err
    (ctx.tmp / "-dash.pml").write_text(HOLDS)
    assert spoor(ctx, "check", "--", "-dash.pml").code == 0
    assert spoor(ctx, "check", "./-dash.pml").code == 0
