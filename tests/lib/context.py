"""What a test of tests/suites is handed, as the fixture `ctx`.

    ctx.spoor    path of the program under test
    ctx.root     path of the repository
    ctx.tmp      a fresh folder, removed after the test
    ctx.long     True with --long
    ctx.preset   name of the build under test
    ctx.slow     True when that build is instrumented and so several times slower
    ctx.limit_s  after this many seconds the test is ended and fails
    ctx.cache    where compiled models are kept between tests
    ctx.shared   path of a folder `shared` beside the repository (large corpora), or None
    ctx.skip(reason)
    ctx.run(args, timeout=60, stdin="", cwd=None, memory_mb=None, env=None)
                 runs a whole command line; returns code, out, err, seconds, peak_mb
    ctx.run_spoor(args, ...)   the same, with ctx.spoor put in front
    ctx.count(passed, failed, skipped)   this test stands for so many
"""

import contextlib
import ctypes
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import threading
import time
import types

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SANITIZED = {"asan-ubsan", "tsan"}
INSTRUMENTED = SANITIZED | {"coverage", "dev"}
SLOWDOWN = 8  # how much longer a command may take in an instrumented build
TEST_LIMIT_S = 900
LONG_TEST_LIMIT_S = 4 * 3600
GRACE_S = 5  # for the report of a test that was ended


def limit_of(is_long):
    return LONG_TEST_LIMIT_S if is_long else TEST_LIMIT_S


class Context:
    """See the top of this file."""

    def __init__(self, preset, is_long, tmp):
        self.root = ROOT
        self.preset = preset
        self.spoor = ROOT / "build" / preset / "bin" / "spoor"
        self.slow = preset in INSTRUMENTED
        self.long = is_long
        self.limit_s = limit_of(is_long)
        self.tmp = tmp
        # One for all builds: the C of a model is the same in each, and a compiler takes longer than most checks.
        self.cache = ROOT / "build" / "test-cache"
        shared = ROOT.parent / "shared"
        self.shared = shared if shared.is_dir() else None
        self.counts = None
        self._deadline = time.monotonic() + self.limit_s

    def skip(self, reason):
        pytest.skip(reason)

    def count(self, passed, failed, skipped):
        self.counts = {"passed": passed, "failed": failed, "skipped": skipped}

    def run_spoor(self, args, **options):
        return self.run([self.spoor, *args], **options)

    def run(self, args, timeout=60, stdin="", cwd=None, memory_mb=None, env=None):
        """Runs a command to its end. Output that is not UTF-8 is shown with replacements.

        The command and its children are killed after `timeout` seconds, or when the test itself has no time left,
        and the test fails. `memory_mb` limits the address space, except under sanitizers, which reserve terabytes.
        """
        command = [str(arg) for arg in args]
        left_s = self._deadline + GRACE_S - time.monotonic()  # a thread may call this when the test has ended
        limit_s = max(0.0, min(timeout * (SLOWDOWN if self.slow else 1), left_s))
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
                env={**os.environ, "XDG_CACHE_HOME": str(self.cache), "SPOOR_LEDGER": "none", **(env or {})},
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
            raise AssertionError(f"no end after {limit_s:.0f} s: {' '.join(command)}\n"
                                 f"--- stdout\n{tail(texts[0])}\n--- stderr\n{tail(texts[1])}")
        return types.SimpleNamespace(
            args=command, code=process.returncode, out=texts[0], err=texts[1],
            seconds=seconds, peak_mb=usage.ru_maxrss / 1024)


def kill_group(pid):
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def tail(text, limit=4000):
    return text if len(text) <= limit else f"[...]{text[-limit:]}"
