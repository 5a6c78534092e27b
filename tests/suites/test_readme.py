"""The README shows a model and its real output; this keeps both true."""

import re


def _readme(ctx):
    return (ctx.root / "README.md").read_text(encoding="utf-8")


def _blocks(text, language):
    return re.findall(r"```" + language + r"\n(.*?)```", text, re.S)


def _without_measurements(text):
    return re.sub(r"; [\d.]+ s, [\d.]+ [KMG]iB", "; TIME", text).strip()


def test_the_model_in_the_readme_is_the_example(ctx):
    [shown] = _blocks(_readme(ctx), "promela")
    assert shown == (ctx.root / "examples" / "counter.pml").read_text(encoding="utf-8")


def test_the_model_in_the_readme_has_at_most_15_lines(ctx):
    [shown] = _blocks(_readme(ctx), "promela")
    assert len(shown.splitlines()) <= 15


def test_the_output_in_the_readme_is_what_spoor_prints(ctx):
    for block in _blocks(_readme(ctx), "console"):
        command, _, output = block.partition("\n")
        words = command.removeprefix("$ ./spoor ").split()
        result = ctx.run_spoor(words, cwd=ctx.root)
        assert _without_measurements(result.out) == _without_measurements(output)


def test_every_file_that_the_readme_links_to_exists(ctx):
    for target in re.findall(r"\]\(([^)#]+)\)", _readme(ctx)):
        assert (ctx.root / target).exists(), target
