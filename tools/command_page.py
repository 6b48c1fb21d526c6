#!/usr/bin/env python3
"""Keeps docs/command.md true: runs its sessions and compares what is printed (a line with only "…" leaves
lines out), and compares its list of options and its network file with the program's help and
examples/network.json.

    command_page.py PROGRAM [--update] [--page PAGE]

--update writes the list of options and the network file into the page.
"""
import argparse
import difflib
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "network.json"
BEGIN, END = (
    "<!-- options: written by tools/command_page.py from the program's own help -->",
    "<!-- end of options -->",
)


def write_npy(path, values, shape):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                     + struct.pack(f"<{len(values)}d", *values))


def options_text(program):
    """The help of every command that the program lists. Excluded options, which CLI11 lists in the order of
    their addresses, are sorted."""
    listed = subprocess.run([program, "help"], capture_output=True, text=True, check=True).stdout
    names = re.findall(r"^  (\w+)  ", re.search(r"^Subcommands:\n(.*?)^$", listed, re.M | re.S)[1], re.M)
    texts = []
    for name in names:
        text = subprocess.run([program, "help", name], capture_output=True, text=True, check=True).stdout
        text = re.sub(r"(?<=Excludes:)( --\w+)+", lambda all: " " + " ".join(sorted(all[0].split())), text)
        texts.append(f"### {name}\n\n```text\n{text.strip()}\n```")
    return "\n\n".join(texts)


def updated(page, program):
    begin, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    page = f"{page[:begin]}\n{options_text(program)}\n{page[end:]}"
    return re.sub(r"(<!-- examples/network.json -->\n```json\n).*?```",
                  lambda found: f"{found[1]}{EXAMPLE.read_text()}```", page, flags=re.S)


def matches(wanted, printed):
    pattern = "".join(r"(?:.*\n)*?" if line == "…" else re.escape(line) + r"[ ]*\n" for line in wanted)
    return re.fullmatch(pattern, printed) is not None


def wrong_sessions(page, program):
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        write_npy(place / "a.npy", [1, 2, 3, 4], (2, 2))
        write_npy(place / "b.npy", [5, 6, 7, 8], (2, 2))
        (place / "network.json").write_text(EXAMPLE.read_text())
        (place / "tenferro").symlink_to(pathlib.Path(program).resolve())
        for session in re.findall(r"^```console\n(.*?)^```", page, re.M | re.S):
            for command, wanted in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", session, re.M):
                run = subprocess.run(["bash", "-c", f"PATH=.:$PATH; {command}"], cwd=place, text=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                if not matches(wanted.splitlines(), run.stdout):
                    yield f"$ {command}\nprints\n{run.stdout}but the page says\n{wanted}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "docs" / "command.md")
    arguments = parser.parse_args()
    page = arguments.page.read_text()
    current = updated(page, arguments.program)
    if arguments.update:
        arguments.page.write_text(current)
        page = current
    problems = list(wrong_sessions(page, arguments.program))
    if page != current:
        problems.append("the page has other options than the program (--update writes them):\n" + "\n".join(
            difflib.unified_diff(page.splitlines(), current.splitlines(), "page", "program", lineterm="",
                                 n=0)))
    print("\n".join(problems) or f"{arguments.page.name} says what the command does")
    return 1 if problems else 0


sys.exit(main())
