#!/usr/bin/env python3
"""Checks that files in src/ include only headers of folders that their own folder may use.

    tests/check_layers.py [ROOT]

What a folder may use is read from the spoor_folder() and spoor_program() lines of
src/CMakeLists.txt, so there is one table for the linker and for this check. Includes are written
"folder/header.h" with src/ as the root; a quoted include without a folder ("version.h") can only
be a generated header. Prints one line per offence; the exit code is 1 when there is any.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.MULTILINE)
DECLARATION = re.compile(r"^\s*spoor_(folder|program)\(([^)]*)\)", re.MULTILINE)
SOURCE_SUFFIXES = {".cpp", ".h", ".cc", ".hpp", ".c", ".inc"}
GENERATED = {"version.h"}


def read_layers(cmake_text):
    """Returns {folder: set of folders it may include, itself among them}."""
    text = re.sub(r"#.*", "", cmake_text)
    layers = {}
    for kind, arguments in DECLARATION.findall(text):
        words = arguments.split()
        if kind == "program":
            layers[words[1]] = set(layers) | {words[1]}
            continue
        uses = set()
        section = None
        for word in words[1:]:
            if word in ("USES", "LIBS"):
                section = word
            elif section == "USES":
                uses.add(word)
        layers[words[0]] = uses | {words[0]}
    return layers


def find_offences(root):
    """Returns a list of messages, empty when the layering is kept."""
    source = pathlib.Path(root) / "src"
    layers = read_layers((source / "CMakeLists.txt").read_text(encoding="utf-8"))
    folders = {entry.name for entry in source.iterdir() if entry.is_dir()}
    offences = [f"src/{name}: no line in src/CMakeLists.txt"
                for name in sorted(folders - set(layers))]
    for path in sorted(source.rglob("*")):
        if path.suffix not in SOURCE_SUFFIXES or not path.is_file():
            continue
        place = path.relative_to(source.parent)
        folder = path.relative_to(source).parts[0]
        text = path.read_text(encoding="utf-8", errors="replace")
        for match in INCLUDE.finditer(text):
            header = match.group(1)
            complaint = complaint_about(folder, header, match.group(0), layers, folders)
            if complaint:
                line = text.count("\n", 0, match.start(1)) + 1
                offences.append(f"{place}:{line}: {complaint}")
    return offences


def complaint_about(folder, header, directive, layers, folders):
    """Returns what is wrong with this include in this folder, or None."""
    first = header.split("/")[0]
    if ".." in header.split("/"):
        return f'write "{header}" as "folder/header.h", from src/'
    if first in folders or first in layers:
        if first not in layers.get(folder, {folder}):
            return f'{folder} may not use {first} ("{header}")'
        return None
    if '"' in directive and header not in GENERATED:
        return f'"{header}" names no folder of src/; external headers are included with <>'
    return None


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    offences = find_offences(root)
    for offence in offences:
        print(offence)
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
