"""The `expect:` line in the header of our own models, and what it promises.

    expect: holds  states=38 transitions=65
    expect: violated assertion+deadlock  states=42 transitions=54
    expect: rejected

    property ltl:p: violated acceptance-cycle
    property accept: holds

The line `expect:` is about safety; a line `property` about one property of infinite runs. Both stand in
the first comment of the file. The counts are those of SPIN's canonical run and of ours with
`--reduce none --all-errors`; `counts-differ: reason` in the same comment says that only the verdict is
shared, and why (counts in the line `expect:` are then ours). Where SPIN is wrong, a line
`spin-says: violated assertion  states=4 transitions=5` keeps SPIN's answer beside ours; it can be `rejected`, too, or
`refused` (by SPIN's verifier, before it starts), and without counts SPIN's are not compared. `tests/expect.py` asks SPIN and writes the line `expect:`. The lines `property` are
compared with SPIN by tests/suites/test_liveness.py, unless `spin-differs:` says that it is another opinion.
"""

import dataclasses
import re

LINE = re.compile(
    r"expect:\s*(?P<verdict>holds|rejected|refused|violated\s+(?P<kinds>[a-z+-]+))"
    r"(?:\s+states=(?P<states>\d+)\s+transitions=(?P<transitions>\d+))?")
SPIN_SAYS = re.compile(LINE.pattern.replace("expect:", "spin-says:"))
PROPERTY = re.compile(r"^[ *]*property (?P<name>[\w:]+): (?P<verdict>holds|violated (?P<kind>[a-z-]+))\s*$", re.M)
KINDS = {"assertion", "deadlock", "runtime-error", "trace-assertion", "channel-assertion"}


class Malformed(Exception):
    """A model without an expectation that can be read."""


@dataclasses.dataclass(frozen=True)
class Expectation:
    rejected: bool
    kinds: frozenset
    states: int = None
    transitions: int = None
    spin: "Expectation" = None  # what SPIN is known to answer, where that is something else
    refused: bool = False       # by SPIN's verifier

    def of_spin(self):
        """What SPIN is known to answer."""
        return self.spin or self

    def differences(self, answer):
        """What contradicts it in an answer (of SPIN or ours); an empty list when nothing does."""
        if self.rejected or answer.rejected:
            return [] if self.rejected == answer.rejected else [f"outcome {answer.outcome}"]
        found = []
        if self.refused != (answer.outcome == "refused"):
            return [f"outcome {answer.outcome}"]
        if answer.kinds != self.kinds:
            found.append(f"kinds {sorted(answer.kinds)}, expected {sorted(self.kinds)}")
        if self.states is not None:
            if answer.outcome != "complete":
                found.append(f"outcome {answer.outcome}")
            for figure in ("states", "transitions"):
                if getattr(answer, figure) != getattr(self, figure):
                    found.append(f"{figure} {getattr(answer, figure)}, "
                                 f"expected {getattr(self, figure)}")
        return found


def header(text):
    end = text.find("*/")
    if not text.startswith("/*") or end < 0:
        raise Malformed("does not begin with a comment")
    return text[:end]


def promise(found):
    """What a line `expect:` or `spin-says:` says."""
    kinds = frozenset(found["kinds"].split("+")) if found["kinds"] else frozenset()
    if not kinds <= KINDS:
        raise Malformed(f"unknown kinds {sorted(kinds - KINDS)}")
    counts = (int(found["states"]), int(found["transitions"])) if found["states"] else (None, None)
    return Expectation(found["verdict"] == "rejected", kinds, *counts, refused=found["verdict"] == "refused")


def read_expectation(text):
    found = LINE.search(header(text))
    if not found:
        raise Malformed("no `expect:` line in its first comment")
    ours = promise(found)
    spin = SPIN_SAYS.search(header(text))
    differ = "counts-differ:" in header(text)
    if ours.states is None and not differ and not ours.rejected:
        raise Malformed("no counts")
    if spin:
        return dataclasses.replace(ours, spin=promise(spin))
    return dataclasses.replace(ours, spin=Expectation(ours.rejected, ours.kinds)) if differ else ours


def read_properties(text):
    """{property: kind of its violation, None where it holds}"""
    return {found["name"]: found["kind"] for found in PROPERTY.finditer(header(text))}


def write_expectation(text, answer):
    """The text with its line as SPIN's answer wants it."""
    if SPIN_SAYS.search(header(text)):
        return text  # SPIN's verdict is not the one to promise
    line = "expect: rejected" if answer.rejected else f"expect: {answer.expectation()}"
    if "counts-differ:" in header(text):  # the counts, if any, are ours
        line = line.split("  states=")[0] + "".join(LINE.search(text)[0].partition("  states=")[1:])
    new, changes = LINE.subn(line, text, count=1)
    if not changes:
        raise Malformed("no `expect:` line to write")
    return new
