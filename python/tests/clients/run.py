"""Runs the tests of this folder with the clients: the package that python/tests/run.py installed below the
build folder, in an environment made there once with opt_einsum, cotengra, autoray, quimb and JAX, or in one
that is given and may have PyTorch too. Usage: run.py BUILD [--environment FOLDER] [pytest arguments]"""

import argparse
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
CLIENTS = ["pytest", "opt_einsum", "cotengra", "autoray", "quimb", "jax"]


def environment(folder):
    """The Python of an environment that has the clients."""
    python, stamp = folder / "bin" / "python", folder / "installed.txt"
    if not stamp.exists() or stamp.read_text() != "\n".join(CLIENTS):
        venv.create(folder, clear=True, with_pip=True)
        pip = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        if subprocess.call([*pip, *CLIENTS]):
            sys.exit(f"cannot install {', '.join(CLIENTS)}: these tests need them, and a network")
        stamp.write_text("\n".join(CLIENTS))
    return python


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("--environment", type=Path)
    options, arguments = parser.parse_known_args()
    work = options.build.resolve() / "python"
    tested = next(work.glob("venv/lib/python*/site-packages/tenferro"), None)
    if tested is None:
        sys.exit(f"{work} has no tenferro: run python/tests/run.py {options.build} first")
    given = options.environment
    python = given.absolute() / "bin" / "python" if given else environment(work / "clients")
    site = work / "tested"
    site.mkdir(exist_ok=True)
    if not (site / "tenferro").exists():
        (site / "tenferro").symlink_to(tested)
    tests = [python, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", HERE, *arguments]
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(site)}
    sys.exit(subprocess.call(tests, cwd=work, env=environ))


if __name__ == "__main__":
    main()
