"""The models of the experiment on hunts, at the sizes of the paper and at larger ones, and what was published.

Staunton, Clark: Finding Short Counterexamples in Promela Models Using Estimation of Distribution Algorithms (2011), table 2. Its second table named
phil-noloop128 is phil-loop128. Its lengths are statements as HSF-SPIN merges them, and its states those of paths, or taken from a queue: neither can be
compared with ours as a number, so a length stands beside the least that is known there (`least`).
"""

import dataclasses
import pathlib

HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    file: str                # in models/
    arguments: tuple = ()
    rival: str = "astar"     # the deterministic one of the paper
    least: int | None = None  # steps, where the model's comment says why it is not less
    is_long: bool = False    # twice the paper's size: not for the rivals

    @property
    def path(self):
        return HERE / "models" / self.file


def _runs(name, file, *arguments, **more):
    """A hunt for an infinite run that violates the formula of the model."""
    return Case(name, file, (*arguments, "--property", "ltl"), rival="indfs", **more)


CASES = (
    *(Case(f"phil-{kind}{n}", "philosophers.pml", (f"-DN={n}", *extra), least=n + 1, is_long=n > 128)
      for kind, extra in (("noloop", ()), ("loop", ("-DLOOP",))) for n in (64, 128, 250)),
    *(Case(f"deadlock-giop{n}", "giop.pml", (f"-DUSERS={n}",), is_long=n > 40) for n in (20, 40, 80)),
    Case("pots", "telephones.pml"),
    *(Case(f"leader{n}", "leader.pml", (f"-DN={n}",), is_long=n > 10) for n in (5, 10, 20)),
    _runs("alter", "alternating_bit.pml"),
    *(_runs(f"elev{n}", "elevator.pml", f"-DFLOORS={n}", is_long=n > 40) for n in (20, 40, 80)),
    *(_runs(f"ltlgiop{n}", "giop.pml", "-DRESPONSE", f"-DUSERS={n}", is_long=n > 20) for n in (10, 20, 40)),
    _runs("sgc", "plant.pml"),
)


@dataclasses.dataclass(frozen=True)
class Published:
    """Means of the EDA; then the deterministic search, which is None where it found nothing."""
    least: int | None       # the shortest that any of the searches of the paper found
    first: tuple            # length, generation, states
    best: tuple
    rival: tuple | None     # length, states
    hits: tuple = (100, 100)


PUBLISHED = {
    "pots": Published(67, (68.08, 19.34, 44293), (68.64, 42.15, 92287), (67, 7060)),
    "phil-noloop64": Published(258, (258, 6.35, 324209), (258, 6.35, 324209), (258, 258)),
    "phil-noloop128": Published(514, (514, 18.93, 1859307), (514, 18.93, 1859307), (514, 514)),
    "phil-loop64": Published(258, (611.4, 0, 1732), (268.84, 29.21, 826670), (258, 258)),
    "phil-loop128": Published(514, (1294.12, 0, 2766), (735.32, 68.62, 4267972), (514, 514)),
    "deadlock-giop20": Published(141, (197.4, 0, 140), (141, 0.48, 17554), None),
    "deadlock-giop40": Published(221, (283.29, 0, 190), (221, 0.39, 19836), None),
    "leader5": Published(55, (69.17, 0, 48), (55, 9.52, 69608), (58, 5108)),
    "leader10": Published(75, (124.24, 0, 83), (75.65, 86.86, 926074), (88, 4876999)),
    "alter": Published(8, (26.32, 0, 15), (8, 0, 202), (64, 32)),
    "elev20": Published(None, (767.72, 0.01, 4127), (378.88, 70.78, 1698200), (1159, 558)),
    "elev40": Published(None, (1196.82, 0.03, 8104), (578.98, 55.99, 2254850), (2039, 978)),
    "ltlgiop10": Published(None, (209.66, 0, 3154), (73.45, 111.54, 7291251), None),
    "ltlgiop20": Published(None, (348.9, 0, 57245), (96.58, 105.75, 44940817), None, (87, 87)),
    "sgc": Published(18, (19.54, 0, 4), (18, 0, 6), (46, 11)),
}
