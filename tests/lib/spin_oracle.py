"""Asks the real SPIN about a model: the peer in the differential tests.

The canonical run, whose numbers of states and transitions ours must equal, switches every
optimisation of SPIN off:

    spin -o1 -o2 -o3 -a model.pml           no dead variables, no statement merging, no rewriting
    cc -DNOREDUCE -DSAFETY -DNOCLAIM pan.c  no partial-order reduction, safety only
    ./pan -c0                               do not stop at an error

Most of its time goes into compiling 14,000 lines of C for each model. Measured on one core for a
model of 2,584 states: gcc -O1 0.53 s, gcc -O0 0.21 s, tcc 0.012 s; spin itself takes 0.013 s, and
the verifier 0.08 s with its default hash table of 128 MB but 0.005 s with a small one. So a run
uses tcc when it is installed, and a small table. tcc is not the reference: an answer that
disagrees with ours is computed again with gcc (`confirm=True`) before it is reported.

    oracle = Oracle(folder)
    answer = oracle.ask(text)      # or ask_file(path)
    answer.rejected, answer.states, answer.transitions, answer.kinds, ...

An Oracle holds nothing but its settings; each question has a folder of its own, so several threads
may ask at once.
"""

import dataclasses
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile

# What the verifier prints, and the kind of violation it is for us. The first match counts.
KINDS = [
    (r"assertion violated - invalid array index", "runtime-error"),
    (r"assertion violated", "assertion"),
    (r"acceptance cycle", "acceptance-cycle"),
    (r"non-progress cycle", "non-progress"),
    (r"end state in claim reached|claim violated", "claim-violated"),
    (r"invalid end state", "deadlock"),
    (r"event_trace error", "trace-assertion"),
    (r"x\[rs\] claim|x[rs] chans", "channel-assertion"),
    (r"ref to uninitialized chan", "runtime-error"),
    (r"missing pars in receive|wrong nr of msg fields in rcv", "runtime-error"),
    (r"too (few|many) parameters in send stmnt", "runtime-error"),
    (r"error to poll rendezvous channel|polling rv chan", "runtime-error"),
    (r"rv-attempt in d_step", "runtime-error"),
    (r"too many (processes|queues)", "runtime-error"),
    (r"block in d_step seq|blocking sel in d_step", "runtime-error"),
    (r"bad queue|unknown qid", "runtime-error"),
    (r"priority is out of range", "runtime-error"),
    (r"used: enabled\(pid=thisproc\)", "runtime-error"),
    (r"c_(code|expr) line \d+ precondition false", "runtime-error"),
    (r"non-determinism in (event-trace|D_proctype)", "runtime-error"),
]

# Reported by the verifier about its own limits, not about the model.
OWN_LIMITS = re.compile(
    r"max search depth too small|out of memory|reached -DMEMLIM|VECTORSZ|Search not completed"
    r"|hash table is full|aborting")


# gcc takes 0 / x, 1 / x, x / x and their like for what they are where x is not 0, also with -O0, so that the
# verifier goes on where it should die; told to, it looks before it divides.
GCC = ["-O0", "-pipe", "-fsanitize=integer-divide-by-zero", "-fsanitize-undefined-trap-on-error"]


def kind_of(message):
    """The kind of violation that a message of the verifier stands for; None when it is none."""
    for pattern, kind in KINDS:
        if re.search(pattern, message):
            return kind
    return None


@dataclasses.dataclass
class Answer:
    """What SPIN says about one model. `outcome` is one of

    rejected     spin does not accept the text (`messages` says why)
    uncompiled   spin accepts it, but its C does not compile
    refused      the verifier refuses the model before it starts (two else in one choice)
    crashed      the verifier died (division by zero does that)
    timeout      one of the programs took too long
    incomplete   a limit of the verifier cut the search: counts are lower bounds
    complete     everything was explored
    """

    outcome: str
    states: int = 0
    transitions: int = 0
    depth: int = 0
    errors: int = 0
    kinds: frozenset = frozenset()
    messages: tuple = ()
    text: str = ""

    @property
    def rejected(self):
        return self.outcome == "rejected"

    @property
    def complete(self):
        return self.outcome == "complete"

    def expectation(self):
        """In the form of the `expect:` line of our models."""
        verdict = "violated " + "+".join(sorted(self.kinds)) if self.kinds else "holds"
        return f"{verdict}  states={self.states} transitions={self.transitions}"


class Oracle:
    """Runs SPIN with one set of limits."""

    def __init__(self, folder=None, *, compiler=None, timeout=20, memory_mb=512, max_depth=20000,
                 hash_bits=14):
        self.folder = folder
        self.compiler = compiler or ("tcc" if shutil.which("tcc") else "gcc")
        self.timeout = timeout
        self.memory_mb = memory_mb
        self.max_depth = max_depth
        self.hash_bits = hash_bits

    @staticmethod
    def available():
        return shutil.which("spin") is not None and (
            shutil.which("tcc") is not None or shutil.which("gcc") is not None)

    def ask_file(self, path, defines=(), spin_flags=(), confirm=False):
        path = pathlib.Path(path)
        return self._ask(path.name, defines, spin_flags, confirm, path.resolve().parent)

    def ask(self, text, defines=(), spin_flags=(), confirm=False, name="model.pml"):
        with tempfile.TemporaryDirectory(dir=self.folder, prefix="spin-") as scratch:
            pathlib.Path(scratch, name).write_text(text)
            return self._verify(name, defines, spin_flags, confirm, scratch)

    def accepts(self, text):
        """Whether spin accepts the text, without compiling or running anything."""
        with tempfile.TemporaryDirectory(dir=self.folder, prefix="spin-") as scratch:
            data = text if isinstance(text, bytes) else text.encode()
            pathlib.Path(scratch, "model.pml").write_bytes(data)
            code, _ = self._run(["spin", "-o1", "-o2", "-o3", "-a", "model.pml"], scratch)
            return code == 0 and pathlib.Path(scratch, "pan.c").exists()

    def _ask(self, name, defines, spin_flags, confirm, source_folder):
        with tempfile.TemporaryDirectory(dir=self.folder, prefix="spin-") as scratch:
            for entry in source_folder.iterdir():  # includes are found beside the model
                if entry.name not in ("pan.c", "pan.h"):
                    os.symlink(entry, pathlib.Path(scratch, entry.name))
            return self._verify(name, defines, spin_flags, confirm, scratch)

    def _verify(self, name, defines, spin_flags, confirm, scratch):
        generate = ["spin", "-o1", "-o2", "-o3", *spin_flags, *defines, "-a", name]
        code, said = self._run(generate, scratch)
        if code is None:
            return Answer("timeout", text=said)
        if code != 0 or not pathlib.Path(scratch, "pan.c").exists():
            return Answer("rejected", messages=tuple(said.splitlines()[:5]), text=said)
        compiler = "gcc" if confirm else self.compiler
        options = GCC if compiler == "gcc" else []
        code, said = self._run(
            [compiler, *options, "-w", "-DNOREDUCE", "-DSAFETY", "-DNOCLAIM", "-DVECTORSZ=8192",
             f"-DMEMLIM={self.memory_mb}", "-o", "pan", "pan.c"], scratch)
        if code != 0:
            return Answer("timeout" if code is None else "uncompiled", text=said)
        code, said = self._run(
            ["./pan", "-c0", "-n", f"-m{self.max_depth}", f"-w{self.hash_bits}"], scratch)
        return read_verifier(code, said)

    def _run(self, command, scratch):
        """Exit code (None after a timeout) and everything that was printed."""
        limit = (self.memory_mb + 1024) << 20

        def prepare():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

        process = subprocess.Popen(
            command, cwd=scratch, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=prepare)
        try:
            out, _ = process.communicate(timeout=self.timeout)
            return process.returncode, out.decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, _ = process.communicate()
            return None, out.decode("utf-8", "replace")


def read_verifier(code, said):
    """Reads what ./pan printed."""
    answer = Answer("complete", text=said)
    messages, kinds = [], set()
    for message in re.findall(r"^pan:\d+: (.*?)(?: \(at depth -?\d+\))?$", said, re.M):
        if message not in messages:
            messages.append(message)
        kind = kind_of(message)
        if kind is not None:
            kinds.add(kind)
        elif not OWN_LIMITS.search(message):
            kinds.add(f"unknown: {message}")
    answer.messages, answer.kinds = tuple(messages), frozenset(kinds)

    def number(pattern):
        found = re.search(pattern, said, re.M)
        return int(float(found.group(1))) if found else None

    stored = number(r"^\s*([0-9.e+]+) states, stored")
    answer.states = stored or 0
    answer.transitions = number(r"^\s*([0-9.e+]+) transitions \(=") or 0
    answer.depth = number(r"depth reached (\d+)") or 0
    answer.errors = number(r"errors: (\d+)") or 0
    if code is None:
        answer.outcome = "timeout"
    elif re.match(r"error: proctype '.*' (line|state) ", said):
        answer.outcome = "refused"
    elif stored is None:
        answer.outcome = "crashed"
        if code in (-signal.SIGFPE, -signal.SIGILL):  # the processor, or what gcc put in front
            answer.kinds = frozenset({"runtime-error"})
    elif OWN_LIMITS.search(said):
        answer.outcome = "incomplete"
    return answer
