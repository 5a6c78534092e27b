"""The repository keeps its own promises: layout, layering, headers of models, portable paths."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import check_layers  # noqa: E402

MODEL_SUFFIXES = {".pml", ".prom", ".pm", ".promela"}
CODE_SUFFIXES = {".cpp", ".h", ".py"}
LONG_FILE = 800
MOST_COLUMNS = 110  # as in .clang-format, which leaves comments as they are
FORMATTER = 14
LONG_FILE_REASON = "This file is long because"
EXPECTATION = re.compile(r"^\s*(//|/\*|\*|)\s*expect:\s*(holds|violated)\b", re.MULTILINE)
# Folders whose contents belong to one person or machine, and those that everyone has.
PERSONAL = ("home", "Users", "root")
COMMON = {"/", "/tmp", "/usr", "/usr/local", "/usr/src", "/opt", "/srv", "/var", "/var/tmp", "/mnt"}


def project_files(root):
    """All files that are or could be committed."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, check=False)
    if listed.returncode == 0:
        paths = [root / name for name in os.fsdecode(listed.stdout).split("\0") if name]
    else:  # a source archive without .git
        ignored = {"build", ".git", ".spoor", "__pycache__"}
        paths = [path for path in root.rglob("*")
                 if not ignored & set(path.relative_to(root).parts[:-1])]
    return sorted(path for path in paths if path.is_file())


def find_private_paths(text, root):
    """Paths in this text that mean something on one machine only.

    These are the home folders, this checkout, and its neighbours unless it lies in a common place.
    """
    private = [f"/{name}/[\\w.-]+" for name in PERSONAL] + [re.escape(str(root)) + r"(?![\w.-])"]
    if str(root.parent) not in COMMON:
        private.append(re.escape(str(root.parent)) + r"/[\w.-]+")
    return re.findall(r"(?<![\w.~$}/-])(?:" + "|".join(private) + ")", text)


def find_unnamed_folders(document, folders):
    return sorted(name for name in folders if not re.search(rf"src/{name}\b", document))


def find_stale_rows(document, folders):
    """Folders of src/ that a table row names, unless as planned, and that do not exist."""
    stale = set()
    for line in document.splitlines():
        if line.lstrip().startswith("|") and "planned" not in line:
            stale |= set(re.findall(r"`src/(\w+)/?`", line)) - folders
    return sorted(stale)


def test_architecture_names_the_folders_of_src(ctx):
    document = ctx.root / "ARCHITECTURE.md"
    if not document.exists():
        ctx.skip("no ARCHITECTURE.md yet")
    folders = {entry.name for entry in (ctx.root / "src").iterdir() if entry.is_dir()}
    text = document.read_text(encoding="utf-8")
    assert not find_unnamed_folders(text, folders), find_unnamed_folders(text, folders)
    assert not find_stale_rows(text, folders), find_stale_rows(text, folders)


def test_architecture_says_what_the_build_allows(ctx):
    text = (ctx.root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    cmake = (ctx.root / "src" / "CMakeLists.txt").read_text(encoding="utf-8")
    allowed, seen = check_layers.read_layers(cmake), set()
    for folder, uses in re.findall(r"^\| `src/(\w+)/` \|.*\|([^|]*)\|$", text, re.M):
        named = seen if uses.strip() == "all above" else set(re.findall(r"\w+", uses))
        assert named == allowed[folder] - {folder}, f"{folder}: {sorted(allowed[folder])}"
        seen = seen | {folder}
    assert seen == set(allowed), seen ^ set(allowed)


def test_architecture_check_sees_missing_and_stale_folders(ctx):
    text = "| `src/base/` | bytes |\n| `src/gone/` | nothing |\n| `src/later/` | planned |\n"
    assert find_unnamed_folders(text, {"base", "model"}) == ["model"]
    assert find_stale_rows(text, {"base", "model"}) == ["gone"]


def test_no_file_names_a_path_of_one_machine(ctx):
    offences = []
    for path in project_files(ctx.root):
        text = path.read_bytes().decode("utf-8", "replace")
        offences += [f"{path.relative_to(ctx.root)}: {found}"
                     for found in find_private_paths(text, ctx.root)]
    assert not offences, "\n".join(offences)


def test_path_check_sees_private_paths_only(ctx):
    root = pathlib.Path("/data/checkout/spoor")
    home = "/" + "home/someone"
    assert find_private_paths(f"see {home}/x", root) == [home]
    assert find_private_paths("in /data/checkout/spoor/src", root) == ["/data/checkout/spoor"]
    assert find_private_paths("or /data/checkout/other", root) == ["/data/checkout/other"]
    assert find_private_paths("/usr/bin/env a/home/b $X/root/y /data/checkout2/z", root) == []
    in_tmp = pathlib.Path("/tmp/spoor")
    assert find_private_paths("/tmp/x /tmp/spoor2 /tmp/spoor", in_tmp) == ["/tmp/spoor"]


def test_every_format_of_a_file_is_documented(ctx):
    """With its magic, its version and each kind of record."""
    manual = (ctx.root / "docs" / "formats.md").read_text()
    formats = [(path, *found.groups()) for path in sorted((ctx.root / "src").rglob("*.h"))
               for found in re.finditer(r'FileFormat k\w+ ?=? ?\{"([^"]+)", (\d+)', path.read_text())]
    assert len(formats) >= 2, formats
    for path, magic, version in formats:
        head, found, section = manual.partition(f"Magic `{magic}`, version {version}")
        assert found, f"docs/formats.md has no section on {magic}, version {version}"
        section = section.partition("\n## ")[0]
        code = path.read_text() + path.with_suffix(".cpp").read_text()
        records = set(re.findall(r"\bk\w+ = '(\w)'", code))
        assert records and records == set(re.findall(r"^\| `(\w)` \|", section, re.M)), (magic, records)


def test_every_example_states_what_to_expect(ctx):
    examples = ctx.root / "examples"
    if not examples.is_dir():
        ctx.skip("no examples yet")
    models = [path for path in examples.rglob("*") if path.suffix in MODEL_SUFFIXES]
    assert models, "examples/ holds no model"
    silent = [str(path.relative_to(ctx.root)) for path in models
              if not EXPECTATION.search(path.read_text(encoding="utf-8", errors="replace"))]
    assert not silent, "no 'expect: holds' or 'expect: violated' comment in:\n" + "\n".join(silent)


def test_expectations_are_comment_lines(ctx):
    assert EXPECTATION.search("// expect: holds\n")
    assert EXPECTATION.search("/* A lock.\n * expect: violated assertion\n */")
    assert not EXPECTATION.search("// expect: perhaps\n")
    assert not EXPECTATION.search("printf(\"expect: holds\")\n")


def test_includes_keep_to_the_layers(ctx):
    offences = check_layers.find_offences(ctx.root)
    assert not offences, "\n".join(offences)


def test_layer_check_sees_offences(ctx):
    source = ctx.tmp / "src"
    for folder in ("base", "model", "cli", "extra"):
        (source / folder).mkdir(parents=True)
    (source / "CMakeLists.txt").write_text(
        "spoor_folder(base LIBS model)\nspoor_folder(model USES base)\nspoor_program(spoor cli)\n")
    (source / "base" / "up.h").write_text('#include <vector>\n#include "model/state.h"\n')
    (source / "model" / "fine.h").write_text('#include "base/up.h"\n#include "version.h"\n')
    (source / "model" / "dots.cpp").write_text('#include "../base/up.h"\n')
    (source / "cli" / "main.cpp").write_text('#include "model/fine.h"\n#include "base/up.h"\n')
    offences = check_layers.find_offences(ctx.tmp)
    places = [offence.split(": ")[0] for offence in offences]
    assert places == ["src/extra", "src/base/up.h:2", "src/model/dots.cpp:1"], offences


def test_long_files_say_why(ctx):
    offences = []
    for path in project_files(ctx.root):
        if path.suffix not in CODE_SUFFIXES:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if text.count("\n") > LONG_FILE and LONG_FILE_REASON not in text:
            offences.append(f"{path.relative_to(ctx.root)}: {text.count(chr(10))} lines")
    assert not offences, (f"over {LONG_FILE} lines without '{LONG_FILE_REASON}':\n"
                          + "\n".join(offences))


def long_comments(text):
    return [line for line in text.splitlines() if re.match(r"\s*//", line) and len(line) > MOST_COLUMNS]


@pytest.mark.other_program
def test_sources_are_formatted(ctx):
    sources = [path for path in project_files(ctx.root) if path.suffix in {".cpp", ".h"}]
    wide = [str(path.relative_to(ctx.root)) for path in sources
            if long_comments(path.read_text(encoding="utf-8"))]
    assert not wide, f"comments of over {MOST_COLUMNS} columns in: " + ", ".join(wide)
    if shutil.which("clang-format") is None:
        ctx.skip("clang-format is not installed")
    # Each version has its own idea of what the same settings mean.
    version = ctx.run(["clang-format", "--version"]).out
    if f"version {FORMATTER}." not in version:
        ctx.skip(f"clang-format {FORMATTER} is wanted, here is: {version.strip()}")
    checked = ctx.run(["clang-format", "--dry-run", "-Werror", *sources], timeout=300)
    assert checked.code == 0, "run clang-format -i on:\n" + checked.err[:2000]


def test_format_check_sees_offences(ctx):
    assert long_comments("  // " + "x" * MOST_COLUMNS) and not long_comments('  f("' + "x" * MOST_COLUMNS + '");')


@pytest.mark.other_program
def test_a_pattern_that_matches_no_test_fails(ctx):
    command = [sys.executable, "-m", "pytest", "-q", f"--summary={ctx.tmp}/summary.txt", f"--preset={ctx.preset}"]
    nothing = ctx.run([*command, "--select=no such" + " test"], cwd=ctx.root / "tests")
    assert nothing.code != 0 and "no test matches" in nothing.out, nothing.out
    # The name of a suite is part of the name of its tests, and the pattern is a regular expression.
    some = ctx.run([*command, r"--select=^test_repository\.test_(path|format)_check_sees"], cwd=ctx.root / "tests")
    assert some.code == 0 and (ctx.tmp / "summary.txt").read_text() == "2 passed, 0 failed\n", some.out
