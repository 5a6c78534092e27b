"""The ledger: its catalogue of runs, its bound, several processes at once, and `spoor history`.

What a recording is good for is tested by test_regression.py.
"""

import concurrent.futures
import json
import os
import random
import re
import signal
import sqlite3
import subprocess
import time

import jsonschema
import pytest

COUNTER = """byte x;
active proctype P() { do :: x < 4 -> x++ :: x > 0 -> x-- od }
active proctype Q() { byte y; do :: y < 9 -> y++ :: y == 9 -> y = 0; assert(x <= 4) od }
"""
EDITED = COUNTER.replace("y == 9 -> y = 0", "y == 9 -> y = 1")
FORMULA = COUNTER + "ltl low { [] (x <= 4) }\n"
# More states than a check sees in the tests' time.
LARGE = "byte a, b, c, d;\n" + "".join(f"active proctype {n.upper()}() {{ do :: {n}++ od }}\n" for n in "abcd")
# With steps, so that also a small recording is used after an edit.
WITHOUT_REDUCTION = ("--reduce", "none", "--exec", "interp", "--record")
# Enough states for a recording without steps to be used: 48 x 48 x 50.
LONG = """byte a, b, c;
active proctype A() { do :: a < 23 -> a++ :: a == 23 -> a = 0 od }
active proctype B() { do :: b < 23 -> b++ :: b == 23 -> b = 0 od }
active proctype C() { do :: c < 23 -> c++ :: c == 23 -> c = 24; assert(a < 24); c = 0 od }
"""


def write(ctx, text, name="m.pml"):
    path = ctx.tmp / name
    path.write_text(text)
    return path


def check(ctx, path, *options, ledger="ledger", code=0, env=None):
    """A check with a ledger; `ledger=None` leaves the option out."""
    where = () if ledger is None else ("--ledger", ctx.tmp / ledger)
    ran = ctx.run([ctx.spoor, "check", "--json", *where, *options, path], env=env)
    assert ran.code == code, (ran.code, ran.out[:2000], ran.err)
    ran.report = json.loads(ran.out) if ran.code != 2 else None
    return ran


def rows(ctx, ledger="ledger"):
    with sqlite3.connect(ctx.tmp / ledger / "catalogue.sqlite") as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute("SELECT * FROM runs ORDER BY id")]


def recordings(ctx, ledger="ledger"):
    return sorted((ctx.tmp / ledger).glob("*.recording"))


def history(ctx, *options, code=0, ledger="ledger", env=None):
    """What `spoor history --json` prints, which fits its schema."""
    where = () if ledger is None else ("--ledger", ctx.tmp / ledger)
    ran = ctx.run([ctx.spoor, "history", "--json", *where, *options], env=env)
    assert ran.code == code, (ran.code, ran.out, ran.err)
    listing = json.loads(ran.out)
    if code == 0:
        schema = json.loads((ctx.root / "docs" / "history.schema.json").read_text())
        jsonschema.Draft7Validator.check_schema(schema)
        jsonschema.Draft7Validator(schema).validate(listing)
    return listing


def is_used(ran):
    return ran.report["ledger"]["used"]


# ---- the catalogue --------------------------------------------------------------------------------------


def test_every_property_of_a_check_has_a_row(ctx):
    path = write(ctx, FORMULA)
    before = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    report = check(ctx, path, "--reduce", "none", "-DA=1", "--threads", "2").report
    safety, formula = rows(ctx)
    assert before <= safety["time"] <= time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    assert (safety["property"], formula["property"]) == ("safety", "ltl:low")
    assert safety["verdict"] == formula["verdict"] == "holds"
    assert safety["recording"] != formula["recording"]
    assert {safety["recording"], formula["recording"]} == {recording.name for recording in recordings(ctx)}
    for row, property_ in zip((safety, formula), report["properties"]):
        assert row["model"] == str(path.resolve()) and row["model_sha256"] == report["model_sha256"]
        assert (row["states"], row["transitions"]) == (property_["states"], property_["transitions"])
        assert abs(row["seconds"] - property_["elapsed_s"]) < 1e-9 and row["threads"] == 2
        assert row["options"] == "--reduce none -DA=1" and row["version"] == report["version"]
        assert row["locations"] is None, "nothing was reused"


def test_a_row_says_what_was_reused(ctx):
    path = write(ctx, COUNTER)
    check(ctx, path, *WITHOUT_REDUCTION)
    write(ctx, EDITED)
    ledger = check(ctx, path, *WITHOUT_REDUCTION).report["ledger"]
    row = rows(ctx)[1]
    assert ledger["used"] and row["recording"] == recordings(ctx)[0].name
    assert [row[name] for name in ("locations", "changed", "recorded", "expanded")] == [
        ledger[name] for name in ("locations", "changed_locations", "recorded_states", "expanded_states")]


def test_a_check_that_is_not_recorded_has_a_row_as_well(ctx):
    write(ctx, COUNTER.replace("x <= 4", "x < 4"))
    check(ctx, "m.pml", "--store", "bitstate", "--bits", "2^20", code=1)
    [row] = rows(ctx)
    assert row["verdict"] == "violated" and row["recording"] == "" and not recordings(ctx), row
    assert row["options"] == "--store bitstate --bits 2^20 --hashes 3", row


def test_a_file_in_place_of_the_folder_is_no_error(ctx):
    path = write(ctx, COUNTER)
    (ctx.tmp / "file").write_text("")
    (ctx.tmp / "file").chmod(0o777)
    ran = check(ctx, path, ledger="file")
    assert ran.err.count("\n") == 1 and "no ledger in" in ran.err, ran.err


def test_wrong_input_leaves_no_row(ctx):
    write(ctx, "proctype {")
    check(ctx, "m.pml", code=2)
    assert not (ctx.tmp / "ledger" / "catalogue.sqlite").exists()


def test_the_oldest_runs_are_forgotten(ctx):
    path = write(ctx, COUNTER)
    check(ctx, path)
    most = 10_000
    with sqlite3.connect(ctx.tmp / "ledger" / "catalogue.sqlite") as database:
        database.executemany("INSERT INTO runs (model) VALUES (?)", [(f"old {i}",) for i in range(most + 50)])
    check(ctx, path)
    kept = rows(ctx)
    assert len(kept) == most and kept[0]["model"] == "old 51", (len(kept), kept[0])
    assert kept[-1]["model"] == str(path.resolve())


def foreign_database(path):
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE runs (mine TEXT)")
        database.execute("INSERT INTO runs VALUES ('precious')")


def database_with_a_trigger(path):
    """The right table, and something that would be executed with each row."""
    with sqlite3.connect(path) as database:
        table = path.with_name("good").read_text()
        database.execute(table)
        database.execute("CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END")


def cut_database(path):
    with sqlite3.connect(path) as database:
        database.execute(path.with_name("good").read_text())
        database.executemany("INSERT INTO runs (model) VALUES (?)", [("x" * 200,)] * 500)
    path.write_bytes(path.read_bytes()[:5000])


DAMAGES = {
    "random bytes": lambda path: path.write_bytes(random.Random(1).randbytes(5000)),
    "text": lambda path: path.write_text("not a database\n"),
    "header only": lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(84)),
    "foreign": foreign_database,
    "trigger": database_with_a_trigger,
    "cut": cut_database,
    "folder": lambda path: (path / "inside").mkdir(parents=True),
    "link to a device": lambda path: path.symlink_to("/dev/null"),
    "link to a file": lambda path: path.symlink_to(path.with_name("elsewhere")),
    "pipe": os.mkfifo,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_catalogue_that_cannot_be_used_is_set_aside(ctx, damage):
    path = write(ctx, COUNTER)
    ledger = ctx.tmp / "ledger"
    check(ctx, path)
    catalogue = ledger / "catalogue.sqlite"
    with sqlite3.connect(catalogue) as database:
        [(table,)] = database.execute("SELECT sql FROM sqlite_master")
    (ledger / "good").write_text(table)
    (ledger / "elsewhere").write_bytes(b"")
    catalogue.unlink()
    DAMAGES[damage](catalogue)
    ran = check(ctx, path)
    assert is_used(ran), "the recording is none of the catalogue's business"
    aside = f"set aside as '{catalogue}.damaged'"
    assert ran.err.count("\n") == 1 and ran.err.startswith("spoor: the catalogue") and aside in ran.err, ran.err
    assert os.path.lexists(f"{catalogue}.damaged")
    assert [row["verdict"] for row in rows(ctx)] == ["holds"], "a new one was begun"
    assert (ledger / "elsewhere").read_bytes() == b""
    again = check(ctx, path)
    assert again.err == "" and len(rows(ctx)) == 2, again.err


def test_an_empty_catalogue_is_filled(ctx):
    path = write(ctx, COUNTER)
    (ctx.tmp / "ledger").mkdir()
    (ctx.tmp / "ledger" / "catalogue.sqlite").write_bytes(b"")
    assert check(ctx, path).err == "" and len(rows(ctx)) == 1


def test_a_journal_that_is_not_one_does_no_harm(ctx):
    path = write(ctx, COUNTER)
    check(ctx, path)
    journal = ctx.tmp / "ledger" / "catalogue.sqlite-journal"
    journal.write_bytes(random.Random(2).randbytes(3000))
    check(ctx, path)
    os.mkfifo(journal)  # SQLite would wait for a writer
    assert "set aside" in check(ctx, path).err
    assert check(ctx, path).err == "" and len(rows(ctx)) == 2


def test_a_locked_catalogue_is_waited_for_and_then_left_alone(ctx):
    path = write(ctx, COUNTER)
    check(ctx, path)
    other = sqlite3.connect(ctx.tmp / "ledger" / "catalogue.sqlite", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    ran = check(ctx, path)
    assert "is locked by another process; this run is not in it" in ran.err, ran.err
    assert is_used(ran) and ran.err.count("\n") == 1
    other.execute("COMMIT")
    other.close()
    assert not list((ctx.tmp / "ledger").glob("*.damaged"))
    check(ctx, path)
    assert len(rows(ctx)) == 2


def read_only(ctx, folder):
    """A prefix of command lines for which the folder is read-only, also where tests are run by root."""
    folder.chmod(0o555)
    prefix = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    try:
        if ctx.run([*prefix, "touch", folder / "x"]).code != 0 and ctx.run([*prefix, "ls", folder]).code == 0:
            return prefix
    except FileNotFoundError:
        pass
    return ctx.skip("no folder is read-only for this user")


def test_a_read_only_ledger_is_used_and_not_written(ctx):
    path = write(ctx, COUNTER)
    check(ctx, path, *WITHOUT_REDUCTION)
    write(ctx, EDITED)
    ledger = ctx.tmp / "ledger"
    prefix = read_only(ctx, ledger)
    try:
        before = {entry.name: entry.read_bytes() for entry in ledger.iterdir()}
        ran = ctx.run([*prefix, ctx.spoor, "check", "--ledger", ledger, *WITHOUT_REDUCTION, path])
        assert ran.code == 0 and ran.err == "", ran.err
        assert re.findall("^ledger: .*$", ran.out, re.M) and " states explored" in ran.out, ran.out
        assert "recording" not in ran.out, "that nothing was recorded is not worth a line"
        assert {entry.name: entry.read_bytes() for entry in ledger.iterdir()} == before
        listed = ctx.run([*prefix, ctx.spoor, "history", "--ledger", ledger, path])
        assert listed.code == 0 and listed.out.count("holds") == 1, (listed.out, listed.err)
    finally:
        ledger.chmod(0o755)


# ---- several processes ------------------------------------------------------------------------------------


@pytest.mark.threads
def test_many_checks_at_once(ctx):
    """Each of twenty checks has its rows, and the recordings are whole."""
    paths = [write(ctx, COUNTER, "a.pml"), write(ctx, EDITED, "b.pml")]
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        ran = list(pool.map(lambda i: check(ctx, paths[i % 2], "--fresh", *WITHOUT_REDUCTION), range(20)))
    assert [one.err for one in ran] == [""] * 20
    assert len(rows(ctx)) == 20 and {row["verdict"] for row in rows(ctx)} == {"holds"}
    assert len(recordings(ctx)) == 2
    assert {entry.suffix for entry in (ctx.tmp / "ledger").iterdir()} == {"", ".recording", ".sqlite"}  # the first: .gitignore
    for path, text in zip(paths, (EDITED, COUNTER)):
        path.write_text(text)  # else the head of the recording would be enough
        last = check(ctx, path, *WITHOUT_REDUCTION)
        assert is_used(last) and last.report["ledger"]["why_not_used"] is None, last.report["ledger"]


def test_one_damaged_catalogue_is_set_aside_once(ctx):
    """A process does not set aside the catalogue that another one has just begun."""
    path = write(ctx, COUNTER)
    for attempt in range(2 if ctx.slow else 5):
        ledger = ctx.tmp / f"ledger-{attempt}"
        ledger.mkdir()
        (ledger / "catalogue.sqlite").write_bytes(b"x" * 5000)
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            list(pool.map(lambda _, name=ledger.name: check(ctx, path, ledger=name), range(6)))
        assert len(rows(ctx, ledger.name)) == 6
        assert (ledger / "catalogue.sqlite.damaged").read_bytes() == b"x" * 5000


def test_killed_checks_leave_a_usable_ledger(ctx):
    """Killed while they search, write the recording, or write the catalogue."""
    path = write(ctx, COUNTER.replace("y < 9", "y < 200").replace("y == 9", "y == 200"))
    random_ = random.Random(1)
    command = [str(ctx.spoor), "check", "--fresh", "--ledger", str(ctx.tmp / "ledger"), *WITHOUT_REDUCTION, str(path)]
    taken = ctx.run(command).seconds
    for _ in range(5 if ctx.slow else 20):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(random_.uniform(0, taken))
            process.send_signal(signal.SIGKILL)
    with subprocess.Popen([*command[:-1], str(write(ctx, LARGE, "large.pml"))], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        time.sleep(0.3)
        process.send_signal(signal.SIGKILL)
    assert not list((ctx.tmp / "ledger").glob("*.damaged"))
    path.write_text(path.read_text().replace("y = 0", "y = 1"))
    last = check(ctx, path, *WITHOUT_REDUCTION)
    assert is_used(last) and last.err == "", (last.report["ledger"], last.err)
    assert history(ctx, path)["runs"][0]["reuse"]["expanded_states"] > 0


def test_a_check_that_writes_a_recording_leaves_no_other_file(ctx):
    """Also not where the recording cannot get its name."""
    path = write(ctx, COUNTER)
    check(ctx, path)
    [recording] = recordings(ctx)
    recording.unlink()
    (recording / "inside").mkdir(parents=True)
    ran = check(ctx, path)
    assert "is not a regular file" in ran.err and len(rows(ctx)) == 2, ran.err
    assert {entry.name for entry in (ctx.tmp / "ledger").iterdir()} == {recording.name, "catalogue.sqlite", ".gitignore"}


def test_no_recording_is_written_through_a_link(ctx):
    path = write(ctx, COUNTER)
    check(ctx, path)
    [recording] = recordings(ctx)
    recording.unlink()
    (ctx.tmp / "elsewhere").write_bytes(b"")
    recording.symlink_to(ctx.tmp / "elsewhere")
    assert "is not a regular file" in check(ctx, path).err
    assert (ctx.tmp / "elsewhere").read_bytes() == b"" and recording.is_symlink()


# ---- the bound ----------------------------------------------------------------------------------------------


def size_of(ledger):
    return sum(entry.stat().st_size for entry in ledger.iterdir())


def age(path, days):
    then = time.time() - days * 24 * 3600
    os.utime(path, (then, then))


def test_recordings_not_used_for_the_longest_time_are_deleted(ctx):
    ledger = ctx.tmp / "ledger"
    names = {}
    for i in range(4):
        known = set(recordings(ctx))
        check(ctx, write(ctx, COUNTER, f"m{i}.pml"))
        [names[i]] = set(recordings(ctx)) - known
        age(names[i], 10 - i)
    check(ctx, "m0.pml")  # the oldest is used, which makes it the newest
    assert names[0].stat().st_mtime > time.time() - 3600
    each = names[0].stat().st_size
    check(ctx, "m3.pml", "--no-record", "--ledger-size", str(size_of(ledger) - each - each // 2))
    assert set(recordings(ctx)) == {names[0], names[3]}
    check(ctx, "m3.pml", "--ledger-size", "1K")
    assert recordings(ctx) == [] and len(rows(ctx)) == 7, "the catalogue stays"


def test_a_recording_that_is_too_large_does_not_stay(ctx):
    check(ctx, write(ctx, COUNTER), "--ledger-size", "1K")
    assert recordings(ctx) == [] and len(rows(ctx)) == 1
    check(ctx, "m.pml", "--ledger-size", "1M")
    assert len(recordings(ctx)) == 1


def test_what_killed_processes_left_goes_first_and_no_foreign_file(ctx):
    ledger = ctx.tmp / "ledger"
    path = write(ctx, COUNTER)
    check(ctx, path)
    [recording] = recordings(ctx)
    own = {"old part": f"{recording.name}.123-0a1b2c3d.part", "new part": f"{recording.name}.124-0a1b2c3d.part",
           "damaged": f"{recording.name}.damaged", "catalogue": "catalogue.sqlite.damaged"}
    foreign = ["notes.txt", "x.recording", "0123.recording", f"{recording.name}.mine", "catalogue.sqlite.copy",
               recording.name.upper(), "a.part", "b.damaged"]
    for name in [*own.values(), *foreign]:
        (ledger / name).write_bytes(bytes(10_000))
    age(ledger / own["old part"], 2)
    (ledger / "0123456789abcdef0123456789abcdef.recording").mkdir()
    (ledger / "1123456789abcdef0123456789abcdef.recording").symlink_to(ledger / "notes.txt")
    check(ctx, path, "--ledger-size", "1G")
    assert all((ledger / name).exists() for name in own.values()), "there is room"
    room = recording.stat().st_size + (ledger / "catalogue.sqlite").stat().st_size + 15_000
    check(ctx, path, "--ledger-size", str(room))
    assert recording.exists() and (ledger / own["new part"]).exists()
    assert [name for name in own if not (ledger / own[name]).exists()] == ["old part", "damaged", "catalogue"]
    check(ctx, path, "--ledger-size", "1")
    assert not recording.exists() and (ledger / own["new part"]).exists()
    assert all((ledger / name).exists() for name in foreign)
    assert sum(entry.is_symlink() or entry.is_dir() for entry in ledger.iterdir()) == 2


def test_a_size_that_is_none_is_refused(ctx):
    write(ctx, COUNTER)
    for value in ("0", "-1", "x", "4Q", ""):
        assert "--ledger-size" in check(ctx, "m.pml", f"--ledger-size={value}", code=2).err


# ---- which ledger, and what for -------------------------------------------------------------------------------


def test_the_environment_names_the_ledger(ctx):
    path = write(ctx, COUNTER)
    named = {"SPOOR_LEDGER": str(ctx.tmp / "named")}
    assert check(ctx, path, ledger=None, env={"SPOOR_LEDGER": "none"}).report["ledger"] is None
    assert check(ctx, path, ledger=None, env=named).report["ledger"] is not None
    assert len(rows(ctx, "named")) == 1
    check(ctx, path, env=named)
    assert len(rows(ctx, "named")) == len(rows(ctx)) == 1, "the option counts more"
    ran = ctx.run([ctx.spoor, "check", "--ledger", "none", path], env=named)
    assert ran.code == 0 and len(rows(ctx, "named")) == 1
    assert history(ctx, path, ledger=None, env=named)["total"] == 1
    assert not (ctx.tmp / "none").exists()


def default_check(ctx, path, *options, code=0):
    ran = ctx.run_spoor(["check", "--json", "--coverage", "off", *options, path], env={"SPOOR_LEDGER": ""})
    assert ran.code == code, (ran.code, ran.err)
    return json.loads(ran.out) if code in (0, 1, 3) else ran


def test_the_default_ledger_is_beside_the_model(ctx):
    """It has the answers and states of all checks, which are used after an edit where a check takes long."""
    (ctx.tmp / "models").mkdir()
    path = ctx.tmp / "models" / "m.pml"
    ledger = path.parent / ".spoor"
    path.write_text(COUNTER)
    first = default_check(ctx, path, "--reduce", "none")
    assert not first["ledger"]["used"] and first["ledger"]["why_not_recorded"] is None
    [recording] = ledger.glob("*.recording")
    assert (ledger / ".gitignore").read_text() == "*\n" and (ledger / "catalogue.sqlite").exists()
    again = default_check(ctx, path, "--reduce", "none")
    assert again["ledger"]["used"] and again["ledger"]["expanded_states"] == 0 and again["states"] == first["states"]
    assert again["unreached"] == first["unreached"] and again["scope"] == first["scope"]
    # A short check has exact figures after an edit, too.
    path.write_text(COUNTER.replace("y = 0", "y = 1"))
    edited = default_check(ctx, path, "--reduce", "none")
    assert not edited["ledger"]["used"] and edited["ledger"]["why_not_used"] is None and edited["scope"] == "all"
    path.write_text(LONG)
    whole = default_check(ctx, path, "--reduce", "none")
    assert whole["states"] > 110_000 and not whole["ledger"]["used"]
    for wanted in ("a < 25", "a < 26"):
        path.write_text(LONG.replace("a < 24", wanted))
        edited = default_check(ctx, path, "--reduce", "none")
        assert edited["ledger"]["used"] and edited["scope"] == "bound" and edited["depth"] is None
        assert 0 < edited["ledger"]["expanded_states"] < edited["states"] / 10 and edited["states"] == whole["states"]
    again = default_check(ctx, path, "--reduce", "none")
    assert again["ledger"]["expanded_states"] == 0 and again["scope"] == "bound"
    listed = ctx.run_spoor(["history", "--json", path], env={"SPOOR_LEDGER": ""})
    assert json.loads(listed.out)["total"] == 7


def test_an_edit_that_moves_statements_keeps_the_recording(ctx):
    """States would have to be translated; the answer has a file of its own, and the next edit uses the states."""
    path = write(ctx, LONG)
    default_check(ctx, path, "--reduce", "none")
    [recording] = (ctx.tmp / ".spoor").glob("*.recording")
    before = recording.read_bytes()
    for text in ("skip; assert(a < 24)", "c = 24; skip; assert(a < 24)"):
        path.write_text(LONG.replace("assert(a < 24)", text))
        edited = default_check(ctx, path, "--reduce", "none")
        assert edited["ledger"]["used"] and edited["ledger"]["expanded_states"] > 0 and edited["scope"] == "bound"
        assert recording.read_bytes() == before
        assert edited["states"] >= default_check(ctx, path, "--reduce", "none", "--ledger", "none")["states"]
        again = default_check(ctx, path, "--reduce", "none")
        assert again["ledger"]["expanded_states"] == 0 and again["states"] == edited["states"]
    # Where much is touched, they are translated, and the recording is of the new version.
    path.write_text(LONG.replace("c == 23 -> c = 24", "c == 23 -> skip; c = 24").replace("b == 23 -> b = 0", "b == 23 -> skip; b = 0")
                    .replace("a == 23 -> a = 0", "a == 23 -> skip; a = 0"))
    many = default_check(ctx, path, "--reduce", "none", "--regression", "closure")
    if many["ledger"]["used"]:
        assert recording.read_bytes() != before
    path.write_text(path.read_text().replace("a < 24", "a < 25"))
    last = default_check(ctx, path, "--reduce", "none")
    assert last["ledger"]["used"] and last["ledger"]["expanded_states"] < last["states"] / 10


def test_the_default_ledger_can_have_steps(ctx):
    path = write(ctx, COUNTER)
    default_check(ctx, path, "--reduce", "none", "--record")
    path.write_text(COUNTER.replace("y = 0", "y = 1"))
    edited = default_check(ctx, path, "--reduce", "none", "--no-record")
    assert edited["ledger"]["used"] and edited["ledger"]["expanded_states"] > 0 and edited["scope"] == "all"


def test_an_error_leaves_its_version_in_the_default_ledger(ctx):
    """Which is of no use, and does no harm."""
    path = write(ctx, LONG.replace("a < 24", "a != 1"))
    wrong = default_check(ctx, path, "--reduce", "none", code=1)
    assert not wrong["ledger"]["used"]
    path.write_text(LONG)
    assert not default_check(ctx, path, "--reduce", "none")["ledger"]["used"]
    path.write_text(LONG.replace("a < 24", "a != 1"))
    wrong = default_check(ctx, path, "--reduce", "none", code=1)
    assert not wrong["ledger"]["used"] and "error" in wrong["ledger"]["why_not_used"], wrong["ledger"]
    path.write_text(LONG.replace("a < 24", "a < 25"))
    assert default_check(ctx, path, "--reduce", "none")["ledger"]["used"], "the recording is that of the version before"


def test_the_default_ledger_is_made_only_for_what_is_checked(ctx):
    default_check(ctx, ctx.tmp / "missing" / "m.pml", code=2)
    assert not (ctx.tmp / "missing").exists()
    default_check(ctx, write(ctx, "active proctype P() { x = 1 }"), code=2)
    assert not (ctx.tmp / ".spoor").exists()
    ran = ctx.run_spoor(["check", "--json", "/dev/stdin"], env={"SPOOR_LEDGER": ""}, stdin=COUNTER)
    assert ran.code == 0 and json.loads(ran.out)["ledger"] is None and not os.path.exists("/dev/.spoor"), ran.err
    (ctx.tmp / ".spoor").write_text("a file that was there before")
    ran = ctx.run_spoor(["check", write(ctx, COUNTER)], env={"SPOOR_LEDGER": ""})
    assert ran.code == 0 and "ledger" not in ran.out + ran.err, (ran.out, ran.err)
    assert (ctx.tmp / ".spoor").read_text() == "a file that was there before"


def test_fresh_runs_in_full_and_records_anew(ctx):
    path = write(ctx, COUNTER)
    check(ctx, path)
    [recording] = recordings(ctx)
    age(recording, 3)
    ran = check(ctx, path, "--fresh")
    assert not is_used(ran) and recording.stat().st_mtime > time.time() - 3600
    write(ctx, EDITED)
    check(ctx, path, "--fresh")
    assert check(ctx, path).report["ledger"]["changed_locations"] == 0, "the recording is of the last version"


def test_without_recording_the_ledger_is_used_all_the_same(ctx):
    path = write(ctx, COUNTER)
    ran = check(ctx, path, "--no-record")
    assert not is_used(ran) and ran.report["ledger"]["why_not_recorded"] is None and not recordings(ctx)
    full = check(ctx, path, ledger="none").report
    check(ctx, path, "--record")
    [recording] = recordings(ctx)
    good = recording.read_bytes()
    write(ctx, EDITED.replace("x <= 4", "x < 4"))
    edited = check(ctx, path, "--no-record", code=1)
    assert is_used(edited) and recording.read_bytes() == good, "it is still that of the first version"
    assert edited.report["violations"] == check(ctx, path, ledger=None, code=1).report["violations"]
    write(ctx, COUNTER)
    assert check(ctx, path, "--no-record").report["states"] == full["states"]
    assert len(rows(ctx)) == 4


def test_contradictions_are_refused(ctx):
    write(ctx, COUNTER)
    for options, words in ((("--record", "--no-record"), "only one of --record and --no-record"),
                           (("--fresh", "--no-record"), "--fresh records anew, which --no-record forbids")):
        ran = check(ctx, "m.pml", *options, code=2)
        assert words in ran.err and "spoor check --help" in ran.err, ran.err
    ran = check(ctx, "m.pml", "--record", ledger=None, code=2)
    assert "--record needs a ledger" in ran.err, ran.err
    assert not (ctx.tmp / "ledger").exists()
    check(ctx, "m.pml", "--fresh", ledger=None)
    check(ctx, "m.pml", "--no-record", ledger=None)


# ---- spoor history ----------------------------------------------------------------------------------------------


def test_history_lists_the_runs_of_a_model(ctx):
    path = write(ctx, COUNTER)
    check(ctx, path, *WITHOUT_REDUCTION)
    write(ctx, EDITED)
    check(ctx, path, *WITHOUT_REDUCTION)
    check(ctx, write(ctx, COUNTER.replace("x <= 4", "x < 4"), "other.pml"), "--all-errors", code=1)
    shown = ctx.run_spoor(["history", "--ledger", "ledger", "./m.pml"])
    head, last, first = shown.out.splitlines()
    assert shown.code == 0 and head.split() == ["when", "(UTC)", "verdict", "states", "seconds", "explored",
                                                "property", "options"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  holds +\d+ +\d+\.\d\d  \d+ of \d+  safety    --reduce none",
                        last), last
    assert re.fullmatch(r".*holds +\d+ +\d+\.\d\d +all  safety    --reduce none", first), first
    assert head.index("property") == last.index("safety") == first.index("safety"), "the columns are aligned"
    everything = ctx.run_spoor(["history", "--ledger", "ledger"]).out
    assert everything.count("m.pml") == 2 and everything.count("other.pml") == 1, everything
    assert everything.splitlines()[1].endswith("other.pml  --all-errors"), everything
    one = ctx.run_spoor(["history", "--ledger", "ledger", "-n", "1"]).out
    assert one.endswith("\n1 of 3 runs; -n 3 shows all\n") and one.count("safety") == 1, one


def test_history_as_json(ctx):
    path = write(ctx, FORMULA)
    report = check(ctx, path).report
    check(ctx, path)
    listing = history(ctx, path)
    assert listing["total"] == 4 and listing["model"] == str(path) and len(listing["runs"]) == 4
    assert [run["property"] for run in listing["runs"]] == ["ltl:low", "safety"] * 2
    _, second, _, first = listing["runs"]
    assert first["reuse"] is None and second["reuse"]["expanded_states"] == 0, second
    assert first["states"] == report["states"] and first["model_sha256"] == report["model_sha256"]
    assert history(ctx, "-n", "3")["total"] == 4 and len(history(ctx, "-n", "3")["runs"]) == 3
    manual = (ctx.root / "docs" / "json.md").read_text().partition("## spoor history")[2]
    names = {*listing, *first, *second["reuse"]}
    assert not {name for name in names if f"`{name}`" not in manual}, names


def test_history_without_a_ledger_or_without_runs(ctx):
    path = write(ctx, COUNTER)
    none = ctx.run_spoor(["history", path])
    assert none.code == 2 and "no ledger" in none.err and "SPOOR_LEDGER" in none.err, none.err
    unmade = ctx.run_spoor(["history", path], env={"SPOOR_LEDGER": ""})
    assert unmade.code == 2 and f"no ledger in '{path.parent / '.spoor'}'" in unmade.err, unmade.err
    missing = ctx.run_spoor(["history", path, "--ledger", "missing"])
    assert missing.code == 2 and "no ledger in 'missing'" in missing.err and not (ctx.tmp / "missing").exists()
    assert "error" in history(ctx, path, ledger="missing", code=2)
    (ctx.tmp / "ledger").mkdir()
    empty = ctx.run_spoor(["history", "--ledger", "ledger"])
    assert empty.code == 0 and empty.out == "no run in the ledger 'ledger'\n", empty.out
    check(ctx, path)
    other = ctx.run_spoor(["history", "--ledger", "ledger", "gone.pml"])
    assert other.code == 0 and other.out == "no run of 'gone.pml' in the ledger 'ledger'\n", other.out
    assert history(ctx, "gone.pml")["runs"] == []
    for value in ("0", "-1", "x"):
        assert ctx.run_spoor(["history", f"-n={value}", "--ledger", "ledger"]).code == 2


def test_history_of_a_damaged_catalogue_is_an_error(ctx):
    (ctx.tmp / "ledger").mkdir()
    catalogue = ctx.tmp / "ledger" / "catalogue.sqlite"
    for damage in ("random bytes", "foreign", "pipe"):
        DAMAGES[damage](catalogue)
        ran = ctx.run_spoor(["history", "--ledger", "ledger"])
        assert ran.code == 2 and "the catalogue '" in ran.err and "may be deleted" in ran.err, ran.err
        assert catalogue.exists(), "a listing renames no file"
        catalogue.unlink()


def test_what_a_catalogue_says_cannot_talk_to_the_terminal(ctx):
    path = write(ctx, COUNTER)
    check(ctx, path)
    with sqlite3.connect(ctx.tmp / "ledger" / "catalogue.sqlite") as database:
        database.execute("UPDATE runs SET options = ?, verdict = ?, states = -3, seconds = 'x', time = NULL",
                         ("\x1b]0;title\x07", b"\xff\x00"))
    shown = ctx.run_spoor(["history", "--ledger", "ledger"])
    assert shown.code == 0 and "\x1b" not in shown.out and "title" in shown.out, shown.out
    assert json.loads(ctx.run_spoor(["history", "--json", "--ledger", "ledger"]).out)["runs"][0]["states"] == 0
