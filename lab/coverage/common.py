"""What the experiments about coverage share: the models, and calls of the program."""

import json
import os
import pathlib
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE / "models"


def all_models():
    return json.loads((HERE / "models.json").read_text())


def states_of(name):
    return next(model["states"] for model in all_models() if model["name"] == name)


def models(options, kind):
    """Those of one set, as far as the user wants them."""
    chosen = [model for model in all_models() if kind in model["sets"]]
    if options.models:
        wanted = options.models.split(",")
        chosen = [model for model in chosen if model["name"] in wanted]
    if options.quick:
        chosen = sorted(chosen, key=lambda model: model["states"])[:2]
    return chosen


def kept(options, name):
    """Results of models that are not measured again, where only some are."""
    path = options.output / name
    if not options.models or not path.exists():
        return {}
    again = options.models.split(",")
    results = json.loads(path.read_text())
    results["cases"] = [case for case in results["cases"] if case["model"] not in again]
    return results


def call(options, *arguments):
    """The program's JSON, or the end of everything."""
    result = subprocess.run(["timeout", "600", options.program, *map(str, arguments)], capture_output=True, text=True,
                            preexec_fn=lambda: os.nice(5), check=False)
    if result.returncode not in (0, 3):
        raise SystemExit(f"lab: {' '.join(map(str, arguments))}: exit {result.returncode}\n{result.stdout}{result.stderr}")
    return json.loads(result.stdout)


def measured(line, folder, codes):
    """CPU seconds of a command whose output is JSON, and that; or the end of everything."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(line, stdout=out, stderr=subprocess.DEVNULL, cwd=folder)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode()
    if process.returncode not in codes:
        raise SystemExit(f"lab: exit {process.returncode}: {' '.join(map(str, line))}\n{text[:2000]}")
    return usage.ru_utime + usage.ru_stime, json.loads(text)


def row(cells):
    return "| " + " | ".join(cells) + " |"


def experiment(options, name, measure, tables):
    """Measures the models of searches without memory; writes after each, so that little is lost when this is stopped."""
    cases = kept(options, f"{name}.json").get("cases", [])
    for model in models(options, "montecarlo"):
        found = measure(model)
        cases += found
        print(f"{model['name']}: {len(found)} cases", flush=True)
        cases.sort(key=lambda case: case["model"])
        (options.output / f"{name}.md").write_text(tables(cases))
        (options.output / f"{name}.json").write_text(json.dumps({"cases": cases}, separators=(",", ":")) + "\n")
    print(tables(cases))
