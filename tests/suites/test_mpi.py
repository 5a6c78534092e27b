"""Certification by several processes over Open MPI: four ranks on one machine, two in network namespaces.

The tests are skipped where mpirun is not installed, or spoor was built without it. With sanitizers they are left out, because Open MPI
leaks: tests/unit/test_certifier_ranks.cpp has ranks without it.
"""

import json
import os
import pathlib
import shutil
import subprocess
import time

import pytest

pytestmark = pytest.mark.other_program

# 2,097,152 states without reductions.
COUNTERS = "".join(f"byte v{i};\nactive proctype P{i}() {{ end: do :: d_step {{ v{i} < 7 -> v{i}++ }} od }}\n" for i in range(7))
STATES = 8 ** 7
SMALL = COUNTERS.replace("< 7", "< 3")
LIBRARY = "libspoor_mpi.so"


def has_mpi(ctx):
    if shutil.which("mpirun") is None:
        pytest.skip("mpirun is not installed (openmpi-bin)")
    if not (ctx.spoor.parent / LIBRARY).exists():
        pytest.skip("spoor was built without Open MPI (libopenmpi-dev)")


def environment(ctx):
    # Open MPI refuses to run as root unless it is told twice, and keeps sockets under long names in TMPDIR.
    return {**os.environ, "XDG_CACHE_HOME": str(ctx.cache), "TMPDIR": "/tmp", "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def command(ctx, ranks, *args):
    return [str(word) for word in ("mpirun", "--oversubscribe", "-n", ranks, ctx.spoor, "certify", *args)]


def mpirun(ctx, ranks, *args, code=0):
    result = subprocess.run(command(ctx, ranks, *args), cwd=ctx.tmp, env=environment(ctx), capture_output=True, text=True,
                            timeout=100, check=False)
    assert result.returncode == code, (result.returncode, result.stdout[-2000:], result.stderr[-2000:])
    return result


def make(ctx, text=SMALL):
    (ctx.tmp / "m.pml").write_text(text)
    made = ctx.run_spoor(["check", "--reduce", "none", "--certificate", "c", "m.pml"], cwd=ctx.tmp, timeout=100)
    assert made.code == 0, made.err


def children(pid):
    return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_four_ranks_have_the_answer_of_one(ctx):
    has_mpi(ctx)
    make(ctx)
    alone = json.loads(ctx.run_spoor(["certify", "--json", "m.pml", "c"], cwd=ctx.tmp).out)
    for ranks in (1, 4):
        report = json.loads(mpirun(ctx, ranks, "--json", "m.pml", "c").stdout)
        for key in ("answer", "states", "transitions", "regions", "largest_region", "claim"):
            assert report.get(key) == alone.get(key), (ranks, key)
        assert report["processes"] == ranks and (report["exchanged_bytes"] > 0) == (ranks > 1), report
    assert alone["processes"] is None and alone["exchanged_bytes"] is None
    shown = mpirun(ctx, 4, "m.pml", "c").stdout
    assert shown.startswith("confirmed: ") and "\n4 processes, which have exchanged " in shown, shown
    assert not (ctx.tmp / "c.checkpoint").exists()


def test_four_ranks_refuse_what_one_refuses(ctx):
    has_mpi(ctx)
    make(ctx)
    refused = mpirun(ctx, 4, "--property", "deadlock", "m.pml", "c", code=1)
    assert refused.stdout.startswith("refuted: ") and "about the property safety, not deadlock" in refused.stdout
    assert mpirun(ctx, 4, "--invariant", "v0 < 3", "m.pml", "c", code=1).stdout.startswith("not confirmed: ")
    assert "is no certificate" in mpirun(ctx, 2, "m.pml", "m.pml", code=2).stderr
    assert "--tasks needs one process" in mpirun(ctx, 2, "--tasks", "3", "m.pml", "c", code=2).stderr
    # A rank with other files.
    shutil.copy(ctx.tmp / "c", ctx.tmp / "other")
    with open(ctx.tmp / "other", "ab") as file:
        file.write(b"\0")
    words = [*command(ctx, 1, "m.pml", "c"), ":", *command(ctx, 1, "m.pml", "other")[2:]]
    result = subprocess.run(words, cwd=ctx.tmp, env=environment(ctx), capture_output=True, text=True, timeout=100, check=False)
    assert result.returncode == 2 and "rank 1 has another certificate, model, option or version" in result.stderr, result


def test_a_rank_that_dies_ends_the_run_with_a_checkpoint(ctx):
    has_mpi(ctx)
    make(ctx, COUNTERS)
    for wait_s in (1.5, 0.7, 3, 5):
        run = subprocess.Popen(command(ctx, 4, "--exec", "interp", "--checkpoint-every", "0.1", "--checkpoint", "kept", "m.pml", "c"),
                               cwd=ctx.tmp, env=environment(ctx), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            deadline = time.monotonic() + wait_s
            while time.monotonic() < deadline or (len(children(run.pid)) < 4 and run.poll() is None):
                time.sleep(0.05)
            ranks = children(run.pid) if run.poll() is None else []
            if ranks:
                os.kill(ranks[-1], 9)
            out, err = run.communicate(timeout=60)
        finally:
            run.kill()
        if run.returncode != 0 and (ctx.tmp / "kept").exists():
            break
    else:
        raise AssertionError("it was over each time, or had not begun")
    assert "signal 9" in err and "if a rank has died, mpirun says which one" in err, (out, err)
    assert (ctx.tmp / "kept").stat().st_mode & 0o777 == 0o600
    report = json.loads(mpirun(ctx, 2, "--json", "--resume", "kept", "--checkpoint", "kept", "m.pml", "c").stdout)
    assert report["answer"] == "confirmed" and report["states"] == STATES
    assert not (ctx.tmp / "kept").exists()


def test_without_the_library_spoor_says_what_is_missing(ctx):
    shutil.copy(ctx.spoor, ctx.tmp / "spoor")
    make(ctx)
    env = {**os.environ, "OMPI_COMM_WORLD_SIZE": "2"}
    words = [str(ctx.tmp / "spoor"), "certify", "m.pml", "c"]
    result = subprocess.run(words, cwd=ctx.tmp, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 2 and f"{LIBRARY} is not there: spoor was built without Open MPI" in result.stderr, result
    del env["OMPI_COMM_WORLD_SIZE"]
    assert subprocess.run(words, cwd=ctx.tmp, env=env, capture_output=True, timeout=60, check=False).returncode == 0
    if shutil.which("ldd"):
        assert "mpi" not in subprocess.run(["ldd", str(ctx.spoor)], capture_output=True, text=True, check=True).stdout


def test_two_ranks_in_network_namespaces(ctx):
    has_mpi(ctx)
    ip = shutil.which("ip", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if os.geteuid() != 0 or ip is None:
        pytest.skip("network namespaces need root and ip (iproute2)")
    make(ctx)
    names = [f"spoor{os.getpid()}{end}" for end in "ab"]
    links = [f"sp{os.getpid() % 100000}{end}" for end in "ab"]

    def run_ip(*words):
        return subprocess.run([ip, *words], capture_output=True, text=True, check=False)

    try:
        for step in (*(("netns", "add", name) for name in names),
                     ("link", "add", links[0], "type", "veth", "peer", "name", links[1]),
                     *(("link", "set", link, "netns", name) for link, name in zip(links, names)),
                     *(("-n", name, "addr", "add", f"10.99.7.{i + 1}/24", "dev", link)
                       for i, (name, link) in enumerate(zip(names, links))),
                     *(("-n", name, "link", "set", dev, "up") for name, link in zip(names, links) for dev in ("lo", link))):
            done = run_ip(*step)
            if done.returncode != 0:
                pytest.skip(f"no network namespaces here: {done.stderr.strip()}")
        # What mpirun calls instead of ssh: HOST COMMAND...
        agent = ctx.tmp / "agent"
        agent.write_text(f'#!/bin/sh\nshift\nexec {ip} netns exec {names[1]} sh -c "$*"\n')
        agent.chmod(0o755)
        net = "10.99.7.0/24"
        words = [ip, "netns", "exec", names[0], "mpirun", "--mca", "plm_rsh_agent", agent, "--mca", "btl", "tcp,self",
                 "--mca", "btl_tcp_if_include", net, "--mca", "oob_tcp_if_include", net,
                 "-host", "10.99.7.1:1,10.99.7.2:1", "-n", "2",
                 "sh", "-c", f"{ip} netns identify $$ >&2; exec {ctx.spoor} certify m.pml c"]
        result = subprocess.run([str(word) for word in words], cwd=ctx.tmp, env=environment(ctx), capture_output=True,
                                text=True, timeout=60, check=False)
    finally:
        for name in names:
            run_ip("netns", "del", name)
    assert result.returncode == 0 and result.stdout.startswith("confirmed: "), result
    assert "\n2 processes, which have exchanged " in result.stdout, result.stdout
    assert all(name in result.stderr for name in names), result.stderr
