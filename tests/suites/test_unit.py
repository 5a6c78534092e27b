"""Runs the unit tests (tests/unit), a GoogleTest program, one process per group.

A process of its own for each test would take longer to start than most tests take, above all with sanitizers. When a
test ends the process, it fails, and the rest of its group is run in another process.
"""

import re
import subprocess

from lib.context import ROOT, tail

# The tests that have several threads; the build with the thread sanitizer runs these and no others.
WITH_THREADS = re.compile(
    r"Bitstate|Certificate\.|Check\.|CheckpointFile|Cycles|Observer|SearchStore|ExactStore|SharedStore|StoreThreads|KeyTableThreads|"
    r"Quiescence|Recording|StableArray|StepNames|Swarm|Unmatched|SearchThreads|"
    r"Search\.(RunningOutOfStateNumbers|TellsTheSizesOfItsLevels)")
OUTCOME = re.compile(r"\[\s+(OK|FAILED|SKIPPED)\s+\] (\S+?)(?:, where .*)? \(\d+ ms\)$", re.M)


def program_of(preset):
    return ROOT / "build" / preset / "bin" / "spoor_unit_tests"


def read_names(listed):
    """The full names in what --gtest_list_tests prints."""
    names, group = [], ""
    for line in listed.splitlines():
        word = line.split("#")[0].rstrip()
        if line.startswith("  "):
            names.append(group + word.strip())
        elif word.endswith("."):
            group = word
    return names


def groups_of(names):
    groups = {}
    for name in names:
        groups.setdefault(name.split(".")[0], []).append(name)
    return groups


def pytest_generate_tests(metafunc):
    if "names" not in metafunc.fixturenames:
        return
    pattern = re.compile(metafunc.config.getoption("select"))
    program = program_of(metafunc.config.getoption("preset"))
    listed = ""
    if program.exists():
        listed = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True).stdout
    names = [name for name in read_names(listed) if pattern.search(name)]
    if metafunc.config.getoption("preset") == "tsan":
        names = [name for name in names if WITH_THREADS.search(name)]
    groups = groups_of(names)
    metafunc.parametrize("names", [tuple(names) for names in groups.values()], ids=list(groups))


def run_group(run, names):
    """Runs these tests. Returns their outcomes (OK, FAILED, SKIPPED) by name, and what was printed."""
    outcomes, printed, left = {}, "", list(names)
    while left:
        result = run("--gtest_filter=" + ":".join(left))
        printed += result.out + result.err
        found = {name: outcome for outcome, name in OUTCOME.findall(result.out)}
        outcomes.update(found)
        left = [name for name in left if name not in found]
        if left:  # the first of these has ended the process
            printed += f"\nexit {result.code} in {left[0]}\n"
            outcomes[left.pop(0)] = "FAILED"
        elif result.code != 0 and "FAILED" not in found.values():
            printed += f"\nexit {result.code} after the last test\n"
            outcomes[names[-1]] = "FAILED"  # what a sanitizer finds at the end belongs to no test
    return outcomes, printed


def test_unit(ctx, names):
    outcomes, printed = run_group(lambda *options: ctx.run([program_of(ctx.preset), *options], timeout=ctx.limit_s), names)
    seen = list(outcomes.values())
    ctx.count(seen.count("OK"), seen.count("FAILED"), seen.count("SKIPPED"))
    print(tail(printed, 20_000))
    assert "FAILED" not in seen, [name for name, outcome in outcomes.items() if outcome == "FAILED"]


def test_a_unit_test_that_ends_the_process_fails_alone(ctx):
    class Died:
        code, err = -11, ""

        def __init__(self, out):
            self.out = out

    calls = [Died("[       OK ] A.One (0 ms)\n[ RUN      ] A.Two\n"),
             Died("[  FAILED  ] A.Three/0, where GetParam() = 3 (2 ms)\n[  SKIPPED ] A.Four (0 ms)\n")]
    outcomes, printed = run_group(lambda _: calls.pop(0), ["A.One", "A.Two", "A.Three/0", "A.Four"])
    assert outcomes == {"A.One": "OK", "A.Two": "FAILED", "A.Three/0": "FAILED", "A.Four": "SKIPPED"}
    assert "exit -11 in A.Two" in printed and not calls
    outcomes, _ = run_group(lambda _: Died("[       OK ] A.One (0 ms)\n"), ["A.One"])
    assert outcomes == {"A.One": "FAILED"}, "a leak that is found at the end"


def test_names_of_unit_tests_are_read(ctx):
    listed = "Running main() from gtest_main.cc\nA.\n  One\n  Two/0  # GetParam() = 7\nB/0.  # TypeParam = int\n  Three\n"
    assert groups_of(read_names(listed)) == {"A": ["A.One", "A.Two/0"], "B/0": ["B/0.Three"]}
