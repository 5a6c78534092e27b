"""Properties of infinite runs, on models of the shared corpus: the rows that SPIN decides and that take long enough.

The corpus is other people's work and not part of the project; where it is not there, nothing is compared.
"""

import pathlib

from harness.models import Sized

CORPUS = pathlib.Path(__file__).resolve().parent.parent.parent.parent / "shared" / "corpus" / "models"

# name, file, property, defines; all of them hold
ROWS = (
    ("leader p0", "spin-examples/LTL/leader.pml", "ltl:p0", ()),
    ("leader p1", "spin-examples/LTL/leader.pml", "ltl:p1", ()),
    ("leader p2", "spin-examples/LTL/leader.pml", "ltl:p2", ()),
    ("train c1", "spin-examples/LTL/train.pml", "ltl:c1", ()),
    ("train c5", "spin-examples/LTL/train.pml", "ltl:c5", ()),
    ("pftp.ses", "spin-examples/Book_1991/p337.pftp.ses.pml", "progress", ()),
    ("pftp.ses5", "spin-examples/Book_1991/p347.pftp.ses5.pml", "progress", ()),
    ("giop", "hsf-spin/assertion.giop.prm", "progress", ("-DN=2", "-DM=1")),
    ("brp", "spins-casestudies/brp/brp.prm", "never", ()),
    ("peterson3", "ltsmin-examples/peterson3.pml", "never", ()),
    ("tcg-exclusive", "qemu-spin/tcg-exclusive.promela", "never", ()),
    ("Daisy1", "itstools-samples/Daisy1.pml", "progress", ()),
)
QUICK = ("leader p0", "giop")


def rows(quick):
    """The rows as models of the benchmark; empty without the corpus."""
    found = []
    for name, file, wanted, defines in ROWS:
        path = CORPUS / file
        if not path.exists() or (quick and name not in QUICK):
            continue
        pan = ("-l",) if wanted == "progress" else ("-a",)
        if wanted.startswith("ltl:"):
            pan += ("-N", wanted.removeprefix("ltl:"))
        found.append(Sized(name, path, "quick" if quick else "full", defines, 0, 0,
                           gcc=("-DNP",) if wanted == "progress" else (), pan=pan,
                           ours=("--property", wanted)))
    return found
