"""A search that is kept on disk can be gone on with, whatever happened to the process."""

import json
import os
import random
import signal
import subprocess
import time

# 531,441 states, violated at the far end only where FAIL is defined.
MODEL = """
#define N 8
byte a, b, c, d, e, f;
active proctype A() { do :: d_step { a < N -> a++ } od }
active proctype B() { do :: d_step { b < N -> b++ } od }
active proctype C() { do :: d_step { c < N -> c++ } od }
active proctype D() { do :: d_step { d < N -> d++ } od }
active proctype E() { do :: d_step { e < N -> e++ } od }
active proctype F() { do :: d_step { f < N -> f++ } :: assert(a + b + c + d + e + f < 6 * N - FAIL) od }
"""


def _command(ctx, *options):
    model = ctx.tmp / "model.pml"
    if not model.exists():
        model.write_text(MODEL)
    return [ctx.spoor, "check", "model.pml", "--json", "--reduce", "none", "--no-end-states", *options]


def _check(ctx, *options, code=0):
    result = ctx.run(_command(ctx, *options), timeout=300)
    assert result.code == code, (result.code, result.err, result.out[-2000:])
    return json.loads(result.out)


def _figures(report):
    return {key: report[key] for key in ("verdict", "states", "transitions", "depth")}


def _end(ctx, how, after_s, *options):
    """Starts a search and sends it a signal; returns what was printed, if it was printed."""
    process = subprocess.Popen(_command(ctx, *options), cwd=ctx.tmp, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL,
                               env={**os.environ, "XDG_CACHE_HOME": str(ctx.cache)})
    try:
        time.sleep(after_s)
        process.send_signal(how)
        out, _ = process.communicate(timeout=120)
    finally:
        process.kill()
    return out


def test_a_search_that_is_killed_at_random_moments_gives_the_answer_of_one_that_is_not(ctx):
    whole = _figures(_check(ctx, "-DFAIL=-1", "--all-errors"))
    moments = random.Random(5)
    options = ["-DFAIL=-1", "--all-errors", "--checkpoint", "kept", "--checkpoint-every", "0.01"]
    for _ in range(20 if ctx.long else 2):
        kept = ctx.tmp / "kept"
        kept.unlink(missing_ok=True)
        seen = False
        for _ in range(8):
            resume = ["--resume", "kept"] if kept.exists() else []
            how = ["--threads", str(moments.randint(1, 3)), "--store", moments.choice(("exact", "tree"))]
            out = _end(ctx, signal.SIGKILL, moments.uniform(0.02, 1.2), *options, *resume, *how)
            assert kept.exists() or not seen, "what was kept is gone"
            seen = kept.exists()
            if out:
                assert _figures(json.loads(out)) == whole
                break
        else:
            assert _figures(_check(ctx, *options, *(["--resume", "kept"] if seen else []))) == whole


def test_a_signal_ends_it_with_a_checkpoint(ctx):
    whole = _figures(_check(ctx, "-DFAIL=-1"))
    for how in (signal.SIGINT, signal.SIGTERM):
        (ctx.tmp / "kept").unlink(missing_ok=True)
        report = json.loads(_end(ctx, how, 3 if ctx.slow else 0.3, "-DFAIL=-1", "--checkpoint", "kept", "--threads", "1"))
        if report["verdict"] != "unknown":
            continue  # it was faster
        assert report["limit"] == "interrupted"
        assert _figures(_check(ctx, "-DFAIL=-1", "--resume", "kept")) == whole


def test_limits_threads_and_store_may_change(ctx):
    whole = _figures(_check(ctx, "-DFAIL=-1"))
    _check(ctx, "-DFAIL=-1", "--depth", "20", "--checkpoint", "kept", code=3)
    _check(ctx, "-DFAIL=-1", "--depth", "30", "--resume", "kept", "--checkpoint", "kept", code=3)
    kept = (ctx.tmp / "kept").read_bytes()
    for options in (["--threads", "1"], ["--threads", "3"], ["--exec", "interp"],
                    ["--store", "tree", "--threads", "1"], ["--store", "tree", "--threads", "3"]):
        assert _figures(_check(ctx, "-DFAIL=-1", "--resume", "kept", *options)) == whole
    assert (ctx.tmp / "kept").read_bytes() == kept, "a file that is only resumed from was written"


def test_the_trace_goes_back_to_the_beginning(ctx):
    whole = _check(ctx, "-DFAIL=0", code=1)
    _check(ctx, "-DFAIL=0", "--depth", "40", "--threads", "2", "--checkpoint", "kept", code=3)
    resumed = _check(ctx, "-DFAIL=0", "--resume", "kept", "--trace", "t.json", code=1)
    assert len(resumed["violations"][0]["trace"]) == len(whole["violations"][0]["trace"])
    assert _figures(resumed) == _figures(whole)
    replayed = ctx.run([ctx.spoor, "trace", "model.pml", "t.json"], timeout=60)
    assert replayed.code == 0, replayed.err


def test_what_cannot_be_resumed_is_refused_with_a_reason(ctx):
    _check(ctx, "-DFAIL=0", "--depth", "5", "--checkpoint", "kept", code=3)

    def reason(*options):
        result = ctx.run(_command(ctx, *options), timeout=60)
        assert result.code == 2 and result.err, (result.code, result.out)
        return result.err

    assert "another model or" in reason("-DFAIL=1", "--resume", "kept")
    assert "another model or" in reason("-DFAIL=0", "--all-errors", "--resume", "kept")
    assert "No such file" in reason("-DFAIL=0", "--resume", "missing")
    (ctx.tmp / "text").write_text("hello, world\n")
    assert "is not a checkpoint" in reason("-DFAIL=0", "--resume", "text")
    (ctx.tmp / "cut").write_bytes((ctx.tmp / "kept").read_bytes()[:100])
    assert "no complete checkpoint" in reason("-DFAIL=0", "--resume", "cut")
    assert "--search bfs" in reason("-DFAIL=0", "--checkpoint", "kept", "--search", "dfs")
    assert "--search bfs" in reason("-DFAIL=0", "--resume", "kept", "--store", "compact")


def test_a_damaged_checkpoint_is_refused_or_changes_nothing(ctx):
    small = ["-DFAIL=-1", "-DN=2"]
    (ctx.tmp / "model.pml").write_text(MODEL.replace("#define N 8\n", ""))  # 729 states
    whole = _figures(_check(ctx, *small))
    for options in ((), ("--store", "tree", "--threads", "2")):
        _check(ctx, *small, "--depth", "6", "--checkpoint", "kept", *options, code=3)
        kept = (ctx.tmp / "kept").read_bytes()
        assert _figures(_check(ctx, *small, "--resume", "kept", *options)) == whole
        refused = 0
        damages = _damages(kept, random.Random(len(options)), 250 if ctx.long else 10)
        for damage in damages:
            (ctx.tmp / "damaged").write_bytes(damage)
            result = ctx.run(_command(ctx, *small, "--resume", "damaged", *options))
            assert result.code in (0, 2), (result.code, result.err)
            if result.code == 2:
                assert "cannot resume: 'damaged' " in result.err, result.err
                refused += 1
            else:
                assert _figures(json.loads(result.out)) == whole, damage
        assert refused > len(damages) * 3 // 4, (refused, len(damages))


def _damages(data, random_, count):
    """`data` cut off anywhere, and with a bit, or a run of bytes, changed anywhere: `count` of each, and doubled."""
    found = [data + data, b""]
    for _ in range(count):
        found.append(data[:random_.randrange(len(data))])
        changed = bytearray(data)
        changed[random_.randrange(len(data))] ^= 1 << random_.randrange(8)
        found.append(bytes(changed))
        if random_.random() < 0.5:
            at = random_.randrange(len(data))
            found.append(data[:at] + random_.randbytes(random_.randrange(1, 64)) + data[at + 64:])
    return found


def test_what_is_resumed_keeps_the_memory_limit(ctx):
    if ctx.slow:
        ctx.skip("sanitizers need memory of their own")
    options = ["-DFAIL=-1", "--memory", "30M", "--threads", "2"]
    _check(ctx, *options, "--store", "tree", "--depth", "40", "--checkpoint", "kept", code=3)
    result = ctx.run(_command(ctx, *options, "--resume", "kept"), timeout=120)
    assert result.code == 0, (result.err, result.out[-500:])
    assert json.loads(result.out)["store"] == "tree"
    assert result.peak_mb < 50, result.peak_mb


def test_a_file_that_may_not_grow_does_not_cost_the_answer(ctx):
    command = " ".join(str(word) for word in _command(
        ctx, "-DFAIL=-1", "--checkpoint", "kept", "--checkpoint-every", "0.01"))
    result = ctx.run(["sh", "-c", f"ulimit -f 1000; {command}"], timeout=120)
    assert result.code == 0 and "cannot be written" in result.err, (result.code, result.err)


def test_a_file_that_cannot_be_written_does_not_cost_the_answer(ctx):
    (ctx.tmp / "kept.part").mkdir()  # where it is written at first
    result = ctx.run(_command(ctx, "-DFAIL=-1", "--checkpoint", "kept",
                              "--checkpoint-every", "0.01"), timeout=120)
    assert result.code == 0 and json.loads(result.out)["verdict"] == "holds"
    assert "cannot be written" in result.err, result.err


def test_a_checkpoint_replaces_nothing_but_a_checkpoint(ctx):
    plain = ctx.tmp / "notes.txt"
    plain.write_text("mine\n")
    os.mkfifo(ctx.tmp / "pipe")
    (ctx.tmp / "to-device").symlink_to("/dev/null")
    (ctx.tmp / "folder").mkdir()
    for path, words in (("notes.txt", "is not a checkpoint"), ("model.pml", "is not a checkpoint"),
                        ("pipe", "not a regular file"), ("to-device", "not a regular file"),
                        ("/dev/null", "not a regular file"), ("folder", "not a regular file"),
                        ("no/such/folder/kept", "No such file")):
        report = _check(ctx, "-DFAIL=0", "--checkpoint", path, code=2)
        assert f"the checkpoint '{path}' " in report["error"] and words in report["error"], report
    assert plain.read_text() == "mine\n" and (ctx.tmp / "model.pml").read_text() == MODEL
    assert (ctx.tmp / "to-device").is_symlink() and (ctx.tmp / "pipe").is_fifo()
    # A link stays one, whether or not there is something behind it.
    (ctx.tmp / "link").symlink_to("kept")
    for _ in range(2):
        _check(ctx, "-DFAIL=-1", "--depth", "3", "--checkpoint", "link", code=3)
        assert (ctx.tmp / "link").is_symlink() and (ctx.tmp / "kept").stat().st_size > 100
    (ctx.tmp / "empty").touch()
    _check(ctx, "-DFAIL=-1", "--depth", "3", "--checkpoint", "empty", code=3)
