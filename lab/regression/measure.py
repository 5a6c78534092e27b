"""Checks after an edit against full checks: time, memory and states, and whether the answers are equal.

For each model:

    full         a check of the version without a ledger
    recording    the first check of the base version with a ledger
    incremental  a check of the edited version with the ledger of the version before

A simulated version is an edit of the base version and uses the recording of that; the versions of a history are a chain, and each
uses the recording that the check of the one before has left. One thread, compiled code, default reductions. The
compiled code is in the cache before the measurement (with --quick, the interpreter is used). CPU seconds of the whole program; comparisons in which a check takes less than a second are made three times,
in turns, those of the base version seven times, and the best counts. Memory is what the program reports. If an incremental check does not answer what the full check
answers (verdict, violations, figures, unreached statements), the experiment ends.

Techniques: `closure`, the default of the program, which looks at the states that the edit touches; `walk`, which follows recorded steps and
has all figures of a full check; and `prune`, the published one. The number of states of a closure check is a bound, and so are its unreached
statements: of its answer the verdict is compared, and that no unreached statement is reached. A pruned search has figures of its
own; of its answer the verdict, the kinds of violation and the unreached statements are compared. As in the study, only the base version is
recorded then, and all versions are compared with it.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from regression.tables import tables
from regression.versions import COUNTS, SIZES, base, versions

CHECK = ("check", "--json", "--property", "safety", "--threads", "1", "--coverage", "off", "--memory", "8G")
# Each with the options of the recorded check, and those of an incremental one.
TECHNIQUES = {"closure": (("--regression", "closure"),) * 2, "walk": (("--regression", "walk"),) * 2,
              "prune": (("--regression", "prune"), ("--regression", "prune", "--no-record"))}
TURNS = 3
TURNS_OF_BASE = 7
SHORT_S = 1
SAME = ("verdict", "states", "transitions", "inner_steps", "depth", "findings", "unreached")


class Bench:
    """Runs the program on one model file in a folder of its own."""

    def __init__(self, options, folder, model):
        self.program = options.program
        self.path = folder / "model.pml"
        self.ledger = folder / "ledger"
        # A compiler takes longer than all small checks.
        self.options = ("--exec", "interp" if options.quick else "native", "-D", f"N={SIZES[options.size][model]}")

    def check(self, *extra):
        """CPU seconds and the report."""
        command = [self.program, *CHECK, *self.options, *extra, self.path]
        with tempfile.TemporaryFile() as out:
            process = subprocess.Popen(list(map(str, command)), stdout=out, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            text = out.read().decode()
        if process.returncode not in (0, 1, 3):
            raise SystemExit(f"lab: exit {process.returncode}: {' '.join(map(str, command))}\n{text}\n{self.path.read_text()}")
        return usage.ru_utime + usage.ru_stime, json.loads(text)

    def write(self, version):
        self.path.write_text(version.text)
        self.check("--ledger", "none", "--depth", "2")  # compiles the model

    def restore(self, recording):
        """Makes a ledger that holds this recording, or nothing."""
        shutil.rmtree(self.ledger, ignore_errors=True)
        if recording is not None:
            shutil.copytree(recording, self.ledger)

    def measure(self, kinds, is_repeated=False):
        """For each kind of check, (options, recording), the best of some turns: seconds, report."""
        best = [None] * len(kinds)
        for turn in range(TURNS_OF_BASE if is_repeated else TURNS):
            if turn > 0 and not is_repeated and all(seconds >= SHORT_S for seconds, _ in best):
                break
            for i, (extra, recording) in enumerate(kinds):  # all of them: what the last one leaves in the ledger may be wanted
                self.restore(recording)
                found = self.check(*extra)
                best[i] = found if best[i] is None else min(best[i], found, key=lambda item: item[0])
        return best


def answer(report, technique):
    if technique == "prune":  # up to the first error, unreached statements depend on what was searched before
        kinds = sorted({violation["kind"] for violation in report["violations"]})
        return [report["verdict"], kinds, report["unreached"] if report["scope"] != "part" else None]
    violations = [(violation["kind"], violation["message"], len(violation["trace"]["steps"])) for violation in report["violations"]]
    return [report[name] for name in SAME] + [violations]


def is_bound_right(full, incremental):
    keys = [{json.dumps(statement, sort_keys=True) for statement in report["unreached"]} for report in (incremental, full)]
    return full["verdict"] == "holds" and not incremental["violations"] and keys[0] <= keys[1]


def compare(version, technique, full, incremental, folder):
    if incremental["scope"] == "bound" and is_bound_right(full, incremental) or answer(full, technique) == answer(incremental, technique):
        return
    kept = pathlib.Path(tempfile.mkdtemp(prefix="spoor-difference-"))
    shutil.copytree(folder, kept, dirs_exist_ok=True)
    differing = [f"{name}: {full[name]} in full, {incremental[name]} with the ledger" for name in SAME if full[name] != incremental[name]]
    raise SystemExit(f"lab: {version.model} {version.name} ({version.what}), {technique}: wrong answer\n"
                     + "\n".join(differing)[:2000] + f"\nmodel and recordings are kept in {kept}")


def case_of(version, technique, full, incremental, old):
    reuse = incremental[1]["ledger"]
    return {"model": version.model, "version": version.name, "kind": version.kind, "what": version.what, "technique": technique,
            "verdict": full[1]["verdict"], "states": full[1]["states"],
            "expanded": reuse["expanded_states"] if reuse["used"] else full[1]["states"], "used": reuse["used"], "why_not_used": reuse["why_not_used"],
            "full_s": round(full[0], 3), "incremental_s": round(incremental[0], 3), "old_full_s": round(old["full_s"], 3),
            "recording_s": round(old["recording_s"], 3), "full_bytes": full[1]["memory_bytes"],
            "incremental_bytes": incremental[1]["memory_bytes"], "old_full_bytes": old["full_bytes"], "recording_bytes": old["recording_bytes"]}


def chosen(options, model):
    """The simulated versions and those of the history, as many as the user wants."""
    limit = options.versions or None
    found = versions(model)
    return tuple([version for version in found if (version.kind == "history") == is_chain][:limit] for is_chain in (False, True))


def record(bench, version, extra, kept):
    """Full check and recorded check of the base version; the recording is moved to `kept`."""
    bench.write(version)
    full, recording = bench.measure([(("--ledger", "none"), None), (("--ledger", bench.ledger, *extra), None)], is_repeated=True)
    shutil.move(bench.ledger, kept)
    disk = sum(file.stat().st_size for file in kept.rglob("*") if file.is_file())
    return {"model": version.model, "states": full[1]["states"], "verdict": full[1]["verdict"], "full_s": full[0], "recording_s": recording[0],
            "full_bytes": full[1]["memory_bytes"], "recording_bytes": recording[1]["memory_bytes"], "disk_bytes": disk}


def measure_version(bench, version, technique, extra, recording, old):
    bench.write(version)
    full, incremental = bench.measure([(("--ledger", "none"), None), (("--ledger", bench.ledger, *extra), recording)])
    compare(version, technique, full[1], incremental[1], bench.path.parent)
    case = case_of(version, technique, full, incremental, old)
    print(f"{version.model} {version.name}: {case['full_s']:.2f} s in full, {case['incremental_s']:.2f} s ({technique}); "
          f"{case['expanded']} of {case['states']} states expanded", flush=True)
    return case


def measure(options, model):
    """What the base version needs, per technique; and the cases."""
    bases, cases = [], []
    simulated, chain = chosen(options, model)
    for technique in options.techniques.split(","):
        recorded, incremental = TECHNIQUES[technique]
        with tempfile.TemporaryDirectory(prefix="spoor-lab-") as name:
            folder = pathlib.Path(name)
            bench = Bench(options, folder, model)
            first = record(bench, base(model), recorded, folder / "first")
            bases.append({**first, "technique": technique})
            print(f"{model}: {first['states']} states, {first['full_s']:.2f} s in full, {first['recording_s']:.2f} s recorded", flush=True)
            for version in simulated:
                cases.append(measure_version(bench, version, technique, incremental, folder / "first", first))
            last, old = folder / "first", first
            for version in chain:
                case = measure_version(bench, version, technique, incremental, last, old)
                cases.append(case)
                last = folder / "last"
                shutil.rmtree(last, ignore_errors=True)
                shutil.move(bench.ledger, last)
                old = {"full_s": case["full_s"], "recording_s": case["incremental_s"], "full_bytes": case["full_bytes"],
                       "recording_bytes": case["incremental_bytes"]}
    return bases, cases


def run(options):
    if options.quick:
        options.size, options.versions, options.techniques = "small", 1, ",".join(TECHNIQUES)
    wanted = options.models.split(",") if options.models else list(COUNTS)
    results = {"size": options.size, "versions": options.versions, "bases": [], "cases": []}
    path = options.output / "regression.json"
    if path.exists():  # results of the other models and techniques are kept
        before = json.loads(path.read_text())
        if (before["size"], before["versions"]) == (options.size, options.versions):
            techniques = options.techniques.split(",")
            for part in ("bases", "cases"):
                results[part] = [item for item in before[part] if item["model"] not in wanted or item["technique"] not in techniques]
    for model in wanted:
        bases, cases = measure(options, model)
        results["bases"] = sorted(results["bases"] + bases, key=lambda item: (item["model"], list(TECHNIQUES).index(item["technique"])))
        results["cases"] = sorted(results["cases"] + cases, key=lambda item: (item["model"], list(TECHNIQUES).index(item["technique"])))
        lines = {part: ",\n".join(json.dumps(item) for item in results[part]) for part in ("bases", "cases")}
        path.write_text(f'{{"size": "{options.size}", "versions": {options.versions}, "bases": [\n{lines["bases"]}\n], "cases": [\n{lines["cases"]}\n]}}\n')
        (options.output / "regression.md").write_text(tables(results, __doc__))
    print((options.output / "regression.md").read_text())
