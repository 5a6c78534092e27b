"""spoor diff: what an edit of a model can influence."""

import json

OLD = """byte x;
active proctype A() { do :: x < 3 -> x++ :: else -> break od }
"""
NEW = OLD.replace("x < 3", "x < 4")


def _diff(ctx, old, new, *options, code=1):
    (ctx.tmp / "old.pml").write_text(old)
    (ctx.tmp / "new.pml").write_text(new)
    result = ctx.run_spoor(["diff", "old.pml", "new.pml", *options])
    assert result.code == code, (result.code, result.err, result.out)
    return result.out


def test_a_changed_guard_is_shown_with_its_place_and_reason(ctx):
    assert _diff(ctx, OLD, NEW) == """1 of 3 locations is dangerous: only states of processes there can have other successors

changed  ((x<3)) | else  ->  ((x<4)) | else
         old.pml:2 -> new.pml:2
         another statement
"""
    assert _diff(ctx, OLD, NEW, "-q").count("\n") == 1


def test_what_means_the_same_is_no_difference(ctx):
    same = OLD.replace("x++", "x ++ /* one more */").replace("active", "\n\nactive")
    assert _diff(ctx, OLD, OLD, code=0).startswith("nothing changed")
    assert _diff(ctx, OLD, same, code=0).startswith("nothing changed")


def test_json_has_the_same_facts(ctx):
    report = json.loads(_diff(ctx, OLD, NEW, "--json"))
    assert (report["locations"], report["dangerous_locations"]) == (3, 1)
    [difference] = report["differences"]
    assert difference["kind"] == "changed" and difference["reason"] == "another statement"
    assert (difference["before_location"]["file"], difference["before_location"]["line"]) == ("old.pml", 2)
    assert report["matched"] == report["unchanged"] + 1
    gone = json.loads(_diff(ctx, OLD.replace("od", "od; x = 1; x = 2"), OLD, "--json"))
    assert {d["kind"] for d in gone["differences"]} >= {"gone"}
    assert all(d["after"] is None for d in gone["differences"] if d["kind"] == "gone")


def test_formulas_and_never_claims_are_compared(ctx):
    def claims(old, new, code=1):
        report = json.loads(_diff(ctx, OLD + old, OLD + new, "--json", code=code))
        assert not report["differences"], report
        return [(claim["kind"], claim["name"]) for claim in report["claims"]]

    formula = "#define p (x < 9)\nltl always { [] p }\n"
    assert claims(formula, formula.replace("[] p", "([] (p))"), code=0) == []
    assert claims(formula, formula.replace("[]", "<>")) == [("changed", "always")]
    assert claims(formula, formula.replace("9", "8")) == [("changed", "always")]
    assert claims(formula, formula.replace("always", "ever")) == [("gone", "always"), ("new", "ever")]
    never = "never { do :: x < 9 od }\n"
    assert [kind for kind, _ in claims(never, never.replace("9", "8"))] == ["changed"]
    text = _diff(ctx, OLD + formula, OLD + formula.replace("9", "8"))
    assert "the claims differ" in text.splitlines()[0] and "changed  claim always" in text, text


def test_reductions_are_part_of_the_meaning(ctx):
    """A variable that is read once more is no longer dead, which matters to a reduced search only."""
    old = "byte x; active proctype A() { byte v; v = 1; x = v; skip; x = 2 }\n"
    new = "byte x; active proctype A() { byte v; v = 1; x = v; skip; x = v }\n"
    plain = json.loads(_diff(ctx, old, new, "--json"))["dangerous_locations"]
    reduced = json.loads(_diff(ctx, old, new, "--json", "--reduce", "dead"))["dangerous_locations"]
    assert plain == 1 and reduced > plain, (plain, reduced)


def test_wrong_input_is_refused(ctx):
    (ctx.tmp / "old.pml").write_text(OLD)
    (ctx.tmp / "bad.pml").write_text("byte x\nactive proctype {")
    for files, word in ((["old.pml"], "missing argument"), (["old.pml", "none.pml"], "none.pml"),
                        (["old.pml", "bad.pml"], "bad.pml:2"), (["bad.pml", "old.pml"], "bad.pml:2")):
        result = ctx.run_spoor(["diff", *files])
        assert result.code == 2 and word in result.err, (files, result.err)


def test_the_pairs_that_fool_simple_comparisons_differ(ctx):
    """Pairs of versions with other verdicts, or other states, must never be called the same."""
    folder = ctx.shared and ctx.shared / "regression" / "pairs"
    if not folder or not folder.is_dir():
        ctx.skip("no ../shared/regression")
    for pair in sorted(folder.iterdir()):
        figures = []
        for name in ("old.pml", "new.pml"):
            checked = ctx.run_spoor(["check", "--json", "--reduce", "none", "--property", "safety", "--all-errors",
                                     "--coverage", "off", pair / name])
            report = json.loads(checked.out)
            figures.append((report["verdict"], report["states"], report["transitions"]))
        result = ctx.run_spoor(["diff", "--json", pair / "old.pml", pair / "new.pml"])
        assert result.code in (0, 1), result.err
        assert result.code == 1 or figures[0] == figures[1], (pair.name, figures)
