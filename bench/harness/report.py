"""The results in words: a table for each configuration."""

EXPLAINED = ("Cells with a slash are reference / ours; a ratio is ours / reference, so below 1 is better "
             "for ours. CPU is user + system of the process. M tr/s are million transitions per CPU "
             "second. MB is the largest resident size, B/state that size divided by the states, all "
             "included; of SPIN's, some 220 MB are fixed by `-w24` (hash table) and `-m2000000` (stack). "
             "What each checker says of its own use is in the JSON file.")
QUICK = ("**Scaled-down models: start-up is most of it, the fixed tables of SPIN in particular. These "
         "figures show that the benchmark works, and nothing else.**")
TIMES = ["model", "states", "transitions", "CPU s", "ratio", "wall s", "ratio"]
SPACE = ["M tr/s", "MB", "ratio", "B/state"]


def as_markdown(results):
    machine, settings = results["machine"], results["settings"]
    lines = ["# Benchmark", "",
             f"{results['date']}; {machine['cpu']}, {machine['cores']} cores, "
             f"{machine['memory_mb'] // 1024} GB; {machine['spin']}; gcc {machine['gcc']}; "
             f"{machine['spoor']} ({machine['commit'] or 'from elsewhere'}). "
             f"Rounds: {settings['rounds']}; medians.", "", EXPLAINED]
    if settings["quick"]:
        lines += ["", QUICK]
    for configuration in results["configurations"]:
        lines += ["", f"## {configuration['name']}", ""]
        if configuration["skipped"]:
            lines.append(f"Skipped: {configuration['skipped']}.")
        else:
            lines += section(configuration)
    if results["callgrind"]:
        lines += ["", "## Instructions", "", *instructions(results["callgrind"])]
    return "\n".join(lines) + "\n"


def section(configuration):
    lines = [configuration["about"], ""]
    for side in ("reference", "ours"):
        commands = "; ".join(f"`{command}`" for command in configuration[side]["commands"])
        lines.append(f"- {configuration[side]['name']}: {commands}")
    # From nothing, compilers included, space and transitions per second mean little.
    header = TIMES if configuration["cold"] else TIMES + SPACE
    mean = configuration["geometric_mean"]
    means = ["geometric mean", "", "", "", number(mean["cpu"]), "", number(mean["wall"]),
             "", "", number(mean["memory"]), ""]
    table = [header, ["---"] + ["---:"] * (len(header) - 1),
             *(cells(row) for row in configuration["models"]), means]
    return [*lines, "", *(row_of(texts[:len(header)]) for texts in table)]


def cells(row):
    reference, ours, ratios = row["reference"], row["ours"], row["ratios"]

    def both(figure, scale=1, digits=2):
        return " / ".join(number(side[figure] / scale, digits) for side in (reference, ours))

    def counts(figure):
        if reference[figure] == ours[figure]:
            return str(ours[figure])
        return f"{reference[figure]} / {ours[figure]}"

    return [" ".join([row["model"], *row["defines"]]), counts("states"), counts("transitions"),
            both("cpu_s"), number(ratios["cpu"]), both("wall_s"), number(ratios["wall"]),
            both("transitions_per_cpu_s", 1e6),
            both("peak_bytes", 2**20, 0), number(ratios["memory"]), both("bytes_per_state", 1, 0)]


def instructions(found):
    lines = [f"Counted by callgrind on {found['model']} {' '.join(found['defines'])}; net is without "
             "start-up.", "", row_of(["checker", "instructions", "start-up", "per transition", "net"]),
             row_of(["---"] + ["---:"] * 4)]
    for label, side in (("SPIN", "reference"), ("spoor", "ours")):
        one = found[side]
        lines.append(row_of([label, str(one["instructions"]), str(one["start_up"]),
                             number(one["per_transition"], 0), number(one["per_transition_net"], 0)]))
    return lines


def number(value, digits=2):
    return "-" if value is None else f"{value:.{digits}f}"


def row_of(texts):
    return "| " + " | ".join(texts) + " |"
