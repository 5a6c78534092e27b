"""spoor ltl: the command, and SPIN as a second opinion on formulas and never claims.

SPIN's own claims (spin -f) are read here by a small parser, and compared with ours on random words: prefix
and loop over the propositions. Neither side shares code with the translation.
"""

import itertools
import json
import random
import re
import shutil

from test_fuzz import _fuzz

# What spin -f reads: no X, no W; && || -> <-> are at one level there, so they are parenthesized.
FORMULAS = [
    "[] a", "<> a", "[] <> a", "<> [] a", "a U b", "a V b", "!a U b", "[] (a -> <> b)", "a U b U c",
    "a U b V c", "a V b U c", "[] a U b", "<> a V b", "!(a U b)", "[] (a -> (b U c))", "<> (a && [] b)",
    "([] <> a) -> ([] <> b)", "(<> [] a) || ([] <> b)", "[] ((a && !b) -> (!b U (c && !b)))",
    "(a -> b) -> c", "a <-> b", "(a U b) <-> (b U c)", "!([] (a -> <> b))", "[] (a || <> b)",
    "(!a) V (b V c)", "<> (a U (b && <> c))", "always (a -> eventually b)", "not a until b",
    "[] (a -> b -> c)", "a || b || c", "true", "a && !a",
]


def _spoor(ctx, *args, code=0, **options):
    result = ctx.run_spoor(["ltl", *args], **options)
    assert result.code == code, (args, result.code, result.out, result.err)
    return result


def _guard(text):
    """A Promela condition over a, b, c as a Python function of a set of true names."""
    python = text.replace("&&", " and ").replace("||", " or ").replace("!", " not ")
    python = re.sub(r"\btrue\b", "True", re.sub(r"\bfalse\b|\b0\b", "False", python))
    code = compile(re.sub(r"\b1\b", "True", python).strip(), text, "eval")
    return lambda letter: bool(eval(code, {name: name in letter for name in "abc"}))


def _read_claim(text):
    """{label: [(guard, target)]} of a never claim, and the name of the first state."""
    body = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    body = body[body.index("{") + 1:body.rindex("}")]
    states, names, first, at, is_label = {}, {}, None, None, False
    for line in body.splitlines():
        line = line.strip().rstrip(";")
        label = re.fullmatch(r"(\w+):", line)
        if label:
            if not is_label:  # SPIN writes accept_init: and T0_init: for one state
                at = label[1]
                states[at] = []
            names[label[1]] = at
            first = first or at
            is_label = True
            continue
        is_label = False
        if line == "skip":
            states[at].append((lambda letter: True, at))
        atomic = re.match(r":: atomic \{ (.*) -> assert\(.*\) \}$", line)
        if atomic:
            states[at].append((_guard(atomic[1]), "violated"))
        move = re.match(r":: (.*) -> goto (\w+)$", line)
        if move:
            states[at].append((_guard(move[1]), move[2]))
    accepting = {at for name, at in names.items() if name.startswith("accept")}
    resolved = {at: [(guard, names.get(target, target)) for guard, target in moves]
                for at, moves in states.items()}
    # A claim that has been violated stays so, whatever follows.
    resolved["violated"] = [(lambda letter: True, "violated")]
    return resolved, first, accepting | {"violated"}


def _accepts(claim, word, loop):
    """Is there a run over word[:], word[loop:], word[loop:] ... with an accepting state in its cycle?"""
    states, first, accepting = claim
    follow = [i + 1 if i + 1 < len(word) else loop for i in range(len(word))]

    def successors(place):
        state, i = place
        return {(target, follow[i]) for guard, target in states.get(state, []) if guard(word[i])}

    def closure(places):
        seen, todo = set(places), list(places)
        while todo:
            for place in successors(todo.pop()):
                if place not in seen:
                    seen.add(place)
                    todo.append(place)
        return seen

    return any(place in closure(successors(place))
               for place in closure({(first, 0)}) if place[0] in accepting)


def _words(count, seed=1):
    generator = random.Random(seed)
    letters = [frozenset(c) for n in range(4) for c in itertools.combinations("abc", n)]
    for _ in range(count):
        word = [generator.choice(letters) for _ in range(generator.randint(1, 6))]
        yield word, generator.randrange(len(word))


def test_our_claims_and_those_of_spin_accept_the_same_words(ctx):
    if shutil.which("spin") is None:
        ctx.skip("spin is not installed")
    compared = 0
    for formula in FORMULAS:
        theirs = ctx.run(["spin", "-f", formula], cwd=ctx.tmp)
        assert theirs.code == 0 and "never" in theirs.out, (formula, theirs.out)
        ours = _spoor(ctx, "--never", formula)
        mine, other = _read_claim(ours.out), _read_claim(theirs.out)
        for word, loop in _words(60 if not ctx.slow else 15):
            assert _accepts(mine, word, loop) == _accepts(other, word, loop), \
                (formula, [sorted(letter) for letter in word], loop, ours.out, theirs.out)
            compared += 1
    assert compared > 100


def test_formulas_group_as_in_an_ltl_block_of_spin(ctx):
    if shutil.which("spin") is None:
        ctx.skip("spin is not installed")
    for formula in ("a || b && c", "a -> b -> c", "[] a U b", "a U b U c", "a U b V c", "!a U b",
                    "a U b && c", "a && b -> c", "a <-> b -> c", "<> a && b", "a W b U c",
                    "a -> b || c <-> a", "always (a implies eventually b)", "a weakuntil b"):
        model = ctx.tmp / "model.pml"
        model.write_text("bool a, b, c;\ninit { skip }\nltl p { " + formula + " }\n")
        shown = ctx.run(["spin", "-a", model], cwd=ctx.tmp).out
        theirs = re.search(r"^ltl p: (.*)$", shown, re.M)[1]
        mine = _read_claim(_spoor(ctx, "--never", formula).out)
        other = _read_claim(_spoor(ctx, "--never", theirs).out)
        for word, loop in _words(40, 2):
            assert _accepts(mine, word, loop) == _accepts(other, word, loop), (formula, theirs)


def test_spin_accepts_our_never_claims(ctx):
    if shutil.which("spin") is None:
        ctx.skip("spin is not installed")
    for formula in ("[] (p -> <> q)", "(x > 3) U (len(c) == 1)", "<> [] p", "true", "p && !p", "X X p",
                    "[] <> p && [] <> q", "p W (q || x == 2)"):
        for negate in ([], ["--negate"]):
            claim = _spoor(ctx, "--never", formula, *negate).out
            model = ctx.tmp / "model.pml"
            model.write_text("bool p, q; byte x; chan c = [1] of { byte };\n"
                             "active proctype P() { p = 1; q = 1 }\n" + claim)
            result = ctx.run(["spin", "-a", model], cwd=ctx.tmp)
            assert result.code == 0 and "rror" not in result.out, (formula, result.out, claim)


def test_the_listing_says_what_the_automaton_is(ctx):
    listing = _spoor(ctx, "[] (p -> <> q)").out
    assert "2 states, 5 edges, 1 acceptance set" in listing, listing
    assert "strong, deterministic, stutter-invariant" in listing, listing
    assert "every run" in _spoor(ctx, "p || !p").out
    assert "0 states" in _spoor(ctx, "p && !p").out
    assert "2 acceptance sets (on edges)" in _spoor(ctx, "--generalized", "[]<>p && []<>q").out


def test_json_hoa_and_dot_describe_the_same_automaton(ctx):
    formula = "[] <> (x > 3) && <> q"
    shown = json.loads(_spoor(ctx, "--json", formula).out)
    hoa = _spoor(ctx, "--hoa", formula).out
    dot = _spoor(ctx, "--dot", formula).out
    assert shown["atoms"] == ["x > 3", "q"] and shown["class"] == "strong"
    drawn = re.findall(r"^  (\d+)(?: \[shape=doublecircle\])?;$", dot, re.M)
    assert hoa.count("State:") == len(shown["states"]) == len(drawn), (hoa, dot)
    path = ctx.tmp / "a.hoa"
    _spoor(ctx, "--hoa", formula, "-o", path)
    assert json.loads(_spoor(ctx, "--json", "--from-hoa", path).out)["states"] == shown["states"]
    again = _spoor(ctx, "--hoa", "--from-hoa", "-", stdin=hoa).out
    assert again[again.index("--BODY--"):] == hoa[hoa.index("--BODY--"):]


def test_a_generalized_automaton_becomes_a_claim(ctx):
    hoa = _spoor(ctx, "--hoa", "--generalized", "[]<>a && []<>b").out
    claim = _spoor(ctx, "--never", "--from-hoa", "-", stdin=hoa).out
    mine, other = _read_claim(claim), _read_claim(_spoor(ctx, "--never", "[]<>a && []<>b").out)
    for word, loop in _words(60, 3):
        assert _accepts(mine, word, loop) == _accepts(other, word, loop), (word, loop)


def test_wrong_input_is_refused_with_its_place(ctx):
    for args, words in ((["p &&"], ["L102", "formula:1:5"]), (["G p"], ["L103", "written []"]),
                        ([""], ["give a formula"]), ([], ["give a formula"]),
                        (["p", "--never", "--hoa"], ["only one of"]),
                        (["p", "--never", "--generalized"], ["--generalized"]),
                        (["--from-hoa", "no such file"], ["no such file"]),
                        (["--from-hoa", "-", "--negate"], ["--negate"])):
        result = _spoor(ctx, *args, code=2)
        assert not result.out and all(word in result.err for word in words), (args, result.err)
    result = _spoor(ctx, "--from-hoa", "-", code=2, stdin="HOA: v1\nAcceptance: 1 Fin(0)\n")
    assert "L203" in result.err and "stdin:2:15" in result.err, result.err
    result = _spoor(ctx, "--json", "p U", code=2)
    assert "L102" in result.out, result.out
    result = _spoor(ctx, "a || b && c")
    assert "warning[L110]" in result.err, result.err


def test_large_formulas_end(ctx):
    fair = " && ".join(f"[]<>p{i}" for i in range(10))
    assert "12 states" in _spoor(ctx, f"({fair}) -> []<>q").out
    result = _spoor(ctx, " && ".join(f"<>p{i}" for i in range(20)), code=2, memory_mb=2000)
    assert "L108" in result.err, result.err


def test_a_campaign_of_random_formulas_finds_nothing(ctx):
    if not ctx.long:
        ctx.skip("a campaign: only with --long")
    program = ctx.spoor.parent / "spoor_unit_tests"
    if not program.exists():
        ctx.skip("the unit tests are not built")
    result = ctx.run([program, "--gtest_filter=LtlWords*"], timeout=3000,
                     env={"SPOOR_LTL_SEED": str(random.randrange(1, 1 << 30)), "SPOOR_LTL_ROUNDS": "30"})
    assert result.code == 0, result.out[-3000:]


def test_the_formula_parser_survives_any_text(ctx):
    folder = ctx.tmp / "seeds"
    folder.mkdir()
    texts = FORMULAS + ["x > 3 U len(q) == 2", "P@L -> P[0]:x", "X (a W b)", "(x+1) < y", "a /\\ b \\/ c"]
    for number, text in enumerate(texts):
        (folder / f"{number}.ltl").write_text(text)
    _fuzz(ctx, "ltl_formula", sorted(folder.iterdir()))


def test_the_reader_of_hoa_survives_any_bytes(ctx):
    folder = ctx.tmp / "seeds"
    folder.mkdir()
    for number, formula in enumerate(("[] (a -> <> b)", "a U b", "<> [] a", "true")):
        for option in ([], ["--generalized"]):
            (folder / f"{number}{len(option)}.hoa").write_text(_spoor(ctx, "--hoa", *option, formula).out)
    (folder / "alias.hoa").write_text(
        'HOA: v1\nStates: 2\nStart: 0\nAP: 2 "a" "b"\nAlias: @x 0&!1\nAcceptance: 1 Inf(0)\n--BODY--\n'
        "State: 0 {0}\n[@x | 1] 1\nState: [t] 1\n0\n--END--\n")
    _fuzz(ctx, "hoa", sorted(folder.iterdir()))
