"""Signed certificates and traces: `keygen`, `sign`, `check --sign`, `certify --signer`."""

import base64
import hashlib
import json
import shutil
import stat

import jsonschema
import pytest

HOLDS = "byte x;\nactive [2] proctype A() { do :: x < 5 -> x++ :: x > 0 -> x-- od }\n"
FAILS = "byte x;\nactive proctype A() { x = 1; assert(x == 2) }\n"


def run(ctx, *args, code=0):
    result = ctx.run_spoor(args, cwd=ctx.tmp)
    assert result.code == code, (result.code, result.out, result.err)
    return result


def certify(ctx, *args, code=0, model="m.pml"):
    """Also as JSON, which must agree."""
    answer = json.loads(run(ctx, "certify", "--json", "--exec", "interp", model, *args, code=code).out)
    schema = json.loads((ctx.root / "docs" / "certify.schema.json").read_text())
    if code != 2:
        jsonschema.validate(answer, schema, jsonschema.Draft7Validator)
    return run(ctx, "certify", "--exec", "interp", model, *args, code=code), answer


def prepare(ctx, text=HOLDS, code=0):
    """The keys of alice and of bob, and m.cert, signed by alice."""
    (ctx.tmp / "m.pml").write_text(text)
    for name in ("alice", "bob"):
        run(ctx, "keygen", name)
    return run(ctx, "check", "--exec", "interp", "--certificate", "m.cert", "--sign", "alice.key", "m.pml", code=code)


def public(ctx, name):
    return (ctx.tmp / f"{name}.pub").read_text().splitlines()[1]


def test_keys_are_made_once_and_the_secret_one_is_private(ctx):
    result = run(ctx, "keygen", "alice")
    key, pub = ctx.tmp / "alice.key", ctx.tmp / "alice.pub"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert public(ctx, "alice") in result.out
    assert key.read_text().splitlines()[1] not in result.out + result.err
    before = key.read_bytes(), pub.read_bytes()
    assert "'alice.key' exists" in run(ctx, "keygen", "alice", code=2).err
    key.unlink()
    assert "'alice.pub' exists" in run(ctx, "keygen", "alice", code=2).err
    assert not key.exists() and pub.read_bytes() == before[1]
    assert "cannot write" in run(ctx, "keygen", "nowhere/alice", code=2).err


def test_a_signed_certificate_is_confirmed_with_the_key_of_its_signer(ctx):
    made = prepare(ctx)
    assert f"signed by {public(ctx, 'alice')}" in made.out
    text, answer = certify(ctx, "m.cert", "--signer", "alice.pub")
    assert text.out.startswith("confirmed: ") and f"signed by {public(ctx, 'alice')}\n" in text.out
    assert answer["signed_by"] == public(ctx, "alice")


def test_without_a_signer_signatures_are_not_mentioned(ctx):
    prepare(ctx)
    signed, answer = certify(ctx, "m.cert")
    (ctx.tmp / "m.cert.sig").unlink()
    without, _ = certify(ctx, "m.cert")
    for text in (signed.out, without.out):
        assert text.startswith("confirmed: ") and "sign" not in text
    assert answer["signed_by"] is None


def test_the_certificate_has_the_same_bytes_with_a_signature(ctx):
    prepare(ctx)
    run(ctx, "check", "--exec", "interp", "--certificate", "n.cert", "m.pml")
    assert (ctx.tmp / "m.cert").read_bytes() == (ctx.tmp / "n.cert").read_bytes()
    assert not (ctx.tmp / "n.cert.sig").exists()


def test_an_absent_or_wrong_signature_refutes_before_the_model_is_read(ctx):
    prepare(ctx)
    cert, sig = ctx.tmp / "m.cert", ctx.tmp / "m.cert.sig"
    good, signature = cert.read_bytes(), sig.read_bytes()

    def refuted(reason, signer="alice.pub"):
        text, answer = certify(ctx, "m.cert", "--signer", signer, code=1, model="no-such-model.pml")
        assert text.out.startswith("refuted: ") and reason in text.out, text.out
        assert answer["signed_by"] is None and answer["kind"] is None and reason in answer["reason"], answer

    refuted(f"it is signed by another key: {public(ctx, 'alice')}", signer="bob.pub")
    cert.write_bytes(good + b"\0")
    refuted("is wrong: it is one of other contents")
    cert.write_bytes(good)
    lines = signature.splitlines()
    for wrong, reason in ((b"", "is not a signature"), (b"x" * 5000, "is not a signature"), (b"\0\xff\n" * 9, "is not a signature"),
                          (signature[:-5], "is damaged"), (signature + b"\n", "is damaged"),
                          (b"\n".join([lines[0], lines[1], b"A" * 86 + b"==", b""]), "is wrong"),
                          ((ctx.tmp / "alice.pub").read_bytes(), "is a public key, not a signature")):
        sig.write_bytes(wrong)
        refuted(reason)
    sig.unlink()
    refuted("it is not signed: there is no 'm.cert.sig'")
    # The signature of another file.
    shutil.copy(cert, ctx.tmp / "other")
    (ctx.tmp / "other").write_bytes(b"another file")
    run(ctx, "sign", "other", "alice.key")
    shutil.copy(ctx.tmp / "other.sig", sig)
    refuted("is wrong: it is one of other contents")
    sig.write_bytes(signature)
    certify(ctx, "m.cert", "--signer", "alice.pub")


def test_no_changed_byte_of_a_certificate_or_signature_passes(ctx):
    prepare(ctx)
    count = 400 if ctx.long else 12
    for name in ("m.cert", "m.cert.sig"):
        file = ctx.tmp / name
        good = file.read_bytes()
        for i in range(count):
            changed = bytearray(good)
            changed[(i * 7919) % len(good)] ^= 1 << (i % 8)
            file.write_bytes(changed)
            result = ctx.run_spoor(["certify", "--signer", "alice.pub", "no-model.pml", "m.cert"], cwd=ctx.tmp)
            # The name of the signer, in the second line of a signature, is for messages only.
            if name.endswith(".sig") and changed.count(b"\n") == 3 and changed.splitlines()[2] == good.splitlines()[2] \
                    and changed.splitlines()[0] == good.splitlines()[0] and result.code == 2:
                assert "no-model.pml" in result.err, result.err
                continue
            assert result.code == 1 and result.out.startswith("refuted: "), (i, result.out, result.err)
        file.write_bytes(good)


def test_files_that_are_no_keys_are_wrong_input(ctx):
    prepare(ctx)
    (ctx.tmp / "damaged.pub").write_text("spoor-public-key 1\nAAAA\n")
    (ctx.tmp / "bytes").write_bytes(bytes(range(256)))
    for args, reason in ((("--signer", "absent.pub"), "'absent.pub' cannot be read: No such file"),
                         (("--signer", "alice.key"), "'alice.key' is a secret key, not a public key"),
                         (("--signer", "damaged.pub"), "'damaged.pub' is damaged"),
                         (("--signer", "bytes"), "'bytes' is not a public key"),
                         (("--signer", "."), "'.' cannot be read: Is a directory"),
                         (("--signer", "/dev/zero"), "'/dev/zero' is not a public key")):
        result, answer = certify(ctx, "m.cert", *args, code=2)
        assert reason in result.err and reason in answer["error"], (result.err, answer)
    assert "'absent.cert' cannot be read" in certify(ctx, "absent.cert", "--signer", "alice.pub", code=2)[0].err
    assert "'/dev/zero' cannot be read" in certify(ctx, "/dev/zero", "--signer", "alice.pub", code=2)[0].err
    for key, reason in (("alice.pub", "'alice.pub' is a public key, not a secret key"), ("bytes", "'bytes' is not a secret key")):
        for args in (["check", "--certificate", "n.cert", "--sign", key, "m.pml"], ["sign", "m.cert", key]):
            assert reason in run(ctx, *args, code=2).err
    assert not (ctx.tmp / "n.cert").exists()
    assert "cannot be read" in run(ctx, "sign", "absent.cert", "alice.key", code=2).err


def test_a_key_is_looked_at_before_the_search(ctx):
    prepare(ctx)
    # The error is about the key, so the model, which does not exist, has not been looked for.
    assert "absent.key" in run(ctx, "check", "--certificate", "n.cert", "--sign", "absent.key", "no-model.pml", code=2).err
    (ctx.tmp / "n.cert.sig").write_text("a file of the user")
    message = run(ctx, "check", "--certificate", "n.cert", "--sign", "alice.key", "no-model.pml", code=2).err
    assert "'n.cert.sig' is not a signature" in message, message
    assert (ctx.tmp / "n.cert.sig").read_text() == "a file of the user"
    assert "--sign needs --certificate" in run(ctx, "check", "--sign", "alice.key", "m.pml", code=2).err


def test_traces_are_signed_too(ctx):
    made = prepare(ctx, FAILS, code=1)
    assert "signed by" in made.out
    text, answer = certify(ctx, "m.cert", "--signer", "alice.pub")
    assert text.out.startswith("confirmed: the model has an error") and f"signed by {public(ctx, 'alice')}\n" in text.out
    assert answer["kind"] == "trace" and answer["signed_by"] == public(ctx, "alice")
    certify(ctx, "m.cert", "--signer", "bob.pub", code=1)
    # A trace that was made without a key.
    run(ctx, "check", "--exec", "interp", "--trace", "t.json", "m.pml", code=1)
    certify(ctx, "t.json", "--signer", "bob.pub", code=1)
    run(ctx, "sign", "t.json", "bob.key")
    certify(ctx, "t.json", "--signer", "bob.pub")


def test_the_report_says_who_has_signed(ctx):
    prepare(ctx)
    schema = json.loads((ctx.root / "docs" / "check.schema.json").read_text())
    for extra, signer in (([], None), (["--sign", "bob.key"], public(ctx, "bob"))):
        report = json.loads(run(ctx, "check", "--json", "--exec", "interp", "--certificate", "m.cert", *extra, "m.pml").out)
        jsonschema.validate(report, schema, jsonschema.Draft7Validator)
        assert report["certificate"]["signed_by"] == signer


def test_what_was_not_made_is_not_signed(ctx):
    prepare(ctx)
    (ctx.tmp / "m.cert").unlink()
    (ctx.tmp / "m.cert.sig").unlink()
    (ctx.tmp / "big.pml").write_text("int x;\nactive proctype A() { do :: x++ :: x = x + 7 od }\n")
    args = ["check", "--json", "--exec", "interp", "--time", "0.2", "--certificate", "m.cert", "--sign", "alice.key", "big.pml"]
    report = json.loads(run(ctx, *args, code=3).out)
    assert report["certificate"]["signed_by"] is None and report["certificate"]["reason"]
    assert not (ctx.tmp / "m.cert").exists() and not (ctx.tmp / "m.cert.sig").exists()


@pytest.mark.other_program
def test_another_program_accepts_the_signature(ctx):
    if shutil.which("openssl") is None:
        ctx.skip("needs openssl")
    prepare(ctx)
    head, _, signature = (ctx.tmp / "m.cert.sig").read_text().splitlines()
    digest = hashlib.sha256((ctx.tmp / "m.cert").read_bytes()).hexdigest()
    prefix = bytes.fromhex("302a300506032b6570032100")  # of such keys in the format of OpenSSL

    def verify(signer):
        (ctx.tmp / "text").write_text(f"{head}\nsha256 {digest}\n")
        (ctx.tmp / "raw").write_bytes(base64.b64decode(signature))
        (ctx.tmp / "der").write_bytes(prefix + base64.b64decode(public(ctx, signer)))
        return ctx.run(["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", "der", "-keyform", "DER", "-rawin", "-in", "text",
                        "-sigfile", "raw"], cwd=ctx.tmp).code

    assert verify("alice") == 0 and verify("bob") != 0
