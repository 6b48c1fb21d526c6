#!/usr/bin/env python3
"""Checks docs/adding-an-op.md: its pieces, put into copies of the files that it names at the places that it
names, compile with what they concern, and each way to add an operation changes as many files as its heading
says.

    check_adding.py COMPILER [PAGE]

A piece is an indented block below "In `FILE`, in `FAMILY`", which is a table of rows, "before `LINE`" or "at
the end", in an item of a list; an item may also name a file that is "written anew".
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECTION = re.compile(r"^## [^\n]*: (\d+) files\n(.*?)(?=^## )", re.M | re.S)
ITEM = re.compile(r"^- (.*?)(?=^- |^\S|\Z)", re.M | re.S)
PLACE = re.compile(r"In `([^`]+)`,\s+(?:in `(\w+)`|before\s+`([^`]+)`|(at\s+the\s+end))")
WAYS = 3  # to add an operation
# Where rows become code, besides the files that the pieces change.
EXPANDED = ["src/ops/elementwise_derivatives.cpp", "src/ops/regular.cpp", "src/tensor/operations/regular.cpp",
            "src/cpu/exec_session.cpp", "tests/conformance/samples_regular.cpp",
            "tests/ad/samples_regular.cpp"]


def inserted(text, piece, family, before, name):
    """`text` with the piece at its place; at the end is before the namespaces are closed."""
    place = f"#define {family}(row) \\\n" if family else before or "\n}}"
    at = text.rfind(place) if not family and not before else text.find(place)
    if at < 0:
        sys.exit(f"{name}: has no {family or before}")
    if family:
        at += len(place)
        piece = textwrap.indent(piece, "    ")
    return text[:at] + ("" if family or before else "\n") + piece + "\n" * (not family) + text[at:]


def main():
    compiler = sys.argv[1]
    page = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ROOT / "docs/adding-an-op.md")
    changed, wrong = {}, 0
    sections = SECTION.findall(page.read_text())
    if len(sections) != WAYS:
        sys.exit(f"{page.name}: {len(sections)} sections say how many files change, not {WAYS}")
    for count, section in sections:
        files = set()
        for item in ITEM.findall(section):
            if written := re.match(r"`([^`]+)` is written anew", item):
                files.add(written[1])
                continue
            place = PLACE.match(item)
            if place is None:
                sys.exit(f"no place in: {item}")
            name, family, before, _ = place.groups()
            files.add(name)
            lines = "".join(re.findall(r"^ {6}.*\n|^\n(?= {6})", item, re.M))
            piece = textwrap.dedent(lines).strip("\n") + "\n"
            text = changed.get(name) or (ROOT / name).read_text()
            changed[name] = inserted(text, piece, family, before, name)
        if len(files) != int(count):
            print(f"{page.name}: says {count} files, but changes {len(files)}: {', '.join(sorted(files))}")
            wrong = 1
    if wrong or not changed:
        sys.exit(wrong or f"{page.name}: has no pieces")

    with tempfile.TemporaryDirectory() as folder:
        for name, text in changed.items():
            (path := pathlib.Path(folder, name)).parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        includes = [f"-I{root}/{part}" for root in (folder, ROOT) for part in ("include", "src", "tests")]

        def compiled(name):
            file = pathlib.Path(folder if name in changed else ROOT, name)
            command = [compiler, "-std=gnu++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wshadow", "-Werror"]
            return name, subprocess.run([*command, *includes, file], stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True)

        sources = [name for name in changed if name.endswith(".cpp")]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, result in pool.map(compiled, dict.fromkeys(EXPANDED + sources)):
                if result.returncode != 0:
                    pool.shutdown(cancel_futures=True)
                    sys.exit(f"{name}: does not compile\n{result.stdout[:4000]}")


if __name__ == "__main__":
    main()
