#!/usr/bin/env python3
"""Checks that every source includes what it uses, which a build of several files at a time (a unity build)
does not show: the files before it may have included it. Every C++ file of the project is read but
-inl.hpp files and the known-bad inputs of gates. Names of ours, functions and types at namespace scope
that one header alone declares, macros that one defines, and names of the standard library listed here
must be declared by what the file includes, itself or through headers of ours. Usage: check_includes.py
[ROOT]; exits 1 and names each offending file."""

import functools
import pathlib
import re
import sys

FOLDERS = ("include/tenferro", "src", "cli", "python/src", "extension", "tests", "fuzz", "bench", "examples")
# Where an include in quotes or brackets is looked for, after the folder of its file.
SEARCHED = ("include", "src", "tests", ".", *(f"extension/tropical/{folder}"
                                             for folder in ("include", "src", "spinglass")))
STANDARD = {
    "algorithm": "sort stable_sort copy_n fill_n min_element max_element all_of any_of none_of find_if "
                 "transform lower_bound upper_bound reverse count_if",
    "array": "array", "atomic": "atomic", "bit": "bit_cast bit_ceil countr_zero popcount",
    "charconv": "from_chars to_chars", "chrono": "chrono", "cmath": "sqrt isnan isinf isfinite hypot ldexp",
    "complex": "complex", "condition_variable": "condition_variable", "cstring": "memcpy memset memcmp",
    "filesystem": "filesystem", "fstream": "ifstream ofstream", "limits": "numeric_limits", "map": "map",
    "memory": "unique_ptr shared_ptr make_unique make_shared weak_ptr",
    "mutex": "mutex lock_guard unique_lock once_flag", "numeric": "accumulate iota", "optional": "optional",
    "random": "mt19937_64 mt19937", "set": "set", "span": "span", "sstream": "ostringstream istringstream",
    "string": "string to_string", "string_view": "string_view", "thread": "thread", "tuple": "tuple tie",
    "typeindex": "type_index", "unordered_map": "unordered_map", "unordered_set": "unordered_set",
    "utility": "pair exchange", "variant": "variant visit", "vector": "vector",
}
# Headers of the standard library that declare what others are for, too.
ALSO = {"map": {"utility"}, "unordered_map": {"utility"}, "fstream": {"string"}, "sstream": {"string"},
        "string": {"string_view"}}
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
HIDDEN = re.compile(r'^TEST\w*\([^)]*\)|//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"',
                    re.DOTALL | re.MULTILINE)
# Names of two words or more: single ones are names of variables, too.
TYPE_NAME, FUNCTION_NAME = r"[A-Z][a-z0-9]+[A-Z]\w*", r"[a-z]+_\w+"
TYPE = re.compile(rf"^(?:class|struct|enum class|concept|using)\s+(?:TENFERRO_API\s+)?({TYPE_NAME})\b(?!.*;$)"
                  rf"|^using ({TYPE_NAME}) =", re.MULTILINE)
FUNCTION = re.compile(rf"^(?!return|else|using|#)[\w:<>,&*\[\]() ]*[\w>&*\]] [*&]?({FUNCTION_NAME})(?=\()",
                      re.MULTILINE)
MACRO = re.compile(r"^\s*#\s*define\s+(TENFERRO_\w+)", re.MULTILINE)
USED = re.compile(rf"(?<![\w.>])(?<!std::)(?:{TYPE_NAME}|{FUNCTION_NAME}(?=[(<]))")


class Sources:
    """The texts of a tree and what their includes reach."""

    def __init__(self, root):
        self.root = root
        self.paths = sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.[ch]pp")
                            if not path.stem.endswith("-inl")  # included in the middle of others
                            and "gates" not in path.relative_to(root).parts)  # wrong on purpose
        self.folders = [root / folder for folder in SEARCHED]

    @functools.cache
    def text(self, path):
        return HIDDEN.sub("", path.read_text())

    @functools.cache
    def words(self, path):
        return frozenset(re.findall(r"\w+", self.text(path)))

    @functools.cache
    def included(self, path):
        """The headers of ours, and the names of others, that one file includes."""
        ours, others = set(), set()
        for name in INCLUDE.findall(path.read_text()):
            found = next((file for folder in (path.parent, *self.folders)
                          if (file := (folder / name).resolve()).is_file()), None)
            ours.add(found) if found else others.add(name)
        return ours, others

    def reached(self, path):
        ours, others, waiting = {path}, set(), [path]
        while waiting:
            below, names = self.included(waiting.pop())
            waiting += below - ours
            ours |= below
            others |= names
        return ours, others.union(*(ALSO.get(name, set()) for name in others))


def declared(sources):
    """{name: header} of what one header alone declares."""
    owners = {}
    for path in sources.paths:
        for pattern in (TYPE, FUNCTION):
            for match in pattern.finditer(sources.text(path)):
                owners.setdefault(match[1] or match[2], set()).add(path)
    return {name: min(paths) for name, paths in owners.items()
            if len(paths | {path.with_suffix(".hpp") for path in paths}) == 1}


def defined(sources):
    """{macro: header} of what one header alone defines."""
    owners = {}
    for path in sources.paths:
        for name in MACRO.findall(sources.text(path)):
            owners.setdefault(name, set()).add(path)
    return {name: min(paths) for name, paths in owners.items()
            if len(paths) == 1 and min(paths).suffix == ".hpp"}


def missing_macros(sources, path, owners):
    """{header: names} of macros that a file uses and that no header it includes defines."""
    missing = {}
    for name in sources.words(path) & owners.keys():
        if owners[name] not in sources.reached(path)[0]:
            missing.setdefault(owners[name].relative_to(sources.root).as_posix(), []).append(name)
    return missing


def missing_standard(sources, path):
    """{header: names} of the standard library that a file uses and does not include."""
    headers = {name: header for header, names in STANDARD.items() for name in names.split()}
    missing = {}
    for name in set(re.findall(r"\bstd::(\w+)", sources.text(path))) & headers.keys():
        if headers[name] not in sources.reached(path)[1]:
            missing.setdefault(f"<{headers[name]}>", []).append(f"std::{name}")
    return missing


def missing_ours(sources, path, owners):
    """{header: names} of ours that are in no header a source includes and that it does not declare itself."""
    ours, _ = sources.reached(path)
    known = frozenset().union(*(sources.words(file) for file in ours - {path}))
    missing = {}
    for name in (set(USED.findall(sources.text(path))) & owners.keys()) - known:
        member = rf"^ +(?!return)[\w:<>,&* ]+[ &*]{name}\("
        if not re.search(member, sources.text(path), re.MULTILINE):
            missing.setdefault(owners[name].relative_to(sources.root).as_posix(), []).append(name)
    return missing


def check(root):
    sources = Sources(root)
    owners, macros = declared(sources), defined(sources)
    errors = []
    for path in sources.paths:
        found = [missing_standard(sources, path), missing_macros(sources, path, macros)]
        if path.suffix == ".cpp":  # a header may name what it does not use: incomplete types, rows of tables
            found.append(missing_ours(sources, path, owners))
        errors += [f"{path.relative_to(root)}: uses {', '.join(sorted(names))} without including {header}"
                   for missing in found for header, names in sorted(missing.items())]
    return errors


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent
    errors = check(root.resolve())
    print("\n".join(errors) or "every source includes what it uses")
    return bool(errors)


if __name__ == "__main__":
    sys.exit(main())
