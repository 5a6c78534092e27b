"""Certifications that are ended and continue: killed in the middle, and nothing of the certificate may change since.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

# 117,649 states.
LARGE = "".join(f"byte v{i};\nactive proctype P{i}() {{ end: do :: d_step {{ v{i} < 6 -> v{i}++ }} od }}\n" for i in range(6))
STATES = 7 ** 6
INTERP = ("--exec", "interp")


def spoor(ctx, command, *args, code=0):
    result = ctx.run_spoor([command, *args], cwd=ctx.tmp, timeout=120)
    assert code is None or result.code == code, (args, result.code, result.out[-2000:], result.err[-2000:])
    return result


def make(ctx):
    (ctx.tmp / "m.pml").write_text(LARGE)
    spoor(ctx, "check", "--reduce", "none", "--certificate", "c", "m.pml")


def begin(ctx, *args):
    words = [ctx.spoor, "certify", *INTERP, "--checkpoint", "kept", *args, "m.pml", "c"]
    return subprocess.Popen([str(word) for word in words], cwd=ctx.tmp, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def stop_in_the_middle(ctx, how, *args):
    """Leaves a checkpoint of a part of the regions, or fails."""
    for attempt in range(5):
        process = begin(ctx, "--checkpoint-every", "0.01", *args)
        deadline = time.monotonic() + 30
        while not (ctx.tmp / "kept").exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
        process.send_signal(how)
        code = process.wait(60)
        if code != 0 and (ctx.tmp / "kept").exists():
            return code
    raise AssertionError("the certification was over each time")


def test_a_killed_certification_continues(ctx):
    make(ctx)
    assert stop_in_the_middle(ctx, signal.SIGKILL) == -signal.SIGKILL
    assert (ctx.tmp / "kept").stat().st_mode & 0o777 == 0o600
    report = json.loads(spoor(ctx, "certify", "--json", *INTERP, "--resume", "kept", "--checkpoint", "kept", "m.pml", "c").out)
    whole = json.loads(spoor(ctx, "certify", "--json", *INTERP, "m.pml", "c").out)
    assert report["answer"] == "confirmed" and report["states"] == STATES
    for key in ("states", "transitions", "regions", "claim"):
        assert report[key] == whole[key], key
    assert not (ctx.tmp / "kept").exists(), "it is of no use when there is an answer"


def test_a_signal_or_a_limit_ends_it_with_a_checkpoint(ctx):
    make(ctx)
    assert stop_in_the_middle(ctx, signal.SIGTERM) == 3
    result = spoor(ctx, "certify", *INTERP, "--time", "0.05", "--resume", "kept", "--checkpoint", "later", "m.pml", "c", code=None)
    if result.code == 3:  # it was not over
        assert result.out.startswith("unknown: a limit ended the certification (") and "--resume later continues" in result.err, result
        spoor(ctx, "certify", *INTERP, "--resume", "later", "m.pml", "c")
        assert (ctx.tmp / "later").exists(), "only the file of --checkpoint is removed"
    spoor(ctx, "certify", *INTERP, "--resume", "kept", "m.pml", "c")


def test_nothing_may_have_changed(ctx):
    make(ctx)
    stop_in_the_middle(ctx, signal.SIGTERM)
    resume = (*INTERP, "--resume", "kept")
    original = (ctx.tmp / "c").read_bytes()
    (ctx.tmp / "c").write_bytes(original + b"\0")
    reason = spoor(ctx, "certify", *resume, "m.pml", "c", code=2).err
    assert "the checkpoint 'kept' is of another certification: the certificate, the model or an option has changed" in reason
    (ctx.tmp / "c").write_bytes(original)
    (ctx.tmp / "same.pml").write_text(LARGE)
    spoor(ctx, "certify", *resume, "same.pml", "c")
    assert "is of another certification" in spoor(ctx, "certify", *resume, "--invariant", "v0 < 9", "m.pml", "c", code=2).err
    os.chmod(ctx.tmp / "kept", 0o644)
    assert "its mode must be 0600" in spoor(ctx, "certify", *resume, "m.pml", "c", code=2).err
    os.chmod(ctx.tmp / "kept", 0o600)
    content = bytearray((ctx.tmp / "kept").read_bytes())
    content[len(content) // 2] ^= 1
    (ctx.tmp / "kept").write_bytes(content)
    assert "the checkpoint 'kept' is " in spoor(ctx, "certify", *resume, "m.pml", "c", code=2).err
    (ctx.tmp / "kept").write_text("text")
    assert "is not a checkpoint of a certification" in spoor(ctx, "certify", *resume, "m.pml", "c", code=2).err
    assert "is not a checkpoint of a certification" in spoor(ctx, "certify", "--checkpoint", "m.pml", "m.pml", "c", code=2).err


def test_what_has_no_checkpoint_is_refused(ctx):
    make(ctx)
    for args, words in ((("--checkpoint-every", "1"), "--checkpoint-every needs --checkpoint"),
                        (("--checkpoint", "kept", "--sample", "3"), "a sample of a certificate has no checkpoint")):
        assert words in spoor(ctx, "certify", *args, "m.pml", "c", code=2).err
    spoor(ctx, "check", "--certificate-kind", "closed-set", "--certificate", "set", "m.pml")
    assert "needs a compact certificate" in spoor(ctx, "certify", "--checkpoint", "kept", "m.pml", "set", code=2).err
    (ctx.tmp / "wrong.pml").write_text("active proctype A() { assert(false) }\n")
    spoor(ctx, "check", "--certificate", "trace", "wrong.pml", code=1)
    assert "needs a compact certificate" in spoor(ctx, "certify", "--checkpoint", "kept", "wrong.pml", "trace", code=2).err
