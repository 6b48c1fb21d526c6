#!/usr/bin/env python3
"""Compares what the C header declares with the recorded ABI: the result and parameter types of every
function, types, the fields of structs in order, enum values and TFE_ constants. Exits 1 and names each
difference. A line that is gone or different breaks programs; one that is new is to be recorded with
--update. Names of parameters are no part of the ABI."""

import argparse
import os
import pathlib
import re
import subprocess
import sys

OURS = re.compile(r"\b(tfe_|Tfe)\w*")
TYPE_WORDS = {"void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "const"}


def preprocessed(header, *flags):
    command = [os.environ.get("CC", "cc"), "-E", "-P", *flags, "-x", "c", str(header)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def spaced(text):
    """One space between words, none around other characters, so that layout does not count."""
    words = re.findall(r"\w+|[^\w\s]", re.sub(r"__attribute__\s*\(\(.*?\)\)\)?", " ", text))
    out = ""
    for word in words:
        out += " " if out and re.match(r"\w", word) and re.match(r"[\w*]", out[-1]) else ""
        out += word
    return out


def type_of(parameter):
    """A parameter without its name."""
    words = re.findall(r"\w+|[^\w\s]", parameter)
    if len(words) > 1 and re.match(r"\w", words[-1]) and words[-1] not in TYPE_WORDS and (
            words[-2] in ("*",) or words[-2] not in ("struct", "const")):
        words.pop()
    return spaced(" ".join(words))


def statements(text):
    """The declarations at top level; those of `extern "C" {` too."""
    depth, begin = 0, 0
    for at, character in enumerate(text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == ";" and depth == 0:
            yield text[begin:at].strip()
            begin = at + 1


def described(statement):
    """The lines of the dump that a declaration gives."""
    if statement.startswith("enum"):
        value = -1
        for item in statement[statement.index("{") + 1:statement.rindex("}")].split(","):
            if item.strip():
                name, _, given = item.partition("=")
                value = int(given, 0) if given else value + 1
                yield f"enum {name.strip()} = {value}"
        return
    fields = re.match(r"typedef\s+struct\s+\w+\s*\{(.*)\}\s*(\w+)$", statement, re.S)
    if fields:
        for number, field in enumerate(f for f in fields[1].split(";") if f.strip()):
            yield f"struct {fields[2]} [{number}] {spaced(field)}"
        return
    if statement.startswith("typedef") or statement.startswith("struct"):
        yield spaced(statement)
        return
    function = re.match(r"(.*?)\b(\w+)\s*\((.*)\)$", spaced(statement), re.S)
    parameters = ", ".join(type_of(p) for p in function[3].split(","))
    yield f"{function[2]}({parameters}) -> {function[1].strip()}"


def dump(header):
    lines = set()
    for statement in statements(preprocessed(header)):
        if OURS.search(statement) or "TFE_" in statement:
            lines.update(described(statement))
    for line in preprocessed(header, "-dM").splitlines():
        constant = re.match(r"#define (TFE_\w+) (.+)", line)
        if constant and constant[1] != "TFE_API" and not constant[1].startswith("TFE_VERSION"):
            lines.add(f"constant {constant[1]} = {spaced(constant[2])}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("header", type=pathlib.Path)
    parser.add_argument("record", type=pathlib.Path)
    parser.add_argument("--update", action="store_true", help="rewrite the record")
    options = parser.parse_args()
    lines = dump(options.header)
    if options.update:
        options.record.write_text("".join(f"{line}\n" for line in sorted(lines)))
    recorded = set(options.record.read_text().splitlines())
    errors = [f"gone or changed: {line}" for line in sorted(recorded - lines)]
    errors += [f"not recorded: {line}" for line in sorted(lines - recorded)]
    print("\n".join(errors) if errors else f"{len(lines)} declarations are as recorded")
    return 1 if errors or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
