"""The control graph, location by location, against the state tables of SPIN's verifiers (`pan -d`)."""

import pathlib
import re
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from lib.spin_oracle import Oracle  # noqa: E402

LEAST_COMPARED = 150  # 151 of 156; the others are rejected, or have formulas
PAN_LINE = re.compile(r"\tstate\s+(\d+) -\(tr\s+\d+\)-> state\s+(\d+)\s+\[id\s+(\d+) tp[^\]]*\] \[(.)(.)(.)(.)")
OUR_LINE = re.compile(r"(\S+): (\d+) -> (\d+)  \[id (\d+)\]  (.) (.)(.)(.)  ")


def _spin_graph(path, scratch):
    """{(process, location): [(target, id, atomic, end, progress, accept)]}, or None if SPIN refuses."""
    for command in (["spin", "-o1", "-o2", "-o3", "-a", str(path)],
                    [Oracle().compiler, "-w", "-O0", "-DNOREDUCE", "-DSAFETY", "-DNOCLAIM", "-o", "pan", "pan.c"]):
        if subprocess.run(command, cwd=scratch, capture_output=True, timeout=60).returncode != 0:
            return None
    out = subprocess.run(["./pan", "-d"], cwd=scratch, capture_output=True, timeout=60).stdout.decode("utf-8", "replace")
    graph, process = {}, None
    for line in out.splitlines():
        if line.startswith(("proctype ", "claim ")):
            process = line.split()[1]
        elif line.strip() == "init":
            process = ":init:"
        elif line.strip().endswith("assertion"):
            process = None
        elif (found := PAN_LINE.match(line)) and process is not None:
            source, target, number, kind, accept, end, progress = found.groups()
            graph.setdefault((process, int(source)), []).append(
                (int(target), int(number), kind == "A", end == "e", progress == "p", accept == "a"))
    return graph


def _our_graph(ctx, path):
    result = ctx.run_spoor(["graph", "control", path])
    assert result.code == 0, result.err
    graph = {}
    for line in result.out.splitlines():
        process, source, target, number, kind, end, progress, accept = OUR_LINE.match(line).groups()
        if process in (":trace:", ":notrace:"):
            continue
        graph.setdefault((process, int(source)), []).append(
            (int(target), int(number), kind == "A", end == "e", progress == "p", accept == "a"))
    return graph


@pytest.mark.other_program
def test_control_graphs_are_those_of_spin(ctx):
    if not Oracle.available():
        ctx.skip("spin is not installed")
    compared = 0
    models = sorted([*(ctx.root / "examples").glob("*.pml"), *(ctx.root / "tests" / "models").glob("*.pml")])
    for number, path in enumerate(models):
        if "ltl" in path.read_text(encoding="utf-8") or "expect: rejected" in path.read_text(encoding="utf-8"):
            continue  # formulas are not compiled yet; SPIN lists them as claims
        scratch = ctx.tmp / str(number)
        scratch.mkdir()
        spin = _spin_graph(path, scratch)
        if not spin:  # refused by the verifier, for instance because of an unconditional self-loop
            continue
        ours = _our_graph(ctx, path)
        # d_steps: the verifier marks them D, whatever sequence they stand in.
        differing = {key: (spin.get(key), ours.get(key)) for key in spin.keys() | ours.keys() if spin.get(key) != ours.get(key)}
        assert not differing, f"{path.name}: (process, location): (SPIN, ours) = {differing}"
        compared += 1
    print(f"{compared} of {len(models)} models were compared")
    assert compared >= LEAST_COMPARED, f"only {compared} models were compared"
