#!/usr/bin/env python3
"""Runs the tests in tests/suites/*.py; ./test calls this after the unit tests.

A suite is a module with functions test_*(ctx). A test passes when it returns, fails when it
raises, and is skipped when it calls ctx.skip(reason). The context offers:

    ctx.spoor    path of the program under test
    ctx.root     path of the repository
    ctx.tmp      a fresh folder, removed after the test
    ctx.long     True with --long
    ctx.preset   name of the build under test
    ctx.slow     True when that build is instrumented and so several times slower
    ctx.limit_s  after this many seconds the test is ended and fails
    ctx.shared   path of a folder `shared` beside the repository (large corpora), or None
    ctx.run(args, timeout=60, stdin="", cwd=None, memory_mb=None, env=None)
                 runs a whole command line; returns code, out, err, seconds, peak_mb
    ctx.run_spoor(args, ...)   the same, with ctx.spoor put in front

Tests run in separate processes, several at a time, in no particular order.
"""

import argparse
import concurrent.futures
import contextlib
import ctypes
import importlib.util
import io
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import types
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUITES = ROOT / "tests" / "suites"
INSTRUMENTED = {"asan-ubsan", "tsan", "coverage", "dev"}
SANITIZED = {"asan-ubsan", "tsan"}
SLOWDOWN = 8  # how much longer a command may take in an instrumented build
WORTH_TELLING_S = 60  # a test that took longer is named, so that who waits sees where it is
TEST_LIMIT_S = 900
LONG_TEST_LIMIT_S = 4 * 3600


class Skip(Exception):
    """Raised by ctx.skip."""


class TimedOut(AssertionError):
    """A command or a test took longer than it may."""


class Context:
    """What a test is handed; see the top of this file."""

    def __init__(self, options, tmp):
        self.root = ROOT
        self.preset = options.preset
        self.spoor = ROOT / "build" / options.preset / "bin" / "spoor"
        self.slow = options.preset in INSTRUMENTED
        self.long = options.long
        self.limit_s = LONG_TEST_LIMIT_S if options.long else TEST_LIMIT_S
        self.tmp = tmp
        self.cache = ROOT / "build" / options.preset / "cache"  # of compiled models
        shared = ROOT.parent / "shared"
        self.shared = shared if shared.is_dir() else None

    def skip(self, reason):
        raise Skip(reason)

    def run_spoor(self, args, **options):
        return self.run([self.spoor, *args], **options)

    def run(self, args, timeout=60, stdin="", cwd=None, memory_mb=None, env=None):
        """Runs a command to its end. Output that is not UTF-8 is shown with replacements.

        The command and its children are killed after `timeout` seconds, and the test fails.
        `memory_mb` limits the address space, except under sanitizers, which reserve terabytes.
        """
        command = [str(arg) for arg in args]
        limit_s = timeout * (SLOWDOWN if self.slow else 1)
        limit_memory = memory_mb is not None and self.preset not in SANITIZED

        def prepare():
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: leave no orphans
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if limit_memory:
                resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))

        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, \
                tempfile.TemporaryFile() as err:
            given.write(stdin if isinstance(stdin, bytes) else stdin.encode())
            given.seek(0)
            started = time.monotonic()
            # Not Popen.wait: only wait4 tells the peak memory of this one child.
            process = subprocess.Popen(
                command, stdin=given, stdout=out, stderr=err, cwd=cwd or self.tmp,
                env={**os.environ, "XDG_CACHE_HOME": str(self.cache), **(env or {})},
                start_new_session=True, preexec_fn=prepare)
            expired = threading.Event()

            def expire():
                expired.set()
                kill_group(process.pid)

            timer = threading.Timer(limit_s, expire)
            timer.start()
            try:
                _, status, usage = os.wait4(process.pid, 0)
            except BaseException:
                kill_group(process.pid)
                process.wait()
                raise
            finally:
                timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            kill_group(process.pid)  # what it may have left running
            seconds = time.monotonic() - started
            texts = []
            for stream in (out, err):
                stream.seek(0)
                texts.append(stream.read().decode("utf-8", "replace"))
        if expired.is_set():
            raise TimedOut(f"no end after {limit_s} s: {' '.join(command)}\n"
                           f"--- stdout\n{tail(texts[0])}\n--- stderr\n{tail(texts[1])}")
        return types.SimpleNamespace(
            args=command, code=process.returncode, out=texts[0], err=texts[1],
            seconds=seconds, peak_mb=usage.ru_maxrss / 1024)


def kill_group(pid):
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def tail(text, limit=4000):
    return text if len(text) <= limit else f"[...]{text[-limit:]}"


def load_suite(path):
    spec = importlib.util.spec_from_file_location(f"suites.{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(SUITES))  # suites may share helpers (modules without test_ functions)
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(SUITES))
    return module


def names_of(module):
    return [name for name, value in vars(module).items()
            if name.startswith("test_") and callable(value)]


def run_test(path, name, options):
    """Runs one test in a worker process. Returns (outcome, detail, seconds)."""
    started = time.monotonic()
    tmp = pathlib.Path(tempfile.mkdtemp(prefix="spoor-test-"))
    printed = io.StringIO()
    ctx = Context(options, tmp)

    def on_alarm(_signal, _frame):
        raise TimedOut(f"the test took longer than {ctx.limit_s} s")

    signal.signal(signal.SIGALRM, on_alarm)
    signal.alarm(ctx.limit_s)
    try:
        with contextlib.redirect_stdout(printed):
            getattr(load_suite(path), name)(ctx)
        outcome, detail = "passed", ""
    except Skip as reason:
        outcome, detail = "skipped", str(reason)
    except BaseException:  # also SystemExit and KeyboardInterrupt: any of them is a failure
        outcome, detail = "failed", traceback.format_exc() + tail(printed.getvalue())
    finally:
        signal.alarm(0)
        shutil.rmtree(tmp, ignore_errors=True)
    return outcome, detail, time.monotonic() - started


def discover(options):
    """Returns (tests as (path, name), failures as (label, detail))."""
    pattern = re.compile(options.k)
    tests, failures = [], []
    for path in sorted(SUITES.glob("*.py")):
        try:
            names = names_of(load_suite(path))
        except BaseException:
            failures.append((path.stem, traceback.format_exc()))
            continue
        tests += [(path, name) for name in names if pattern.search(f"{path.stem}.{name}")]
    return tests, failures


def report(label, outcome, detail, seconds):
    if outcome == "failed":
        print(f"FAIL {label} ({seconds:.1f} s)\n{detail.rstrip()}\n", flush=True)
    elif outcome == "skipped":
        print(f"skip {label}: {detail}", flush=True)
    elif seconds > WORTH_TELLING_S:
        print(f"ok   {label} ({seconds:.0f} s)", flush=True)


def run_all(tests, options, counts):
    with concurrent.futures.ProcessPoolExecutor(max_workers=options.jobs) as pool:
        pending = {pool.submit(run_test, path, name, options): f"{path.stem}.{name}"
                   for path, name in tests}
        for future in concurrent.futures.as_completed(pending):
            try:
                outcome, detail, seconds = future.result()
            except Exception as error:  # the worker itself died
                outcome, detail, seconds = "failed", f"the worker died: {error!r}", 0.0
            counts[outcome] += 1
            report(pending[future], outcome, detail, seconds)


def add_unit_tests(junit, counts):
    """Adds what ctest wrote down to the counts."""
    if not junit or not pathlib.Path(junit).exists():
        return
    for case in ElementTree.parse(junit).getroot().iter("testcase"):
        status = case.get("status")
        if status == "run":
            counts["passed"] += 1
        elif status == "fail" or case.find("failure") is not None:
            counts["failed"] += 1
        else:
            counts["skipped"] += 1


def parse_options():
    parser = argparse.ArgumentParser(description="Runs tests/suites/*.py.")
    parser.add_argument("--preset", default="release", help="which build to test")
    parser.add_argument("--long", action="store_true", help="also what takes minutes")
    parser.add_argument("-k", metavar="PATTERN", default="", help="only matching SUITE.TEST names")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="tests at a time")
    parser.add_argument("--junit", help="a JUnit file of other tests, to be counted too")
    parser.add_argument("--summary", help="write the last line here instead of printing it")
    return parser.parse_args()


def main():
    options = parse_options()
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    tests, failures = discover(options)
    for label, detail in failures:
        counts["failed"] += 1
        report(label, "failed", detail, 0.0)
    run_all(tests, options, counts)
    add_unit_tests(options.junit, counts)
    nothing_ran = not any(counts.values())  # neither here nor among the unit tests
    if nothing_ran:
        print(f"FAIL no test matches '{options.k}'", flush=True)
    line = f"{counts['passed']} passed, {counts['failed']} failed"
    if counts["skipped"]:
        line += f", {counts['skipped']} skipped"
    if options.summary:
        pathlib.Path(options.summary).write_text(line + "\n", encoding="utf-8")
    else:
        print(line)
    return 1 if counts["failed"] or nothing_ran else 0


if __name__ == "__main__":
    sys.exit(main())
