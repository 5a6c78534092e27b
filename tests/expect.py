#!/usr/bin/env python3
"""Asks SPIN about our own models and compares, or writes, their `expect:` lines.

    tests/expect.py               compare all of examples/ and tests/models/
    tests/expect.py --write FILE...   write the lines of these files

A new model begins with a line such as `expect: holds`; --write adds the counts. When it also turns
the verdict around, look twice at the model before looking at SPIN.
"""

import argparse
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from lib.expectations import LINE, Malformed, read_expectation, write_expectation  # noqa: E402
from lib.spin_oracle import Oracle  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="change the files")
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    ours = [*ROOT.glob("examples/*.pml"), *ROOT.glob("tests/models/*.pml")]
    models = options.models or sorted(ours)
    oracle = Oracle(timeout=120, memory_mb=2048, max_depth=1_000_000)
    wrong = 0
    for path in models:
        text = path.read_text()
        answer = oracle.ask_file(path)
        try:
            if options.write:
                new = write_expectation(text, answer)
                if new != text:
                    path.write_text(new)
                    print(f"{path.name}: {LINE.search(text)[0]}  ->  {LINE.search(new)[0]}  "
                          f"{answer.outcome} {' | '.join(answer.messages)}")
                continue
            differences = read_expectation(text).of_spin().differences(answer)
        except Malformed as problem:
            differences = [str(problem)]
        if differences:
            wrong += 1
            print(f"{path.name}: {'; '.join(differences)}  {' | '.join(answer.messages)}")
    print(f"{len(models)} models, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
