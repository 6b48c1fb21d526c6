"""Writes tenferro/_core.pyi and errors.pyi, the types of the compiled module, from the module that is
installed; with --check says whether they are what is there. Arrays in are anything, arrays out are of the
library that came in, hence Any."""

import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "tenferro"
sys.path.remove(str(FOLDER.parent))  # the module that is installed, not the sources beside this file
EINSUM = """def einsum(subscripts: object, /, *operands: object, optimize: object = True, order: str = 'K',
           dtype: object = None) -> Any:"""


def written():
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "_core.pyi"
        subprocess.check_call([sys.executable, "-m", "nanobind.stubgen", "-q", "-P", "-m", "tenferro._core",
                               "-o", made], cwd=folder)
        text = made.read_text()
    text = (text.replace("-> object:", "-> Any:").replace("std::optional<long>", "int")
            .replace("std::optional<bool>", "bool"))
    text = re.sub(r"def einsum\(.*?\):", EINSUM, text, count=1)
    text = re.sub(r"from tenferro\._core import (_\w+) as .*", r"\1: Any", text)
    # The module has a bool of its own, which the types in signatures do not mean.
    text = re.sub(r"^ *def .*$", lambda line: re.sub(r"\bbool\b", "builtins.bool", line[0]), text, flags=re.M)
    text = "\n".join(map(wrapped, text.split("\n")))
    return {"_core.pyi": "import builtins\nfrom typing import Any\n" + text, "errors.pyi": errors()}


def wrapped(line):
    """Lines of at most 110 columns: a signature is broken after its commas, a text between its words."""
    if len(line) <= 110:
        return line
    indent = len(line) - len(line.lstrip())
    if line.startswith("def ", indent):
        indent = line.index("(") + 1
        line = re.sub("(?<!,) ", "\N{NO-BREAK SPACE}", line)
    lines = textwrap.wrap(line, 110, subsequent_indent=" " * indent, break_on_hyphens=False)
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


def errors():
    from tenferro import errors as module

    classes = [kind for kind in vars(module).values() if isinstance(kind, type)]
    return "".join(f"class {kind.__name__}({', '.join(base.__name__ for base in kind.__bases__)}): ...\n"
                   for kind in classes)


if __name__ == "__main__":
    for name, text in written().items():
        if "--check" not in sys.argv:
            (FOLDER / name).write_text(text)
        elif (FOLDER / name).read_text() != text:
            sys.exit(f"{name} is not what the module says: run {__file__}")
