"""The shared corpus of real models with SPIN's answers (oracle.tsv), read for our tests.

Only the rows of mode `safety` are used. `disagreement` compares our answer with a row; the README of the
corpus explains the columns.
"""

import csv
import dataclasses
import pathlib

from lib.differential import Disagreement, compare
from lib.spin_oracle import Answer, kind_of

# Words in the verdict column, and the kinds of violation they are for us.
VERDICT_WORDS = {
    "deadlock": "deadlock",
    "assertion": "assertion",
    "assertion(index)": "runtime-error",
    "trace-error": "trace-assertion",
}

# Options of spin in the column spin_flags, and ours for the same.
OPTIONS = {"-m": "--lose-messages"}


@dataclasses.dataclass(frozen=True)
class Row:
    id: str
    path: pathlib.Path
    defines: tuple
    options: tuple       # ours
    verdict: str
    complete: bool
    states: int          # a lower bound unless complete
    transitions: int
    unreliable: bool     # SPIN damaged its own state: only the verdict counts

    @property
    def kinds(self):
        if self.verdict in ("no-error", "too-big", "syntax-error", "compile-error"):
            return frozenset()
        return frozenset(kind_of_word(word) for word in self.verdict.split("+"))


def kind_of_word(word):
    if word in VERDICT_WORDS:
        return VERDICT_WORDS[word]
    kind = kind_of(word.removeprefix("other:"))
    if kind is None:
        raise ValueError(f"no kind for '{word}' in the verdict column")
    return kind


def read_rows(corpus):
    with open(corpus / "oracle.tsv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if row["mode"] == "safety":
                yield Row(
                    id=row["id"], path=corpus / row["path"], defines=tuple(row["defines"].split()),
                    options=(*(OPTIONS[flag] for flag in row["spin_flags"].split()),
                             *(["--allow-c"] if ",c_" in f",{row['features']}" else [])),
                    verdict=row["verdict"],
                    complete=row["complete"] == "y", states=number(row["states"]),
                    transitions=number(row["transitions"]),
                    unreliable="COUNTS-UNRELIABLE" in row["note"])


def number(text):
    """A count or a lower bound such as >12; 0 where there is none."""
    digits = text.removeprefix(">")
    return int(digits) if digits.isdigit() else 0


def disagreement(row, ours):
    """The error in our answer, as a Disagreement; None when there is none."""
    if ours.outcome in ("crashed", "timeout"):
        return Disagreement("crash", f"{ours.outcome}: {ours.text}")
    if row.verdict == "compile-error":
        return None  # the C that SPIN writes for it does not compile: there is no answer of SPIN
    if row.verdict == "syntax-error":
        return None if ours.rejected else Disagreement("accepted", "SPIN rejects it")
    if ours.rejected:
        return Disagreement("rejected", f"SPIN accepts it: {ours.text}")
    if row.unreliable:
        if row.kinds & ours.kinds:
            return None
        return Disagreement("kinds", f"SPIN {row.verdict}, ours {sorted(ours.kinds)}")
    if row.complete:
        if ours.outcome == "incomplete":
            return None  # a limit of this run; the caller counts it apart
        spin = Answer("complete", states=row.states, transitions=row.transitions, kinds=row.kinds)
        return compare(spin, ours)
    return check_bounded(row, ours)


def check_bounded(row, ours):
    """SPIN did not finish: what it found must not be denied, and its count is a lower bound."""
    if ours.outcome == "incomplete":
        return None
    if not row.kinds <= ours.kinds:
        return Disagreement(
            "kinds", f"SPIN {row.verdict}, ours {sorted(ours.kinds)} after a complete search")
    if ours.states < row.states:
        return Disagreement(
            "states", f"complete with {ours.states}, but SPIN saw more than {row.states}")
    return None
