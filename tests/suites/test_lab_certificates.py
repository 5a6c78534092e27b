"""The experiment on certificates and caches: it measures a model, and writes its tables."""

import json


def test_a_quick_run_writes_its_tables(ctx):
    if ctx.slow:
        ctx.skip("an instrumented program would take minutes")
    folder = ctx.tmp / "results"
    result = ctx.run([ctx.root / "lab" / "run", "certificates", "--quick", "--models", "shutdown,leader", "--program", ctx.spoor, "--output", folder], timeout=300)
    assert result.code == 0, result.err
    results = json.loads((folder / "certificates.json").read_text())
    [script], [cache] = results["scripts"], results["caches"]
    assert (script["model"], script["states"], script["transitions"]) == ("shutdown", 154765, 574706)
    assert script["regions"] > 100 and script["bytes"] < script["transitions"] / 10 and script["set_bytes"] < script["states"]
    [found] = results["published"]
    assert found["full"]["fingerprints"] < found["states"] == 154765
    assert 0.1 <= script["tasks"]["10"]["largest_task"] / (script["transitions"] - 1) < 0.11
    assert 0.05 < found["full"]["tasks"]["10"]["largest"] / found["transitions"] < 0.2
    plain, fair = results["runs"]
    assert (plain["model"], plain["fair"], fair["fair"]) == ("leader", False, True) and plain["states"] == 20781 and fair["states"] == 54315
    assert all(0 < case["bytes"] < case["states"] for case in (plain, fair))
    visits = [found["visits"] for found in cache["policies"]["nested"]]
    assert 1 < visits[0] < visits[1], visits
    text = (folder / "certificates.md").read_text()
    for heading in ("# Tables 3.1 and 3.2", "# Tables 3.3 and 3.4", "# Tables 3.2 and 4.3", "# Infinite runs", "# Tables 4.1 and 4.2", "# Targets"):
        assert heading in text, heading
    assert "| shutdown | 154765 |" in text
