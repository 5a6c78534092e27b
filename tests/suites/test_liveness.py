"""Properties of infinite runs: formulas, never claims, accept and progress labels.

Three references, none of which shares code with the program:
  - the real SPIN, about random models with random formulas (tests/generator/liveness.py) and the shared corpus;
  - a reference in this file: the exported graph of a model, the automaton of the negated formula in the HOA
    format, their product and a search for components, all of it read anew here;
  - SPIN's simulator, which must be able to follow the trails of our lassos.

A verdict of SPIN counts when all its reductions are off. With --long the random tests take twenty times as
many models.
"""

import concurrent.futures
import csv
import dataclasses
import json
import os
import pathlib
import re
import sys
import tempfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from generator import generate_case, shrink  # noqa: E402
from lib.differential import options_for  # noqa: E402
from lib.expectations import header, read_properties  # noqa: E402
from lib.liveness import LivenessOracle, ask_spoor_about, has_label_inside_sequence  # noqa: E402

SHOWN = 3
SHRINK_TRIES = 150
LEAST_DECIDED = 0.5  # of the random cases; in each test at least a tenth must hold, and a tenth be violated
# Every case is checked in each of these ways, every fifth one by compiled code too (a compiler run each).
# --check-reduction makes a plan for the reduction however small the model is, and compares its verdict itself.
WAYS = [(), ("--reduce", "none", "--store", "exact"), ("--exec", "interp", "--store", "tree"), ("--check-reduction",)]
COMPILED = [("--exec", "native"), ("--exec", "both", "--reduce", "none")]

CORPUS_STATES = 500_000   # of the product that SPIN explored; every row that it decided has fewer
CORPUS_MODES = {"never": "never", "acceptance": "accept", "nonprogress": "progress"}


# Random cases


@dataclasses.dataclass(frozen=True)
class Question:
    text: str
    wanted: str
    compares_states: bool = True  # ours are not more than SPIN's; a claim with jumps can have more locations here


def question_of(oracle, case, mode):
    """What is asked about a case; None where SPIN has no claim for its formula."""
    if mode == "written":
        return Question(str(case.tree), "never", compares_states=False)
    if mode == "ltl":
        return Question(str(case.with_ltl()), "ltl:p")
    if mode == "never":
        claim = oracle.claim_of(str(case.formula))
        return claim and Question(str(case.with_claim(claim)), "never")
    return Question(str(case.tree), mode)


def ask_ours(ctx, question, way):
    with tempfile.TemporaryDirectory(dir=ctx.tmp, prefix="ours-") as folder:
        path = pathlib.Path(folder, "m.pml")
        path.write_text(question.text)
        return ask_spoor_about(ctx.spoor, path, question.wanted, way,
                               env={**os.environ, "XDG_CACHE_HOME": str(ctx.cache)})


def disagreement(ctx, oracle, question, with_compiled=False):
    """(SPIN's verdict, what is wrong with ours or None)"""
    spin = oracle.ask(question.text, question.wanted)
    if spin.verdict in (None, "rejected"):  # what SPIN rejects is the business of test_differential
        return None, None
    ours = {way: ask_ours(ctx, question, way) for way in WAYS + (COMPILED if with_compiled else [])}
    wrong = {" ".join(way): answer.verdict for way, answer in ours.items() if answer.verdict != spin.verdict}
    if is_known_fault_of_spin(question, spin.verdict, wrong, ours):
        return None, None
    if wrong:
        return spin.verdict, f"SPIN {spin.verdict}, ours {wrong}"
    if question.wanted.startswith("ltl:"):
        reduced = oracle.ask(question.text, question.wanted, reduce=True)
        if reduced.verdict not in (spin.verdict, None):
            return spin.verdict, f"SPIN {spin.verdict}, with its reductions {reduced.verdict}"
    if spin.verdict == "holds" and question.compares_states:
        mine = ours[WAYS[1]].states
        if mine > spin.states:
            return spin.verdict, f"{mine} states, but SPIN has {spin.states}"
    return spin.verdict, None


def is_known_fault_of_spin(question, verdict, wrong, ours):
    """Where we all contradict it, and know why.

    A cycle that is none, because the model has a `timeout` somewhere: tests/models/liveness_timeout_elsewhere.pml. And one that it does not see, because the
    accept label stands inside an atomic sequence: tests/models/liveness_accept_amid_atomic.pml.
    """
    if len(wrong) != len(ours) or len(set(wrong.values())) != 1:
        return False
    mine = next(iter(wrong.values()))
    if (verdict, mine) == ("violated", "holds"):
        return "timeout" in question.text
    return (verdict, mine) == ("holds", "violated") and has_label_inside_sequence(question.text)


def is_beyond_comparison(question):
    """What SPIN and we count differently.

    Where there is a claim, SPIN's verifier counts it in _nr_pr.
    """
    return question.wanted != "accept" and "_nr_pr" in question.text


def agree(ctx, mode, first_seed, count, features=None):
    if not LivenessOracle.available():
        ctx.skip("spin is not installed")
    oracle = LivenessOracle(ctx.tmp)
    count = count * 20 if ctx.long else max(10, count // 5) if ctx.slow else count

    def one(seed):
        case = generate_case(seed, features)
        question = question_of(oracle, case, mode)
        if question is None or is_beyond_comparison(question):
            return case, None, None
        return case, *disagreement(ctx, oracle, question, with_compiled=seed % 5 == 0)

    verdicts, failures = [], []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for case, verdict, found in pool.map(one, range(first_seed, first_seed + count)):
            verdicts.append(verdict)
            if found is not None:
                failures.append((case, found))
    for case, found in failures[:SHOWN]:
        print(f"seed {case.seed}, {mode}: {found}\n{smallest(ctx, oracle, case, mode, found)}\n")
    assert not failures, f"{len(failures)} of {count} cases disagree"
    decided = sum(verdict in ("holds", "violated") for verdict in verdicts)
    assert decided >= LEAST_DECIDED * count, f"only {decided} of {count} were decided"
    for verdict in ("holds", "violated"):
        assert verdicts.count(verdict) >= 0.1 * count, f"only {verdicts.count(verdict)} of {count}: {verdict}"


def smallest(ctx, oracle, case, mode, found):
    """The text of a smaller case with the same disagreement."""
    def question(tree):
        smaller = case.having(tree) if mode == "ltl" else dataclasses.replace(case, tree=tree)
        return question_of(oracle, smaller, mode)

    def still_fails(tree):
        asked = question(tree)
        return asked is not None and not is_beyond_comparison(asked) and disagreement(ctx, oracle, asked)[1] == found

    tree = case.with_ltl() if mode == "ltl" else case.tree
    return question(shrink(tree, still_fails, SHRINK_TRIES)).text


TOGGLES = "byte x; active proctype P() { do :: x = 1 - x od }\n"


def test_a_never_claim_is_checked_without_being_asked_for(ctx):
    path = ctx.tmp / "toggles.pml"
    path.write_text(TOGGLES + "never { do :: true :: x == 1 -> goto accept_all od; accept_all: skip }\n")
    for options in ((), ("-q",)):
        result = ctx.run_spoor(["check", path, *options])
        assert result.code == 1, result.out
        assert "safety: holds" in result.out and "never: violated" in result.out, result.out
    assert "not checked" not in ctx.run_spoor(["check", path]).out


def test_a_claim_that_cannot_be_checked_leaves_the_outcome_open(ctx):
    path = ctx.tmp / "toggles.pml"
    path.write_text(TOGGLES + "never n { do :: x = 0 od }\n")
    for options in ((), ("-q",)):
        result = ctx.run_spoor(["check", path, *options])
        assert result.code == 3 and "never: unknown: this claim cannot be checked: " in result.out, result.out
    assert ctx.run_spoor(["check", path, "--property", "safety"]).code == 0


def test_a_formula_that_no_state_decides_is_decided(ctx):
    path = ctx.tmp / "toggles.pml"
    path.write_text(TOGGLES + "ltl yes { [] (x == 0 || !(x == 0)) }\nltl no { <> false }\nltl p { [] (x < 2) }\n"
                    "ltl odd { [] x == 1 }\nltl three { [] x == 3 }\nltl even { [] x == 0 }\nltl stuck { [] timeout }\n")
    result = ctx.run_spoor(["check", path])
    assert result.code == 1 and result.err.count("W153") == 3 and result.err.count("W151") == 3, result.err
    for line in ("ltl:yes: holds trivially: the formula is true in every model", "ltl:no: violated", "ltl:p: holds: no run", "ltl:odd: violated",
                 "ltl:three: violated", "ltl:even: holds: no run", "ltl:stuck: unknown: this claim cannot be checked: a claim cannot use timeout"):
        assert f"\n{line}" in result.out, result.out
    # Of several formulas the others are checked, also where the first one cannot be.
    path.write_text(TOGGLES + "ltl odd { [] timeout }\nltl p { [] (x < 2) }\n")
    result = ctx.run_spoor(["check", path, "--property", "ltl"])
    assert result.code == 3 and "ltl:p: holds" in result.out and "P346" in result.err, (result.out, result.err)
    report = json.loads(ctx.run_spoor(["check", path, "--property", "ltl", "--json"]).out)
    assert report["verdict"] == "unknown" and report["states"] > 0 and report["model_sha256"], report
    path.write_text(TOGGLES + "ltl odd { [] timeout }\nltl even { <> timeout }\n")
    assert ctx.run_spoor(["check", path, "--property", "ltl"]).code == 2
    path.write_text(TOGGLES)
    for formula, code in (("x || !x", 0), ("<> false", 1)):
        result = ctx.run_spoor(["check", path, "--property", "ltl:given", "--ltl", formula])
        assert result.code == code and "W153" in result.err, (formula, result.code, result.out)


def test_early_violations_are_found_early_in_every_store(ctx):
    """The cycle is near the initial state; three counters beside it have millions of states."""
    path = ctx.tmp / "early.pml"
    path.write_text("""byte a, b, c, d;
active proctype Loop() { do :: a = 1 - a od }
active proctype Many() { do :: b++ :: c++ :: d++ od }
active proctype Waits() { accept: do :: a == 1 -> skip od }
ltl never_two { <> (a == 2) }
ltl stays { <> [] (a == 1) }
ltl seven { [] (a == 1 -> <> (b == 7)) }
""")
    for wanted in ("ltl:never_two", "ltl:stays", "ltl:seven", "accept", "progress"):
        states = {}
        for store in ("exact", "tree", "compact", "bitstate"):
            result = ctx.run_spoor(["check", path, "--json", "--property", wanted, "--store", store, "--reduce", "none",
                                    "--threads", "1", "--time", "20", "--memory", "1G"])
            assert result.code == 1, (wanted, store, result.out, result.err)
            states[store] = json.loads(result.out)["states"]
        assert max(states.values()) < 2000 and len(set(states.values())) == 1, (wanted, states)


def test_all_errors_of_a_claim_are_found_behind_the_first(ctx):
    """With reductions the first states are searched by themselves, and an error there is not all."""
    path = ctx.tmp / "m.pml"
    path.write_text("short x;\nactive proctype P() { do :: x < 2000 -> x++; assert(x != 3) :: else -> break od }\n"
                    "active proctype Q() { skip }\nltl p { [] (x < 1500) }\n")
    for reduce in ("none", "default"):
        for all_errors, kinds in (((), ["assertion"]), (("--all-errors",), ["assertion", "claim-violated"])):
            ran = ctx.run_spoor(["check", "--json", "--property", "ltl:p", "--reduce", reduce, *all_errors, path])
            report = json.loads(ran.out)
            assert ran.code == 1 and report["limit"] is None or not all_errors, (reduce, report["limit"])
            assert sorted(violation["kind"] for violation in report["violations"]) == kinds, (reduce, all_errors)


def test_labels_that_are_not_checked_are_named(ctx):
    path = ctx.tmp / "labels.pml"
    path.write_text("byte x;\nactive proctype P() {\naccept: x = 1; do :: progress: x = 1 - x :: progress2: skip od }\n")
    result = ctx.run_spoor(["check", path])
    assert result.code == 0, result.out
    assert "not checked: 1 accept label, at" in result.out and "labels.pml:3 (--property accept does)" in result.out, result.out
    assert "not checked: 2 progress labels, the first at" in result.out, result.out
    assert "not checked" not in ctx.run_spoor(["check", path, "--property", "safety"]).out


def test_random_formulas_agree_with_spin(ctx):
    agree(ctx, "ltl", 20_000_000, 60)


def test_random_formulas_over_rendezvous_and_atomic_agree_with_spin(ctx):
    agree(ctx, "ltl", 21_000_000, 30, {"rendezvous", "atomic", "else", "gotos"})


def test_never_claims_of_spin_agree_with_it(ctx):
    agree(ctx, "never", 22_000_000, 40)


def test_random_never_claims_agree_with_spin(ctx):
    """Claims as users write them: with else, indivisible sequences, assertions and an end."""
    agree(ctx, "written", 28_000_000, 40, {"never", "gotos", "buffered", "atomic"})


def test_random_accept_labels_agree_with_spin(ctx):
    agree(ctx, "accept", 23_000_000, 40)


def test_random_progress_labels_agree_with_spin(ctx):
    agree(ctx, "progress", 24_000_000, 40)


def test_a_formula_and_the_never_claim_that_spin_makes_of_it_have_one_verdict(ctx):
    """Also where SPIN could not decide the model."""
    if not LivenessOracle.available():
        ctx.skip("spin is not installed")
    oracle, compared = LivenessOracle(ctx.tmp), 0
    for seed in range(25_000_000, 25_000_000 + (600 if ctx.long else 30)):
        case = generate_case(seed)
        formula = Question(str(case.with_ltl()), "ltl:p")
        bare = case.having(case.with_ltl())  # without accept labels
        claim = question_of(oracle, bare, "never")
        if claim is None:
            continue
        first, second = ask_ours(ctx, formula, ()), ask_ours(ctx, claim, ())
        if first.verdict == "rejected":
            continue
        assert first.verdict == second.verdict, (seed, first.verdict, second.verdict, formula.text, claim.text)
        # On the command line the same formula means the same.
        given = ask_ours(ctx, Question(str(bare.tree), "ltl:given"), ("--ltl", str(case.formula)))
        assert given.verdict == first.verdict, (seed, given.text, formula.text)
        compared += 1
    assert compared >= 15, compared


# Fairness


FAIR_FEATURES = ({"buffered", "else", "gotos"}, {"atomic", "else", "skips"}, {"gotos", "arrays", "d_step"})
FAIR_PROCESSES = 4


def test_fair_runs_are_those_that_a_formula_says_are_fair(ctx):
    """enabled() and _last can express fairness: a process that can move infinitely often moves infinitely often.
    So a formula with that for a premise must have the verdict that the formula alone has with --fair."""
    fair = " && ".join(f"([]<> (!(enabled({i})) || (_last == {i})))" for i in range(FAIR_PROCESSES))
    verdicts = []
    for seed in range(27_000_000, 27_000_000 + (800 if ctx.long else 40)):
        case = generate_case(seed, FAIR_FEATURES[seed % len(FAIR_FEATURES)])
        plain = str(case.with_ltl())
        if "_last" in plain or "_nr_pr" in plain:
            continue
        said = ask_ours(ctx, Question(f"{plain}\nltl said {{ ({fair}) -> ({case.formula}) }}", "ltl:said"), ())
        meant = {way: ask_ours(ctx, Question(plain, "ltl:p"), ("--fair", *way)) for way in WAYS[:3]}
        if said.verdict is None:
            continue
        assert {m.verdict for m in meant.values()} == {said.verdict}, (seed, said.text, plain, meant)
        verdicts.append(said.verdict)
    assert min(verdicts.count("holds"), verdicts.count("violated")) >= 5, verdicts


def test_fair_runs_may_end(ctx):
    """SPIN misses this one (nimble-code/Spin issue 38): P, then Q, then nothing."""
    model = "byte n; active proctype P() { n = 1 } active proctype Q() { n = 2 } ltl test { <>[] (n == 1) }"
    assert ask_ours(ctx, Question(model, "ltl:test"), ("--fair",)).verdict == "violated"


def test_fairness_matters(ctx):
    model = ("byte x; active proctype P() { do :: x = 0 od } active proctype Q() { do :: x = 1 od }\n"
             "active proctype R() { do :: skip; progress_r: skip od }\n"
             "ltl often { []<> (x == 1) } ltl stays { <>[] (x == 1) }")
    expected = {"ltl:often": ("violated", "holds"), "ltl:stays": ("violated", "violated"),
                "progress": ("violated", "holds")}
    for wanted, (any_run, fair_run) in expected.items():
        for way in (("--exec", "interp"), ("--exec", "both")):
            assert ask_ours(ctx, Question(model, wanted), way).verdict == any_run, (wanted, way)
            assert ask_ours(ctx, Question(model, wanted), ("--fair", *way)).verdict == fair_run, (wanted, way)


def test_fairness_has_room_for_sixty_processes(ctx):
    model = "byte x; proctype P() { do :: x = 1 od } init { byte i; for (i : 1 .. 60) { run P() } } ltl p { <> (x == 2) }"
    ours = ask_ours(ctx, Question(model, "ltl:p"), ("--fair", "--time", "20"))
    assert ours.verdict == "rejected" and "60 processes" in ours.report["error"], ours.text


# Vacuity


def test_a_premise_that_never_happens_is_named(ctx):
    model = ("byte x; active proctype P() { do :: x = (x + 1) % 3 od }\n"
             "ltl idle { [] (x == 7 -> <> (x == 9)) } ltl busy { [] (x == 1 -> <> (x == 2)) }\n"
             "ltl half { [] ((x == 0 -> <> (x == 1)) && (x == 5 -> <> (x == 6))) } ltl wrong { [] (x == 1 -> <> (x == 7)) }")
    expected = {"idle": ["(x==7)"], "busy": [], "half": ["(x==5)"], "wrong": []}
    for name, premises in expected.items():
        for way in WAYS:
            ours = ask_ours(ctx, Question(model, f"ltl:{name}"), way)
            assert ours.verdict == ("violated" if name == "wrong" else "holds"), (name, ours.text)
            assert [entry["premise"] for entry in ours.report["vacuous"]] == premises, (name, way, ours.text)


# Our own models


def models_with_properties(ctx):
    found = [(path, name, kind) for path in sorted((ctx.root / "tests" / "models").glob("*.pml"))
             for name, kind in read_properties(path.read_text()).items()]
    assert len(found) >= 15, found
    return found


def test_our_models_have_the_verdicts_in_their_headers(ctx):
    for path, name, kind in models_with_properties(ctx):
        for way in WAYS + COMPILED:
            ours = ask_spoor_about(ctx.spoor, path, name, way, env={**os.environ, "XDG_CACHE_HOME": str(ctx.cache)})
            assert ours.verdict == ("violated" if kind else "holds"), (path.name, name, way, ours.text)
            kinds = [violation["kind"] for violation in ours.report["violations"]]
            assert kinds == ([kind] if kind else []), (path.name, name, way, kinds)


@pytest.mark.other_program
def test_spin_agrees_with_the_headers_of_our_models(ctx):
    if not LivenessOracle.available():
        ctx.skip("spin is not installed")
    oracle = LivenessOracle(ctx.tmp)
    for path, name, kind in models_with_properties(ctx):
        text = path.read_text()
        verdicts = {reduce: oracle.ask(text, name, reduce=reduce).verdict for reduce in (False, True)}
        is_same = set(verdicts.values()) == {"violated" if kind else "holds"}
        assert is_same != ("spin-differs:" in header(text)), (path.name, name, verdicts)


# The reference: a graph, an automaton, their product


def read_aut(text):
    """The edges (label, target) of each state, and the first state."""
    first, _, states = map(int, re.match(r"des \((\d+), (\d+), (\d+)\)", text).groups())
    edges = [[] for _ in range(states)]
    for source, label, target in re.findall(r'^\((\d+), "(.*)", (\d+)\)$', text, re.M):
        edges[int(source)].append((label, int(target)))
    return edges, first


def read_hoa(text):
    """(initial, names of atoms, [[(guard, target, is accepting)]]) of a state-based Buchi automaton."""
    names = re.findall(r'"([^"]*)"', re.search(r"^AP: \d+(.*)$", text, re.M)[1])
    start = re.search(r"^Start: (\d+)$", text, re.M)
    states = []
    for line in text[text.index("--BODY--"):].splitlines()[1:]:
        if line.startswith("State:"):
            accepting = "{0}" in line
            states.append([])
        elif found := re.match(r"\[(.*)\] (\d+)", line):
            states[-1].append((guard_of(found[1]), int(found[2]), accepting))
    return int(start[1]) if start else None, names, states


def guard_of(text):
    python = re.sub(r"\bt\b", "True", text.replace("|", " or ").replace("&", " and ").replace("!", " not "))
    python = re.sub(r"\b(\d+)\b", r"letter[\1]", python)
    compiled = compile(python.strip(), text, "eval")
    return lambda letter: eval(compiled, {"letter": letter})


def components(successors, start):
    """Tarjan's algorithm, without recursion: every strongly connected component that can be reached."""
    number, low, stack, on_stack, found = {}, {}, [], set(), []
    work = [(start, iter(successors(start)))]
    number[start] = low[start] = 0
    stack.append(start)
    on_stack.add(start)
    while work:
        node, rest = work[-1]
        for target, *_ in rest:
            if target not in number:
                number[target] = low[target] = len(number)
                stack.append(target)
                on_stack.add(target)
                work.append((target, iter(successors(target))))
                break
            if target in on_stack:
                low[node] = min(low[node], number[target])
        else:
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == number[node]:
                part = set()
                while node not in part:
                    part.add(stack.pop())
                on_stack -= part
                found.append(part)
    return found


WATCH = "Watch"  # and the number of the atom


def labelled_graph(ctx, case):
    """The graph of a model and the atoms true in each state; None when it is too large. A process for each atom,
    added to the model, stutters wherever it holds: its loops in the graph label the states."""
    names = list(case.atoms)
    watches = "".join(f"active proctype {WATCH}{i}() {{ do :: {name} od }}\n" for i, name in enumerate(names))
    model = ctx.tmp / "watched.pml"
    model.write_text(f"{case.having(case.with_ltl()).tree}\n{watches}")
    result = ctx.run_spoor(["graph", "export", model, "--max-states", "3000"])
    if result.code != 0:
        return None
    edges, first = read_aut(result.out)
    letters = [[False] * len(names) for _ in edges]
    steps = [[] for _ in edges]
    for state, out in enumerate(edges):
        for label, target in out:
            if watch := re.match(rf"{WATCH}(\d+)\[", label):
                assert target == state, (label, state, target)
                letters[state][int(watch[1])] = True
            else:
                steps[state].append(target)
    return steps, letters, names, first


def is_violated(graph, hoa):
    """Does some run of the graph, those that end going on in their last state, satisfy the automaton?"""
    steps, letters, names, first = graph
    start, order, states = read_hoa(hoa)
    if start is None:
        return False
    place = [names.index(name) for name in order]

    def successors(node):
        state, claim = node
        letter = [letters[state][i] for i in place]
        return [((target, goal), accepting) for guard, goal, accepting in states[claim] if guard(letter)
                for target in steps[state] or [state]]

    for part in components(successors, (first, start)):
        for node in part:
            if any(target in part and accepting for target, accepting in successors(node)):
                return True
    return False


def test_random_formulas_agree_with_the_reference(ctx):
    """No SPIN needed. Without what notices the added process: timeout, creation, and the numbers of processes."""
    features = [{"buffered", "else"}, {"rendezvous", "atomic"}, {"gotos", "skips", "arrays"}, {"d_step", "unless"},
                {"rendezvous", "buffered", "else", "atomic"}]
    tally = {"holds": 0, "violated": 0}
    for seed in range(26_000_000, 26_000_000 + (2000 if ctx.long else 30 if ctx.slow else 120)):
        case = generate_case(seed, features[seed % len(features)])
        graph = labelled_graph(ctx, case)
        if graph is None:
            continue
        formula = str(case.formula)
        hoa = ctx.run_spoor(["ltl", "--negate", "--hoa", formula])
        assert hoa.code == 0, (formula, hoa.err)
        ours = ask_ours(ctx, Question(str(case.with_ltl()), "ltl:p"), WAYS[seed % len(WAYS)])
        expected = "violated" if is_violated(graph, hoa.out) else "holds"
        assert ours.verdict == expected, (seed, ours.verdict, expected, str(case.with_ltl()))
        tally[expected] += 1
    assert min(tally.values()) >= 5, tally


# Counterexamples

# Each is violated: text, property, and how its trail ends.
LASSOS = {
    "a formula": ("byte x;\nactive proctype A() { do :: x = 1; x = 2 :: x = 0 od }\nltl p { <> (x == 2) }\n", "ltl:p"),
    "a response": ("bool req, ack;\nactive proctype A() { do :: req = 1; req = 0 od }\n"
                   "active proctype B() { do :: req -> ack = 1; ack = 0 od }\nltl p { [] (req -> <> ack) }\n", "ltl:p"),
    "a rendezvous in the cycle": ("chan c = [0] of { byte };\nbyte x;\nactive proctype A() { do :: c!1 od }\n"
                                  "active proctype B() { do :: c?x od }\nltl p { [] <> (x == 0) }\n", "ltl:p"),
    "an atomic sequence in the cycle": ("byte x, y;\nactive proctype A() { do :: atomic { x = 1; y = 1; x = 0 } od }\n"
                                        "ltl p { [] <> (y == 0) }\n", "ltl:p"),
    "a run that ends": ("byte x;\nactive proctype A() { x = 1 }\nltl p { <> (x == 2) }\n", "ltl:p"),
    "a never claim": ("byte x;\nactive proctype A() { do :: x = 1 - x od }\n"
                      "never { do :: true :: x == 1 -> break od; accept: do :: true od }\n", "never"),
    "accept": ("byte x;\nactive proctype A() { do :: x < 3 -> x++ :: x == 3 -> x = 0; accept_here: x = 1 od }\n", "accept"),
    "progress": ("byte x;\nactive proctype A() { do :: x < 3 -> x++ :: x == 3 -> x = 0 :: x == 1; progress: x = 2 od }\n",
                 "progress"),
}


def lasso_of(ctx, text, wanted, *options):
    (ctx.tmp / "m.pml").write_text(text)
    result = ctx.run_spoor(["check", "m.pml", "--json", "--property", wanted, "--trail", "m.pml.trail", *options], cwd=ctx.tmp)
    assert result.code == 1, (result.code, result.out, result.err)
    return json.loads(result.out)["violations"][0]


def test_spin_replays_the_trails_of_lassos(ctx):
    if not LivenessOracle.available():
        ctx.skip("spin is not installed")
    for name, (text, wanted) in LASSOS.items():
        for options in ((), ("--reduce", "none")):
            violation = lasso_of(ctx, text, wanted, *options)
            trail = (ctx.tmp / "m.pml.trail").read_text()
            replay = ctx.run(["spin", "-k", "m.pml.trail", "-p", "m.pml"], cwd=ctx.tmp)
            about = f"{name} {options}\n{trail}\n{replay.out}{replay.err}"
            assert violation["kind"] in ("acceptance-cycle", "non-progress", "claim-violated"), about
            if violation["trace"]["loop"] is not None:
                assert "-1:-1:-1\n" in trail, about
                assert "START OF CYCLE" in replay.out, about
            for complaint in ("transition failed", "invalid statement", "no matching", "stop error", "cannot", "rror:"):
                assert complaint not in replay.out, about


def test_a_lasso_comes_back_to_where_it_began(ctx):
    """The state before the first action of the cycle is the one after the last; and the trace file says the same."""
    for name, (text, wanted) in LASSOS.items():
        violation = lasso_of(ctx, text, wanted, "--trace", "t.json", "--reduce", "none")
        trace = violation["trace"]
        assert violation["property"] == wanted, name
        if trace["loop"] is None:
            continue
        assert 1 <= trace["loop"] <= max(1, trace["length"]), (name, trace["loop"])
        values, at_start = {}, None
        for number, step in enumerate(trace["steps"], 1):
            if number == trace["loop"]:
                at_start = dict(values)
            values.update(change.split(" = ", 1) for change in step["changes"] if " = " in change)
            # The claim moves once per step, which may be of several actions.
            is_first = number == 1 or trace["steps"][number - 2]["step"] != step["step"]
            assert ("claim" in step) == is_first, (name, number)
        # What the cycle changes has its old value again; what it only sets for the first time had its initial one, 0.
        for key, value in (values if at_start is not None else {}).items():
            assert at_start.get(key, "0") == value or key.startswith("c"), (name, key, at_start, values)
        written = json.loads((ctx.tmp / "t.json").read_text())
        assert written["trace"] == trace, name


def test_spoor_trace_shows_the_cycle(ctx):
    """From the trace file and from the trail alike; and what it writes is the same run again."""
    shown = 0
    for name, (text, wanted) in LASSOS.items():
        trace = lasso_of(ctx, text, wanted, "--trace", "t.json", "--reduce", "none")["trace"]
        for file in ("t.json", "m.pml.trail"):
            about = (name, file)
            table = ctx.run_spoor(["trace", "m.pml", file], cwd=ctx.tmp)
            assert table.code == 0, (about, table.err)
            if trace["loop"] is None:
                assert "the cycle:" not in table.out, about
                continue
            shown += 1
            assert f"; the cycle begins at {trace['loop']}" in table.out, (about, table.out)
            again = json.loads(ctx.run_spoor(["trace", "m.pml", file, "--format", "json"], cwd=ctx.tmp).out)["trace"]
            assert again["loop"] == trace["loop"] and again["attempts"] == trace["attempts"], about
            trail = ctx.run_spoor(["trace", "m.pml", file, "--format", "trail"], cwd=ctx.tmp)
            assert trail.out == (ctx.tmp / "m.pml.trail").read_text(), about
    assert shown >= 4, shown
    # A cycle that does not come back is refused.
    broken = json.loads((ctx.tmp / "t.json").read_text())
    broken["trace"]["loop"] = 10_000
    (ctx.tmp / "t.json").write_text(json.dumps(broken))
    table = ctx.run_spoor(["trace", "m.pml", "t.json"], cwd=ctx.tmp)
    assert table.code == 2 and "does not return to the state there" in table.err, table.out


def test_every_property_has_a_verdict_of_its_own(ctx):
    (ctx.tmp / "m.pml").write_text(
        "byte x;\nactive proctype A() { do :: x = 1 - x od }\nltl good { [] (x < 2) }\nltl bad { <> [] (x == 0) }\n")
    result = ctx.run_spoor(["check", "m.pml", "--json", "--ltl", "[] <> (x == 1)"], cwd=ctx.tmp)
    report = json.loads(result.out)
    verdicts = {entry["property"]: entry["verdict"] for entry in report["properties"]}
    assert verdicts == {"safety": "holds", "ltl:good": "holds", "ltl:bad": "violated", "ltl:given": "holds"}, verdicts
    assert report["verdict"] == "violated" and result.code == 1
    assert [violation["property"] for violation in report["violations"]] == ["ltl:bad"]
    one = ctx.run_spoor(["check", "m.pml", "--json", "--property", "ltl:good"], cwd=ctx.tmp)
    assert one.code == 0 and len(json.loads(one.out)["properties"]) == 1, one.out


def test_a_claim_that_can_never_move_holds(ctx):
    """SPIN writes such claims for formulas that are always true. It was an internal error."""
    (ctx.tmp / "m.pml").write_text("byte x;\ninit { do :: x = 1 - x od }\nnever { do :: false od }\n")
    for way in WAYS:
        result = ctx.run_spoor(["check", "m.pml", "--property", "never", *way], cwd=ctx.tmp)
        assert result.code == 0 and result.out.startswith("holds"), (way, result.out, result.err)


def test_accept_labels_of_processes_count_under_a_never_claim_only(ctx):
    (ctx.tmp / "m.pml").write_text("byte x;\nactive proctype A() { do :: x = 1; accept: x = 0 od }\n"
                                   "never { do :: true od }\nltl p { [] (x < 2) }\n")
    codes = {wanted: ctx.run_spoor(["check", "m.pml", "--property", wanted], cwd=ctx.tmp).code
             for wanted in ("never", "ltl:p", "accept", "progress")}
    assert codes == {"never": 1, "ltl:p": 0, "accept": 1, "progress": 1}, codes


# Wrong input


def test_wrong_properties_are_refused_with_a_reason(ctx):
    (ctx.tmp / "m.pml").write_text("byte x;\nactive proctype A() { do :: x = 1 - x od }\nltl p { [] (x < 2) }\n")
    (ctx.tmp / "never.pml").write_text("byte x;\nactive proctype A() { x = 1 }\nnever { x = 2; do :: x == 2 od }\n")
    (ctx.tmp / "g.aut").write_text('des (0, 1, 2)\n(0, "a", 1)\n')
    cases = [
        (["m.pml", "--ltl", "[] (x"], "P101"),
        (["m.pml", "--ltl", "[] (x < 2) }"], "P115"),
        (["m.pml", "--ltl", "[] (y == 1)"], "P201"),
        (["m.pml", "--ltl", " + ".join(f"([] (x == {i}))" for i in range(7)) + " == 3"], "P348"),
        (["m.pml", "--ltl", "[] timeout"], "P346"),
        (["m.pml", "--ltl", ""], "--ltl"),
        (["m.pml", "--property", "ltl:nosuch"], "no formula called 'nosuch'; it has p"),
        (["m.pml", "--property", "never:p"], "no never claim"),
        (["never.pml", "--property", "never"], "P346"),
        (["g.aut", "--property", "ltl"], "a graph has no formula"),
        (["g.aut", "--property", "progress"], "a graph has no accept or progress labels"),
    ]
    for args, words in cases:
        plain = ctx.run_spoor(["check", *args], cwd=ctx.tmp)
        assert plain.code == 2 and words in plain.err and not plain.out, (args, plain.code, plain.out, plain.err)
        told = ctx.run_spoor(["check", *args, "--json"], cwd=ctx.tmp)
        assert told.code == 2, (args, told.code)
        assert told.out, f"nothing on the standard output with --json: {args}"
        report = json.loads(told.out)
        codes = [d["code"] for d in report["diagnostics"] if d["severity"] == "error"]
        assert report["error"] and (words in codes or words in report["error"]), (args, told.out)
        if words in codes:
            assert all(d["location"] and d["length"] > 0 for d in report["diagnostics"]), (args, told.out)


def test_wrong_usage_is_told_in_words(ctx):
    (ctx.tmp / "m.pml").write_text("init { skip }\n")
    (ctx.tmp / "g.aut").write_text('des (0, 1, 2)\n(0, "a", 1)\n')
    for args, words in ((["g.aut", "--ltl", "[] p"], "a graph has no variables"),
                        (["m.pml", "--property", "sometimes"], "expected one of safety"),
                        (["m.pml", "--property", "accept", "--search", "sideways"], "expected one of bfs, dfs")):
        result = ctx.run_spoor(["check", *args], cwd=ctx.tmp)
        assert result.code == 2 and words in result.err and not result.out, (args, result.out, result.err)


# The shared corpus


def corpus_rows(ctx):
    path = ctx.shared and ctx.shared / "corpus" / "oracle.tsv"
    if not path or not path.exists():
        ctx.skip("there is no shared/corpus beside the repository")
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            mode = row["mode"]
            if mode in CORPUS_MODES or mode.startswith("ltl:"):
                yield row, CORPUS_MODES.get(mode, mode)


def corpus_verdict(row):
    """What must come out; None where SPIN did not finish, or rejects the file."""
    if row["verdict"] in ("too-big", "syntax-error", "compile-error"):
        return None
    return "holds" if row["verdict"] == "no-error" else "violated"


def test_the_corpus_has_the_verdicts_of_spin(ctx):
    limit = CORPUS_STATES * (20 if ctx.long else 1) // (50 if ctx.slow else 1)
    rows = [(row, wanted) for row, wanted in corpus_rows(ctx)
            if corpus_verdict(row) and row["states"].isdigit() and int(row["states"]) <= limit]
    assert rows, "no rows left"
    seconds = 600 if ctx.long else 120

    def one(entry):
        row, wanted = entry
        extra = [*options_for(row["defines"].split()), "--allow-c", "--reduce", "none"]
        return entry, ask_spoor_about(ctx.spoor, ctx.shared / "corpus" / row["path"], wanted, extra, seconds)

    wrong, cut, agreed = [], [], 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (row, wanted), ours in pool.map(one, rows):
            expected, about = corpus_verdict(row), f"{row['id']} {row['defines']} {wanted}"
            if ours.verdict is None:
                cut.append(about)
            elif ours.verdict != expected:
                wrong.append(f"{about}: SPIN {row['verdict']}, ours {ours.verdict}: {ours.text[:300]}")
            elif expected == "holds" and row["complete"] == "y" and ours.states > int(row["states"]):
                wrong.append(f"{about}: {ours.states} states, but SPIN has {row['states']}")
            else:
                agreed += 1
    print(f"{agreed} agree; cut by a limit: {cut}")
    assert not wrong, "\n".join(wrong)
    assert not cut, f"cut by a limit: {cut}"
