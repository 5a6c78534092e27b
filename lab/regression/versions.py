"""The versions of each model.

There are three kinds:

paper     As in the published study: a new first statement in one method (an inline or a process), which decides by a
          random choice (here: by both) whether it changes a variable. Half of them change none: a print, a skip, an assertion.
random    One edit of the tests' generator in the body of one method: a statement deleted, doubled or moved, an option added,
          removed or doubled, a number or an operator changed.
history   Written by hand: each is a change of the version before, as an author would make it. The patches are in
          histories/MODEL/, and say what the author was doing.

The edits of the first two kinds are those of the base version. A seed makes each; `versions.json` lists the seeds that are used.
`choose` makes that list: methods in a random order, seeds in ascending order; an edit is passed over when the model
does not compile, is equal to an earlier one, or has more than GROWTH times the states of the base version at the small size.
"""

import dataclasses
import json
import pathlib
import random
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tests"))

from generator import mutate  # noqa: E402
from generator.tree import Node, at, code, is_declaration, replace, seq, walk  # noqa: E402
from regression.reader import read  # noqa: E402

LIST = HERE / "versions.json"
# As many as the study has of the like-named program; of three, two are of the kind `paper`.
COUNTS = {"alarm_clock": 13, "daisy": 13, "elevator": 29, "rax": 10, "replicated_workers": 28}
# N of each size. `lab` is the default of the model: a full check takes 3 to 6 s.
SIZES = {"small": {"alarm_clock": 2, "daisy": 2, "elevator": 1, "rax": 1, "replicated_workers": 1},
         "middle": {"alarm_clock": 3, "daisy": 4, "elevator": 2, "rax": 2, "replicated_workers": 3},
         "lab": {"alarm_clock": 4, "daisy": 5, "elevator": 3, "rax": 3, "replicated_workers": 4}}
GROWTH = 2.5
EDITS = {mutate.delete_statement: 3, mutate.swap_statements: 3, mutate.change_operator: 3, mutate.change_number: 3,
         mutate.double_statement: 1, mutate.edit_options: 2}


@dataclasses.dataclass(frozen=True)
class Version:
    model: str
    name: str
    kind: str    # paper, random, history
    what: str
    text: str


def base(model):
    return Version(model, "base", "base", "the base version", (HERE / "models" / f"{model}.pml").read_text())


def methods(tree):
    """Paths of the inlines and processes."""
    return [path for path, node in walk(tree) if node.kind == "proc"]


def name_of(method):
    return method.kids[0].text.partition("(")[0].split()[-1]


def variables(tree):
    """Global variables that can be assigned, without arrays and records."""
    declared = [node.text.split() for node in tree.kids if node.kind == "code" and node.text.split()[0] in ("bit", "bool", "byte", "short", "int")]
    return [words[1] for words in declared if "[" not in words[1]]


def insert_first(tree, path, statement):
    body = at(tree, path).kids[1]
    declarations = sum(is_declaration(kid) for kid in body.kids)
    statements = [*body.kids[:declarations], statement, *body.kids[declarations:]]
    return replace(tree, (*path, 1), seq(statements))


def maybe(statement):
    return Node("if", "", [seq([code(statement)]), seq([code("true")])])


def paper_edit(tree, path, rng):
    """What was done, and the tree."""
    what = rng.choice(("new variable", "existing variable", "existing variable", "print", "skip", "assertion"))
    if what == "new variable":
        edited = insert_first(tree, path, maybe("added = 1 - added"))
        return "a new variable is changed", edited.with_kids([code("byte added"), *edited.kids])
    if what == "existing variable":
        variable = rng.choice(variables(tree))
        return f"{variable} is changed", insert_first(tree, path, maybe(f"{variable} = {rng.choice((0, 1))}"))
    statement = {"print": 'printf("here\\n")', "skip": "skip", "assertion": "assert(true)"}[what]
    return f"a new statement, {statement}", insert_first(tree, path, maybe(statement))


def random_edit(tree, path, rng):
    body = at(tree, path).kids[1]
    while True:
        edit = rng.choices(list(EDITS), EDITS.values())[0]
        edited = edit(body, rng)
        if edited is not None and str(edited) != str(body):
            return edit.__name__.replace("_", " "), replace(tree, (*path, 1), edited)


def simulated(model, kind, seed, method):
    """The version with one edit in the method of this name."""
    tree = read(base(model).text)
    [path] = [path for path in methods(tree) if name_of(at(tree, path)) == method]
    what, edited = {"paper": paper_edit, "random": random_edit}[kind](tree, path, random.Random(f"{model} {kind} {seed}"))
    return Version(model, f"{kind}-{seed}", kind, f"{method}: {what}", f"{edited}\n")


def history(model):
    """The versions of the history, in order."""
    text = base(model).text
    for path in sorted((HERE / "histories" / model).glob("*.patch")):
        patch = path.read_text()
        text = apply(patch, text)
        yield Version(model, path.stem, "history", patch.partition("\n")[0], text)


def apply(patch, text):
    """The text with a unified patch; its lines must be where the patch says."""
    old, new, at_line = text.splitlines(), [], 0
    lines = patch.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("@@"))
    for line in lines[first:]:
        if line.startswith("@@"):
            start = int(line.split()[1].partition(",")[0].removeprefix("-")) - 1
            new += old[at_line:start]
            at_line = start
        elif line.startswith("+"):
            new.append(line[1:])
        else:
            if old[at_line] != line[1:]:
                raise ValueError(f"the patch does not fit at line {at_line + 1}: {line}")
            new += [] if line.startswith("-") else [old[at_line]]
            at_line += 1
    return "\n".join([*new, *old[at_line:]]) + "\n"


def versions(model):
    """All simulated versions, then the history."""
    return [simulated(model, **entry) for entry in json.loads(LIST.read_text())[model]] + list(history(model))


def small_states(program, folder, version):
    """The number of states at the small size, or None where the version does not compile or the search does not end."""
    path = folder / "model.pml"
    path.write_text(version.text)
    ran = subprocess.run([program, "check", "--json", "--property", "safety", "--exec", "interp", "--threads", "1", "--time", "10", "--ledger", "none",
                          "--coverage", "off", "-D", f"N={SIZES['small'][version.model]}", path], capture_output=True, text=True, check=False)
    return json.loads(ran.stdout)["states"] if ran.returncode in (0, 1) else None


def choose(program, folder):
    """Makes the list anew."""
    chosen = {}
    for model, count in COUNTS.items():
        most = GROWTH * small_states(program, folder, base(model))
        tree = read(base(model).text)
        names = sorted(name_of(at(tree, path)) for path in methods(tree))
        random.Random(model).shuffle(names)
        chosen[model] = entries = []
        texts = set()
        seed = 0
        while len(entries) < count:
            entry = {"kind": "random" if len(entries) % 3 == 2 else "paper", "seed": seed, "method": names[seed % len(names)]}
            seed += 1
            version = simulated(model, **entry)
            states = small_states(program, folder, version)
            if states is not None and states <= most and version.text not in texts:
                entries.append(entry)
                texts.add(version.text)
    lines = [f'  "{model}": [\n' + ",\n".join(f"    {json.dumps(entry)}" for entry in entries) + "\n  ]" for model, entries in chosen.items()]
    LIST.write_text("{\n" + ",\n".join(lines) + "\n}\n")
