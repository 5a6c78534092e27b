"""Compares our answer with SPIN's, and shrinks models on which they differ.

Used by the differential suite, the corpus suite and the campaign. A comparison ends in None (they
agree), or in a Disagreement, whose `category` stays the same while a model is shrunk, so that the
small model shows the fault of the large one.

A model is checked for safety without its claim. If it has a never claim, the errors of the product with the claim are
compared as well: by their kinds, because the counts of a search for cycles depend on the algorithm.
"""

import collections
import dataclasses
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile

from lib.liveness import LivenessOracle, ask_spoor_about, has_label_inside_sequence
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

EMBEDDED_C = re.compile(r"\bc_(code|expr|decl|state|track)\b")
NEVER = re.compile(r"^never\b.*", re.M | re.S)  # to the end of the text: the generator writes the claim last
OF_CLAIM = {"acceptance-cycle", "claim-violated"}


@dataclasses.dataclass(frozen=True)
class Disagreement:
    category: str   # crash, accepted, rejected, limit, kinds, states, transitions, searches, claim
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
    if spin.outcome == "uncompiled" and "P431" in ours.text:  # the embedded C is wrong for both
        return None
    if spin.outcome == "refused" and "unconditional self-loop" in spin.text and "P211" in ours.text:
        return None  # tests/models/goto_circle_with_remote_label_rejected.pml
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


def blocks_other_processes(spin, text):
    """Does SPIN take the process for one that cannot move at an error, so that there is a deadlock, too?
    tests/models/embedded_precondition_with_priorities.pml, embedded_precondition_in_d_step.pml"""
    return re.search(r"priority\b|\bd_step\b", text) and any("precondition false" in message for message in spin.messages)


def misreads_circle(spin, text):
    """Does SPIN reject a circle of jumps that has a state? tests/models/goto_circle_through_break_with_remote_label.pml"""
    return spin.rejected and "confusing control structure" in spin.text and re.search(r"\w@\w|\]@\w", text)


def runs_amid_handshakes(text):
    """Does SPIN execute a d_step in the middle of a handshake? tests/models/d_step_begins_with_assert.pml"""
    return re.search(r"\bd_step\s*\{\s*(assert|printf)\b", text) and re.search(r"\[\s*0\s*\]\s*of\b", text)


def kinds_seen_by_spin(ours):
    """Our kinds without what only choices account for that SPIN does not see."""
    return frozenset(message.split(":")[0] for message in ours.messages
                     if not UNSEEN_CHOICE.fullmatch(message))


def kinds_with_claim(kinds, claim):
    """The kinds of errors in a product, of which two are one: a run that the claim accepts is found by a cycle or by
    the end of the claim. We count a failed assertion of the claim itself among them, SPIN among those of the model."""
    same = OF_CLAIM | ({"assertion"} if "assert" in claim else set())
    return frozenset("claim" if kind in same else kind for kind in kinds)


def compare_with_claim(spin, ours, text):
    """The answers about a model with a never claim; a Disagreement or None."""
    if ours.outcome in ("crashed", "timeout"):
        return Disagreement("crash", ours.text)
    if spin.outcome not in ("complete", "incomplete") or "_nr_pr" in text:  # SPIN counts the claim as a process
        return None
    if ours.outcome != "complete":
        undecided = Disagreement("claim", f"SPIN decides the claim, ours does not\n{ours.text}")
        return undecided if spin.complete else None
    is_cut = "claim-violated" in ours.kinds  # tests/models/liveness_assertion_beyond_the_violation.pml
    if "runtime-error" in spin.kinds:
        return None if is_cut else kinds_differ({"runtime-error"}, ours)
    claim = NEVER.search(text)[0]
    theirs, mine = kinds_with_claim(spin.kinds, claim), kinds_with_claim(kinds_seen_by_spin(ours), claim)
    if not spin.complete and theirs < mine:
        return None  # what a limit of SPIN cut
    if is_cut and "claim" in theirs and mine <= theirs:
        return None
    if theirs - mine == {"claim"} and "timeout" in text:
        return None  # tests/models/liveness_timeout_elsewhere.pml
    if mine - theirs == {"claim"} and has_label_inside_sequence(text):
        return None  # tests/models/liveness_accept_amid_atomic.pml
    if theirs != mine:
        return Disagreement("claim", f"with the claim: SPIN {sorted(theirs)}, ours {sorted(mine)}; "
                                     f"SPIN: {spin.messages}, ours: {ours.messages}")
    return None


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


def extra_options(text):
    return ("--allow-c",) if EMBEDDED_C.search(text) else ()


class Differ:
    """Asks both sides about one text after another."""

    def __init__(self, spoor, oracle, folder=None, searches=SEARCHES, timeout=60, largest=None):
        self.spoor = spoor
        self.oracle = oracle
        self.folder = folder
        self.searches = searches
        self.timeout = timeout
        self.largest = largest  # models with more states are not compared; None: all are
        self.claim_oracle = LivenessOracle(oracle.folder, compiler=oracle.compiler, timeout=oracle.timeout)
        self.claims = collections.Counter()  # SPIN's answers about never claims

    def check(self, text, confirm=True):
        """SPIN's answer about safety, and the Disagreement, if any. gcc confirms one before it is told."""
        spin, found = self.check_safety(text, confirm)
        if found is None and not spin.rejected and NEVER.search(text):
            found = self.check_claim(text, confirm)
        return spin, found

    def check_safety(self, text, confirm):
        spin = self.oracle.ask(text)
        if self.largest is not None and spin.states > self.largest:
            return spin, None
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
            extra = extra_options(text)
            searches = self.searches if small else self.searches[:1]
            if extra:  # a run of the C compiler for each: one search, by chance
                searches = (self.searches[len(text) % len(self.searches)],)
            for search in searches:
                answers[search] = ask_spoor(self.spoor, path, search=search, timeout=seconds, extra=extra)
                is_excused = misreads_circle(spin, text) or (not spin.rejected and runs_amid_handshakes(text))
                if is_excused and answers[search].outcome not in ("crashed", "timeout"):
                    found = None
                elif blocks_other_processes(spin, text):
                    found = kinds_differ({"runtime-error"}, answers[search])
                else:
                    found = compare(spin, answers[search])
                if found is not None:
                    return found
        return compare_searches(answers) if len(answers) == len(SEARCHES) else None

    def check_claim(self, text, confirm):
        spin = self.claim_oracle.ask_for_all(text, "never")
        self.claims[("violated" if spin.kinds & OF_CLAIM else "other errors" if spin.kinds else "holds")
                    if spin.complete else "undecided"] += 1
        found = self.claim_against(spin, text)
        if found is not None and confirm and self.claim_oracle.compiler != "gcc":
            found = self.claim_against(self.claim_oracle.ask_for_all(text, "never", confirm=True), text)
        return found

    def claim_against(self, spin, text):
        """Asked twice: for all errors without a reduction, and for a verdict as a user asks."""
        extra = extra_options(text)
        with tempfile.TemporaryDirectory(dir=self.folder, prefix="ours-") as scratch:
            path = pathlib.Path(scratch, "model.pml")
            path.write_text(text)
            ours = ask_spoor(self.spoor, path, timeout=self.timeout, extra=(*extra, "--property", "never"))
            found = compare_with_claim(spin, ours, text)
            if found is not None or ours.outcome != "complete":
                return found
            usual = ask_spoor_about(self.spoor, path, "never", extra, self.timeout)
        met = {violation["kind"] for violation in (usual.report or {}).get("violations", [])}
        if usual.verdict == "violated" and not ours.kinds and not met & OF_CLAIM:
            return None  # an error of the model that a reduced search meets: docs/warts.md
        if usual.verdict != ("violated" if ours.kinds else "holds"):
            return Disagreement("claim", f"all errors: {sorted(ours.kinds)}, but as a user asks: {usual.verdict}")
        return None

    def same_failure(self, category):
        """For the shrinker: whether a smaller tree still fails in the same way."""
        searches = SEARCHES if category == "searches" else SEARCHES[:1]
        smaller = Differ(self.spoor, self.oracle, self.folder, searches, timeout=5)

        def still_fails(tree):
            _, found = smaller.check(str(tree), confirm=False)
            return found is not None and found.category == category
        return still_fails
