#!/usr/bin/env python3
"""Checks the pages against what they speak of:

- every C, C++, Fortran and CMake piece of a page is, line for line, in a program that a test runs
  (indentation apart; a line with only "…" leaves lines out);
- every link to a file of the project leads somewhere, and so does its heading;
- every file that a page names (`einsum/plan.cpp`, `kernels/*.hpp`) exists; records of decisions and
  changes may name what is gone;
- the names in the last column of docs/names.md are in a public header;
- neither pages nor code refer to documents outside the project.

    check_docs.py [ROOT]
"""
import fnmatch
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
ROOT = ROOT.parent.parent if ROOT.is_file() else ROOT
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/**/*.md")),
         *sorted(ROOT.glob("src/**/README.md"))]
PROGRAMS = ["examples/**/*", "tests/package/**/*"]
OUTSIDE = re.compile(r"\bseeds? 00\d|\bdesign page|/work/|\.\./shared/(?!data)", re.I)


def lines_of(text):
    """Lines without indentation; empty ones do not count."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def contains(program, piece):
    """Whether the lines of `piece` follow one another in `program`, with gaps where a line is "…"."""
    at = 0
    for part in "\n".join(piece).split("\n…\n"):
        wanted = part.split("\n")
        while at + len(wanted) <= len(program) and program[at:at + len(wanted)] != wanted:
            at += 1
        if at + len(wanted) > len(program):
            return False
        at += len(wanted)
    return True


def programs():
    files = (path for pattern in PROGRAMS for path in ROOT.glob(pattern))
    return [lines_of(path.read_text()) for path in files
            if path.suffix in (".c", ".cpp", ".hpp", ".h", ".f90", ".txt")]


def heading_anchors(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def wrong_links(page):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        if not file.exists():
            yield f"{page.relative_to(ROOT)}: links to {target}, which does not exist"
        elif anchor and anchor not in heading_anchors(file):
            yield f"{page.relative_to(ROOT)}: links to {target}, but there is no such heading"


def absent_files(page, files):
    """Names of files in backquotes that no file of the project ends with."""
    if "adr" in page.parts or page.name == "CHANGELOG.md":
        return
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    for name in re.findall(r"`([\w./*-]+\.(?:hpp|cpp|h|c|py|sh|txt|cmake|md))`", text):
        if not any(fnmatch.fnmatch("/" + file, "*/" + name.removeprefix("./")) for file in files):
            yield f"{page.relative_to(ROOT)}: names `{name}`, which does not exist"


def untested_pieces(page, tested):
    for piece in re.findall(r"^```(?:c|cpp|fortran|cmake)\n(.*?)^```", page.read_text(), re.M | re.S):
        if not any(contains(program, lines_of(piece)) for program in tested):
            yield f"{page.relative_to(ROOT)}: no tested program contains\n{piece}"


def absent_names():
    page = ROOT / "docs" / "names.md"
    if not page.exists():
        return
    headers = "\n".join(path.read_text() for path in (ROOT / "include").rglob("*.h*"))
    known = set(re.findall(r"\w+", headers))
    for row in re.findall(r"^\|.*\|([^|]*)\|$", page.read_text(), re.M):
        for code in re.findall(r"`([^`]*)`", row):
            for name in re.findall(r"[A-Za-z_]\w*", re.sub(r"\"[^\"]*\"", "", code)):
                if len(name) > 2 and name not in known:
                    yield f"docs/names.md: `{name}` is in no header"


def outside_references():
    code = (path for folder in ("include", "src", "cli", "examples", "docs", "bench", "tools")
            for path in (ROOT / folder).rglob("*")
            if path.suffix in (".h", ".hpp", ".c", ".cpp", ".md", ".sh"))
    for path in [*ROOT.glob("*.md"), *code]:
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if OUTSIDE.search(line):
                yield f"{path.relative_to(ROOT)}:{number}: refers to a document outside the project"


def main():
    tested = programs()
    files = [str(path.relative_to(ROOT)) for folder in ("*", "[!.b]*/**/*", "bench/**/*")
             for path in ROOT.glob(folder) if path.is_file()]
    problems = [*outside_references(), *absent_names()]
    pieces = 0
    for page in PAGES:
        problems += wrong_links(page)
        problems += absent_files(page, files)
        problems += untested_pieces(page, tested)
        pieces += len(re.findall(r"^```(?:c|cpp|fortran|cmake)$", page.read_text(), re.M))
    print("\n".join(problems) or f"{len(PAGES)} pages with {pieces} pieces of code say what is")
    return 1 if problems else 0


sys.exit(main())
