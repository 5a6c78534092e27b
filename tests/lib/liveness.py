"""Properties of infinite runs: the same question to SPIN and to us.

    answer = LivenessOracle(folder).ask(text, "ltl:p")     # also never, accept, progress
    answer.verdict   # holds, violated, rejected, or None when SPIN cannot tell

SPIN is asked as its user asks it, with all its optimisations (`reduce=True`), or with none: the second is the
authority. Like ours its search ends at the first error; a limit of the verifier before that is no answer. `ask_for_all`
lets the search continue (`-c0`), and answers with all kinds of errors.
"""

import dataclasses
import json
import pathlib
import re
import subprocess
import tempfile

from lib.spin_oracle import Answer, Oracle, read_verifier


@dataclasses.dataclass(frozen=True)
class Verdict:
    verdict: str    # holds, violated, rejected; None: no answer
    text: str = ""
    states: int = 0
    report: dict = None       # ours


class LivenessOracle(Oracle):
    def __init__(self, folder=None, **options):
        super().__init__(folder, **{"timeout": 5, "memory_mb": 128, **options})

    def ask(self, text, wanted, reduce=False, confirm=False):
        with tempfile.TemporaryDirectory(dir=self.folder, prefix="spin-") as scratch:
            pathlib.Path(scratch, "model.pml").write_text(text)
            answer = self._answer(wanted, reduce, confirm, scratch)
        if answer.rejected:
            return Verdict("rejected", answer.text)
        if answer.errors > 0:
            is_limit = not answer.kinds
            return Verdict(None if is_limit else "violated", answer.text, answer.states)
        return Verdict("holds" if answer.complete else None, answer.text, answer.states)

    def ask_for_all(self, text, wanted, confirm=False):
        """All errors that a search with the claim finds, as an Answer."""
        with tempfile.TemporaryDirectory(dir=self.folder, prefix="spin-") as scratch:
            pathlib.Path(scratch, "model.pml").write_text(text)
            return self._answer(wanted, False, confirm, scratch, ["-c0"])

    def claim_of(self, formula):
        """The never claim that SPIN makes of the negation of a formula; None where it cannot: -f knows no W."""
        if " W " in formula:
            return None
        with tempfile.TemporaryDirectory(dir=self.folder, prefix="spin-") as scratch:
            code, said = self._run(["spin", "-f", f"!({formula})"], scratch)
            return said if code == 0 and said.startswith("never") else None

    def _answer(self, wanted, reduce, confirm, scratch, more=()):
        code, said = self._run(["spin", *([] if reduce else ["-o1", "-o2", "-o3"]), "-a", "model.pml"], scratch)
        if code is None:
            return Answer("timeout", text=said)
        if code != 0 or not pathlib.Path(scratch, "pan.c").exists():
            return Answer("rejected", text=said)
        compiler = "gcc" if confirm else self.compiler
        code, compiled = self._run(
            [compiler, *(["-O0", "-pipe"] if compiler == "gcc" else []), "-w", *([] if reduce else ["-DNOREDUCE"]),
             *(["-DNP"] if wanted == "progress" else []), *(["-DNOCLAIM"] if wanted == "accept" else []),
             f"-DMEMLIM={self.memory_mb}", "-o", "pan", "pan.c"], scratch)
        if code != 0:
            return Answer("timeout" if code is None else "uncompiled", text=compiled)
        options = ["-l"] if wanted == "progress" else ["-a"]
        if wanted.startswith("ltl:"):
            options += ["-N", wanted.removeprefix("ltl:")]
        elif wanted == "never":
            options += ["-N", "never_0"]  # the name that SPIN gives to one without
        # -E: no invalid end states, which SPIN reports beside cycles where there is no claim.
        code, said = self._run(["./pan", *options, *more, "-E", "-n", f"-m{self.max_depth}", f"-w{self.hash_bits}"],
                               scratch)
        return read_verifier(code, said)


def has_label_inside_sequence(text):
    """Is there an accept label between the braces of an atomic sequence or a d_step?"""
    for begin in re.finditer(r"\b(atomic|d_step)\s*\{", text):
        depth, at = 1, begin.end()
        while depth and at < len(text):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        if "accept" in text[begin.end():at]:
            return True
    return False


def ask_spoor_about(spoor, path, wanted, extra=(), timeout=60, env=None):
    """Our verdict; `crashed` for whatever is neither a verdict nor a refusal."""
    command = [str(spoor), "check", str(path), "--json", "--no-unreached", "--time", str(timeout), "--memory", "1G",
               "--property", wanted, *extra]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                              timeout=2 * timeout + 20, env=env)
    except subprocess.TimeoutExpired:
        return Verdict("crashed", "no end after twice its own limit")
    text = f"exit {done.returncode}\n{done.stdout[:2000]}\n{done.stderr[:2000]}"
    try:
        report = json.loads(done.stdout)
        if done.returncode == 2:
            return Verdict("rejected", text, report=report)
        verdict, states = report["verdict"], report["states"]
    except (ValueError, KeyError, TypeError):
        return Verdict("crashed", text)
    if {"holds": 0, "violated": 1, "unknown": 3}.get(verdict) != done.returncode:
        return Verdict("crashed", text)
    return Verdict(None if verdict == "unknown" else verdict, text, states, report)
