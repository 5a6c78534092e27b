"""Runs every fuzz target for a short while, from our own models as seeds.

A normal run of the build with the address sanitizer has a fixed number of inputs, the same ones everywhere,
made by a simple driver (tests/fuzz/driver). What is new is looked for with --long: libFuzzer, ten minutes per
target, from another seed each time.
"""

import json
import random
import shutil

INPUTS = {"recording": 1000, "closed_set": 1000}  # each of them is searched, too
USUAL_INPUTS = 3000
SECONDS = 600  # for each target with --long
GRACE_S = 60  # for a target that is slow to end


def _fuzz(ctx, target, seeds):
    corpus = ctx.tmp / "corpus"
    corpus.mkdir()
    for seed in seeds:
        shutil.copy(seed, corpus / seed.name)
    if ctx.preset == "asan-ubsan":
        _fuzz_simply(ctx, target, corpus)
    elif ctx.preset == "release" and ctx.long:
        _fuzz_guided(ctx, target, corpus)
    else:
        ctx.skip("fuzzed with --preset asan-ubsan, or with --long by libFuzzer")


def _fuzz_simply(ctx, target, corpus):
    program = ctx.spoor.parent / f"fuzz_{target}"
    inputs = INPUTS.get(target, USUAL_INPUTS)
    result = ctx.run([program, "--inputs", inputs, corpus], timeout=ctx.limit_s - GRACE_S, cwd=ctx.tmp)
    failed = ctx.tmp / "input"
    assert result.code == 0, f"{failed.read_bytes()[:2000]!r}\n{result.err[-4000:]}"
    assert result.out == f"{inputs + len(list(corpus.iterdir())) + 1} inputs\n"


def _fuzz_guided(ctx, target, corpus):
    """Builds the target and what it needs, which is not the program, and runs it."""
    if shutil.which("clang++") is None:
        ctx.skip("libFuzzer needs clang")
    # Building may take what the fuzzing leaves of the time that a test has.
    built = ctx.run([ctx.root / "scripts" / "build", "fuzz", f"fuzz_{target}"],
                    timeout=ctx.limit_s - SECONDS - 2 * GRACE_S)
    assert built.code == 0, built.err[-3000:]
    program = next((ctx.root / "build" / "fuzz").rglob(f"fuzz_{target}"))
    result = ctx.run(
        [program, f"-max_total_time={SECONDS}", "-timeout=20", "-rss_limit_mb=4096", "-max_len=4096",
         "-verbosity=0", f"-seed={random.randrange(1, 1 << 31)}", corpus],
        timeout=SECONDS + GRACE_S, cwd=ctx.tmp)
    found = [p for p in ctx.tmp.iterdir() if p.name.startswith(("crash-", "timeout-", "oom-", "leak-"))]
    inputs = "\n".join(f"{p.name}:\n{p.read_bytes()[:2000]!r}" for p in found)
    assert result.code == 0, f"{inputs}\n{result.err[-4000:]}"


def _models(ctx):
    return sorted((ctx.root / "examples").glob("*.pml")) + sorted((ctx.root / "tests" / "models").glob("*.pml"))


def test_the_front_end_survives_any_text(ctx):
    _fuzz(ctx, "parser", _models(ctx))


def test_the_interpreter_survives_any_model(ctx):
    _fuzz(ctx, "interpreter", _models(ctx))


def test_states_from_anywhere_are_refused_or_can_be_expanded(ctx):
    folder = ctx.tmp / "seeds"
    folder.mkdir()
    # As the target reads them: so many steps, which ones, and what is changed in the state.
    (folder / "walk").write_bytes(bytes([6, 0, 1, 2, 3, 4, 5]))
    (folder / "damage").write_bytes(bytes([3, 2, 2, 2, 20, 1, 5, 255]))
    (folder / "raw").write_bytes(bytes([255, 1]) + bytes(60))
    _fuzz(ctx, "state", sorted(folder.iterdir()))


def test_framed_files_survive_any_bytes_and_notice_any_damage(ctx):
    folder = ctx.tmp / "seeds"
    folder.mkdir()
    # Two blocks, as the target reads them: kind, flags, declared size, bytes that follow.
    (folder / "blocks").write_bytes(b"a\0\3\0\0\3abc" + b"b\2\1\0\0\1x" + b"b\0\1\0\0\1y")
    (folder / "file").write_bytes(b"fuzzfile" + (1).to_bytes(4, "little") + bytes(12))
    _fuzz(ctx, "framed_file", sorted(folder.iterdir()))


def test_recordings_are_refused_or_can_be_searched(ctx):
    folder = ctx.tmp / "seeds"
    folder.mkdir()
    # As the target reads them: 3 states, 1 set of statements, walks of 0, 1 and 2 steps, what the states reach, and
    # a chunk of steps: the first state leads to the second, which leads to itself; the third was not expanded.
    states, steps = [3, 1, 0, 0, 1, 2], [16, 0, 0, 0, 24, 0, 1]
    (folder / "three").write_bytes(bytes([*states, 0, *steps]))
    (folder / "sets").write_bytes(bytes([*states, 6, 1, 0, 0, 1, 1, 0, *steps]))
    (folder / "raw").write_bytes(bytes([1, 1, 0, 255, 4, 1, 2, 3, 4, 0, 0]))
    _fuzz(ctx, "recording", sorted(folder.iterdir()))


def test_certificates_are_refused_and_bounded(ctx):
    folder = ctx.tmp / "seeds"
    folder.mkdir()
    # As the target reads them: groups with their lengths, and how often the last byte is repeated. A group: regions;
    # states, transitions, root (none: the initial state) and bytes of flags of each; states in full; flags; numbers.
    one = [1, 3, 2, 0, 3, 0, 1, 1, 0, 1, 0, 0]
    two = [2, 1, 1, 0, 1, 2, 1, 0, 2, 1, 0, 0, 1, 0, 2, 1, 1]
    (folder / "one").write_bytes(bytes([0, len(one), *one, 0]))
    (folder / "two").write_bytes(bytes([3, len(two), *two, 0, len(one), *one, 0]))
    (folder / "bomb").write_bytes(bytes([1, 5, 128, 128, 16, 1, 0, 20]))
    (folder / "claim").write_bytes(bytes([4, 1, 65, 1, 66, 1, 67, 1, 68, 3, 2, 1, 0]))
    _fuzz(ctx, "certificate", sorted(folder.iterdir()))


def test_scripts_as_published_are_refused_or_are_right(ctx):
    folder = ctx.tmp / "seeds"
    folder.mkdir()
    (folder / "right").write_bytes(bytes([0]))
    (folder / "trustful").write_bytes(bytes([1, 9, 0, 1, 40, 0, 2]))
    (folder / "changes").write_bytes(bytes([0, 9, 0, 1, 40, 0, 2, 200, 1, 4]))
    (folder / "claim").write_bytes(bytes([2, 12, 1, 65, 1, 66, 1, 67, 1, 68, 3, 2, 0, 0, 0, 1, 4]))
    # Instead of the right part: two returns; and one whose last byte is repeated.
    (folder / "records").write_bytes(bytes([0, 255, 255, 8, 2, 2, 0, 0, 0, 0, 0, 0, 0, 6, 200, 2, 100, 0, 0, 0, 20]))
    _fuzz(ctx, "full_script", sorted(folder.iterdir()))


def test_closed_sets_are_refused_or_are_those_of_the_model(ctx):
    folder = ctx.tmp / "seeds"
    folder.mkdir()
    (folder / "right").write_bytes(b"")
    (folder / "changes").write_bytes(bytes([9, 0, 1, 40, 0, 2]))
    # Two members, of one length: 00 and 05; and an index of one chunk.
    (folder / "chunk").write_bytes(bytes([2, 2, 1, 2, 4, 0, 1, 0, 5, 2, 1, 1]))
    (folder / "index").write_bytes(bytes([1, 2, 9, *range(32), 1, 0]))
    _fuzz(ctx, "closed_set", sorted(folder.iterdir()))


def test_ranks_are_confirmed_exactly_where_they_are_a_proof(ctx):
    folder = ctx.tmp / "seeds"
    folder.mkdir()
    # Rule and marks, nodes less 1, and of each node its edges: 0 -> 1 with mark 0, 1 -> 0, 1 -> 2 with mark 1, 2 -> 2
    # with it. Then the mode; the initial rank, and of each node its members: rank, those of targets, references.
    graph = [4, 2, 1, 1 | 1 << 3, 2, 0, 2 | 2 << 3, 1, 2 | 2 << 3]
    ranks = [1, 1, 1, 1, 2, 1, 1, 1, 0, 1, 1, 0, 0, 2]
    (folder / "computed").write_bytes(bytes([*graph, 1]))
    (folder / "claimed").write_bytes(bytes([*graph, 8, *ranks]))
    (folder / "repaired").write_bytes(bytes([*graph, 2, *ranks]))
    (folder / "changed").write_bytes(bytes([*graph, 1, 9, 0, 1, 40, 0, 2]))
    # With this rule 0 -> 1 must lead to a lower rank, and all other steps to any.
    (folder / "every").write_bytes(bytes([1, *graph[1:], 2, *ranks[:3], 0, *ranks[4:]]))
    (folder / "large").write_bytes(bytes([*graph, 2, *(255 if rank == 1 else rank for rank in ranks)]))
    _fuzz(ctx, "ranked_set", sorted(folder.iterdir()))


def test_checkpoints_of_certifications_are_refused_or_believed_as_far_as_their_sums(ctx):
    folder = ctx.tmp / "seeds"
    folder.mkdir()
    # A key, two sums, seven figures, and runs of regions that are not done and of those that are.
    (folder / "record").write_bytes(bytes([0, *range(16), *bytes(32), 2, 9, 9, 5, 0, 1, 1, 1, 2]))
    (folder / "nothing").write_bytes(bytes([0, *range(16), *bytes(32), *bytes(7)]))
    (folder / "huge").write_bytes(bytes([0, *bytes(55), 255, 255, 255, 255, 15]))
    (folder / "right").write_bytes(bytes([1]))
    (folder / "changes").write_bytes(bytes([1, 0, 0, 1, 20, 0, 2]))
    (folder / "file").write_bytes(bytes([2, 9, 0, 1, 40, 0, 2]))
    _fuzz(ctx, "certifier_checkpoint", sorted(folder.iterdir()))


def test_keys_and_signatures_are_refused_or_have_one_form(ctx):
    seeds = {"key": b"spoor-secret-key 1\n", "pub": b"spoor-public-key 1\n", "sig": b"spoor-signature 1\n" + b"A" * 43 + b"=\n"}
    folder = ctx.tmp / "seeds"
    folder.mkdir()
    for name, text in seeds.items():
        end = b"A" * 86 + b"==\n" if name == "sig" else b"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n"
        (folder / name).write_bytes(text + end)
    _fuzz(ctx, "signature", sorted(folder.iterdir()))


def test_the_readers_of_graphs_and_traces_survive_any_bytes(ctx):
    seeds = {
        "graph.aut": 'des (0, 2, 2)\n(0, "a", 1)\n(1, i, 0)\n',
        "spin.trail": "-4:-4:-4\n1:0:3\n2:1:7\n",
        "runs.json": json.dumps({"runs": [{"bits": 1 << i, "hashes": 1, "states": 900 * i, "met": 1e3 * i} for i in range(10, 17)]}),
        "trace.json": '{"format": "spoor-trace", "steps": [{"attempt": 0, "actions": []}]}',
    }
    folder = ctx.tmp / "seeds"
    folder.mkdir()
    for name, text in seeds.items():
        (folder / name).write_text(text, encoding="utf-8")
    _fuzz(ctx, "readers", sorted(folder.iterdir()))


def test_files_of_ngrams_are_refused_or_can_be_drawn_from(ctx):
    folder = ctx.tmp / "seeds"
    folder.mkdir()
    # Names, then contexts of three actions (0: the beginning, 1: unknown, from 2 on names) with what follows and how often.
    (folder / "empty").write_bytes(b"\x00\x00")
    (folder / "one").write_bytes(b"\x02\x01a\x01c\x02\x00\x00\x00\x01\x02\x05\x00\x01\x02\x02\x02\x07\x03\x01")
    _fuzz(ctx, "ngrams", sorted(folder.iterdir()))
