"""Runs one command within bounds and says what it cost.

The cost is what the kernel counted for the process and the children it waited for (wait4): processor
seconds, user and system, and the largest resident size. The clock on the wall is taken beside them.
A resident size below that of this interpreter (some 15 MB) cannot be seen: the kernel counts from
the fork on.
"""

import contextlib
import dataclasses
import os
import resource
import signal
import subprocess
import tempfile
import threading
import time


@dataclasses.dataclass
class Run:
    """One command that has ended. `code` is None when it was ended at the time limit."""

    code: int
    out: str
    err: str
    wall_s: float
    cpu_s: float
    peak_bytes: int


@dataclasses.dataclass
class Bounds:
    """What a command may use. The address space gets a margin over the memory."""

    timeout_s: float
    memory_mb: int

    @property
    def address_space(self):
        return (self.memory_mb + 2048) << 20


def run_bounded(command, bounds, cwd, env=None):
    """Runs a command to its end, or kills it and its children at the time limit."""

    def prepare():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (bounds.address_space, bounds.address_space))

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.monotonic()
        process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            cwd=cwd, env={**os.environ, **(env or {})}, start_new_session=True, preexec_fn=prepare)
        expired = threading.Event()

        def expire():
            expired.set()
            kill_group(process.pid)

        timer = threading.Timer(bounds.timeout_s, expire)
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)  # not Popen.wait, which tells no usage
        except BaseException:
            kill_group(process.pid)
            process.wait()
            raise
        finally:
            timer.cancel()
        wall_s = time.monotonic() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        kill_group(process.pid)  # what it may have left running
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "replace"))
    return Run(None if expired.is_set() else process.returncode, texts[0], texts[1], wall_s,
               usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def kill_group(pid):
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
