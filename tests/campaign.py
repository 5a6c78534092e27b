#!/usr/bin/env python3
"""A long differential campaign: random models, SPIN against ours, disagreements shrunk.

    tests/campaign.py --count 10000 --seed 1 --spoor build/release/bin/spoor

Prints each disagreement as a small model with the seed that made it, and closes with a tally. With
--save DIR the shrunk models are kept there. With --spin-only no model is run by us: the tally then
shows what the generator makes of the language. Exit code 1 when something disagreed.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from generator import FEATURES, WIDE, generate, shrink  # noqa: E402
from lib.differential import Differ  # noqa: E402
from lib.spin_oracle import Oracle  # noqa: E402


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000, help="models to make (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="first seed (default 1)")
    parser.add_argument("--errors", action="store_true", help="models that aim at run-time errors")
    parser.add_argument("--features", help="only these, separated by commas: " + ", ".join([*FEATURES, *WIDE]))
    parser.add_argument("--wide", action="store_true", help="at least one of " + ", ".join(WIDE) + " in each model")
    parser.add_argument("--spoor", type=pathlib.Path, default=ROOT / "build/release/bin/spoor")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--save", type=pathlib.Path, help="folder for models that disagree")
    parser.add_argument("--stop-after", type=int, default=20, help="disagreements (default 20)")
    parser.add_argument("--tries", type=int, default=400, help="of the shrinker, for each model")
    parser.add_argument("--spin-only", action="store_true", help="only measure the generator")
    return parser.parse_args()


def main():
    os.environ["SPOOR_LEDGER"] = "none"
    chosen = options()
    features = chosen.features.split(",") if chosen.features else None
    if chosen.save:
        chosen.save.mkdir(parents=True, exist_ok=True)
    tally, sizes, failures, started = collections.Counter(), [], 0, time.monotonic()
    with tempfile.TemporaryDirectory(prefix="campaign-") as folder:
        oracle = Oracle(folder, timeout=3, memory_mb=16)
        differ = Differ(chosen.spoor, oracle, folder)

        def one(seed):
            model = generate(seed, chosen.errors, features, chosen.wide)
            if chosen.spin_only:
                return model, oracle.ask(model.text), None
            spin, found = differ.check(model.text)
            return model, spin, found

        with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
            seeds = range(chosen.seed, chosen.seed + chosen.count)
            for model, spin, found in pool.map(one, seeds):
                tally[spin.outcome] += 1
                if spin.complete:
                    tally["+".join(sorted(spin.kinds)) or "holds"] += 1
                    sizes.append(spin.states)
                if found is None:
                    continue
                failures += 1
                report(model, found, differ, chosen)
                if failures >= chosen.stop_after:
                    pool.shutdown(wait=False, cancel_futures=True)
                    break
    sizes.sort()
    deciles = [sizes[len(sizes) * tenth // 10] for tenth in range(10)] + sizes[-1:] if sizes else []
    print(f"{sum(tally[o] for o in OUTCOMES)} models in {time.monotonic() - started:.0f} s: "
          + ", ".join(f"{name} {count}" for name, count in sorted(tally.items())))
    if differ.claims:
        print("never claims, as SPIN answers: " + ", ".join(f"{n} {c}" for n, c in sorted(differ.claims.items())))
    print(f"states, in tenths of the models: {deciles}")
    print(f"{failures} disagreements")
    return 1 if failures else 0


OUTCOMES = ("complete", "incomplete", "rejected", "refused", "uncompiled", "crashed", "timeout")


def report(model, found, differ, chosen):
    small = shrink(model.tree, differ.same_failure(found.category), chosen.tries)
    _, now = differ.check(str(small))
    flags = "".join(f" --{name}" for name in ("wide", "errors") if getattr(chosen, name))
    text = (f"/* seed {model.seed}{flags}, {found.category}: "
            f"{(now or found).text.strip()} */\n{small}")
    print(text, flush=True)
    if chosen.save:
        (chosen.save / f"{found.category}_{model.seed}.pml").write_text(text)


if __name__ == "__main__":
    sys.exit(main())
