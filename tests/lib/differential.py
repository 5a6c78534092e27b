"""Compares our answer with SPIN's, and shrinks models on which they differ.

Used by the differential suite, the corpus suite and the campaign. A comparison ends in None (they
agree), or in a Disagreement, whose `category` stays the same while a model is shrunk, so that the
small model shows the fault of the large one.
"""

import dataclasses
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile

from lib.spin_oracle import Answer

SEARCHES = ("bfs", "dfs")
SMALL = 20_000    # states up to which both searches are compared
# Refusals of SPIN that say nothing about the model (docs/spin-differences.md); we accept such models.
WHIMS = ("breaks from d_step seq", "bad node type 112")
TALKATIVE = 2000  # characters of output quoted in a report

# Errors after which SPIN goes on with a damaged state: it writes beyond the array, or, taking back
# a receive that left fields out, forgets those fields of the message.
DAMAGES = ("invalid array index", "missing pars in receive")

# SPIN looks for a second choice of a D_proctype in every statement that has code of its own, but
# not in those that have none (skip, goto, break) nor in a d_step. We look in all.
UNSEEN_CHOICE = re.compile(r"runtime-error: more than one executable statement in a D_proctype in "
                           r"`(skip|\(1\)|break|goto \w+|d_step.*|D_STEP.*)`")


@dataclasses.dataclass(frozen=True)
class Disagreement:
    category: str   # crash, accepted, rejected, limit, kinds, states, transitions, searches
    text: str


def ask_spoor(spoor, path, defines=(), search="bfs", timeout=30, memory="1G", extra=()):
    """Our answer about a model file, in the terms of the oracle.

    The outcome is rejected, complete, incomplete (a limit), timeout or crashed; the last also when
    what is printed contradicts the exit code or the documented form.
    """
    if "--property" not in extra:
        extra = (*extra, "--property", "safety")
    command = [str(spoor), "check", str(path), "--json", "--reduce", "none", "--all-errors",
               "--search", search, "--time", str(timeout), "--memory", memory,
               *options_for(defines), *extra]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, err = process.communicate(timeout=2 * timeout + 20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return Answer("timeout", text=f"no end after twice its own limit of {timeout} s")
    return read_ours(process.returncode, out.decode("utf-8", "replace"),
                     err.decode("utf-8", "replace"))


def options_for(defines):
    """-DX=Y, as SPIN takes it, in our form."""
    return [word for define in defines for word in ("-D", define.removeprefix("-D"))]


def read_ours(code, out, err):
    text = f"exit {code}\n{out[:TALKATIVE]}\n{err[:TALKATIVE]}"
    if code == 2:
        return Answer("rejected", text=text)
    if code not in (0, 1, 3):
        return Answer("crashed", text=text)
    try:
        report = json.loads(out)
        kinds = frozenset(violation["kind"] for violation in report["violations"])
        answer = Answer("complete", states=report["states"], transitions=report["transitions"],
                        depth=report["depth"], kinds=kinds, text=text,
                        messages=tuple(f"{v['kind']}: {v['message']}"
                                       for v in report["violations"]))
        verdict = report["verdict"]
    except (ValueError, KeyError, TypeError) as problem:
        return Answer("crashed", text=f"unreadable report ({problem!r})\n{text}")
    expected = {"holds": 0, "violated": 1, "probably-holds": 0, "unknown": 3}.get(verdict)
    if expected != code or (verdict == "violated") != bool(kinds):
        problem = f"verdict {verdict} with {sorted(kinds)} and exit {code}"
        return Answer("crashed", text=f"{problem}\n{text}")
    if verdict == "unknown" or report.get("limit") is not None:
        answer.outcome = "incomplete"
    return answer


def compare(spin, ours):
    """A Disagreement, or None. A model that SPIN itself cannot decide is no disagreement."""
    if ours.outcome in ("crashed", "timeout"):
        return Disagreement("crash", ours.text)
    if spin.rejected and any(whim in message for message in spin.messages for whim in WHIMS):
        return None
    if spin.rejected and not ours.rejected:
        return Disagreement("accepted", f"SPIN rejects it: {' | '.join(spin.messages)}")
    if ours.rejected and not spin.rejected:
        return Disagreement("rejected", ours.text)
    if spin.rejected or spin.outcome in ("uncompiled", "refused", "timeout"):
        return None
    if spin.outcome == "crashed":
        return kinds_differ({"runtime-error"}, ours)
    if spin.outcome == "incomplete":
        return kinds_differ({"runtime-error"}, ours) if "runtime-error" in spin.kinds else None
    if any(damage in message for message in spin.messages for damage in DAMAGES):
        return kinds_differ({"runtime-error"}, ours)
    if ours.outcome == "incomplete":
        return Disagreement("limit", f"SPIN explores {spin.states} states, ours gives up\n{ours.text}")
    if spin.kinds not in (ours.kinds, kinds_seen_by_spin(ours)):
        return Disagreement("kinds", f"SPIN {sorted(spin.kinds)}, ours {sorted(ours.kinds)}; "
                                     f"SPIN: {spin.messages}, ours: {ours.messages}")
    for figure in ("states", "transitions"):
        if getattr(spin, figure) != getattr(ours, figure):
            return Disagreement(figure, f"SPIN {spin.states} states, {spin.transitions} transitions; "
                                        f"ours {ours.states}, {ours.transitions}")
    return None


def kinds_differ(needed, ours):
    """Where SPIN stops or damages its state at an error, only that error can be compared."""
    if needed <= ours.kinds or ours.outcome == "incomplete":
        return None
    return Disagreement("kinds", f"SPIN reports {sorted(needed)}, ours {sorted(ours.kinds)}")


def kinds_seen_by_spin(ours):
    """Our kinds without what only choices account for that SPIN does not see."""
    return frozenset(message.split(":")[0] for message in ours.messages
                     if not UNSEEN_CHOICE.fullmatch(message))


def compare_searches(answers):
    """Both searches of ours must tell the same, unless a limit cut them."""
    if any(answer.outcome == "incomplete" for answer in answers.values()):
        return None
    first = answers[SEARCHES[0]]
    for search in SEARCHES[1:]:
        other = answers[search]
        for figure in ("outcome", "kinds", "states", "transitions"):
            if getattr(first, figure) != getattr(other, figure):
                return Disagreement("searches", f"{figure}: {SEARCHES[0]} {getattr(first, figure)}, "
                                                f"{search} {getattr(other, figure)}")
    return None


class Differ:
    """Asks both sides about one text after another."""

    def __init__(self, spoor, oracle, folder=None, searches=SEARCHES, timeout=60):
        self.spoor = spoor
        self.oracle = oracle
        self.folder = folder
        self.searches = searches
        self.timeout = timeout

    def check(self, text, confirm=True):
        """SPIN's answer and the Disagreement, if any. gcc confirms one before it is told."""
        spin = self.oracle.ask(text)
        found = self.against(spin, text)
        if found is not None and confirm and self.oracle.compiler != "gcc":
            spin = self.oracle.ask(text, confirm=True)
            found = self.against(spin, text)
        return spin, found

    def against(self, spin, text):
        with tempfile.TemporaryDirectory(dir=self.folder, prefix="ours-") as scratch:
            path = pathlib.Path(scratch, "model.pml")
            path.write_text(text)
            answers = {}
            decided = spin.outcome in ("complete", "rejected", "crashed") or spin.kinds
            seconds = self.timeout if decided else 1  # else only a crash of ours could be found
            small = decided and spin.states < SMALL
            for search in self.searches if small else self.searches[:1]:
                answers[search] = ask_spoor(self.spoor, path, search=search, timeout=seconds)
                found = compare(spin, answers[search])
                if found is not None:
                    return found
        return compare_searches(answers) if len(answers) == len(SEARCHES) else None

    def same_failure(self, category):
        """For the shrinker: whether a smaller tree still fails in the same way."""
        searches = SEARCHES if category == "searches" else SEARCHES[:1]
        smaller = Differ(self.spoor, self.oracle, self.folder, searches, timeout=5)

        def still_fails(tree):
            _, found = smaller.check(str(tree), confirm=False)
            return found is not None and found.category == category
        return still_fails
