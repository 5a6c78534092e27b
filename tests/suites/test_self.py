"""Spoor checks models of its own lock-free structures, and finds the mistakes they could have had."""

import json

MISTAKES = {"store": ("IMPATIENT", "CARELESS"), "keys": ("HASTY", "FORGETFUL", "TWICE", "LATE"), "level": ("SLOPPY",),
            "sets": ("HASTY", "EARLY"), "hints": ("STALE", "TWICE")}


def _check(ctx, name, *options):
    result = ctx.run([ctx.spoor, "check", ctx.root / "examples" / "self" / f"{name}.pml", "--json",
                      *options], timeout=120)
    assert result.code in (0, 1), result.err
    return json.loads(result.out)


def test_every_model_is_known_here(ctx):
    models = {path.stem for path in (ctx.root / "examples" / "self").glob("*.pml")}
    assert models == set(MISTAKES)


def test_the_structures_hold(ctx):
    for name in MISTAKES:
        report = _check(ctx, name)
        assert report["verdict"] == "holds" and report["states"] > 10_000, (name, report["states"])
        assert not report["unreached"], (name, report["unreached"])


def test_the_mistakes_are_found(ctx):
    for name, mistakes in MISTAKES.items():
        for mistake in mistakes:
            report = _check(ctx, name, f"-D{mistake}")
            assert report["verdict"] == "violated", (name, mistake)
            assert report["violations"][0]["kind"] == "assertion", (name, mistake)
