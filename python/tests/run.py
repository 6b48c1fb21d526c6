"""Builds the wheel on the library that was built already, installs it into an environment of its own below
the build folder, and runs the Python tests there. Usage: run.py BUILD [pytest arguments]"""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
NEEDED = ["scikit-build-core>=0.10", "nanobind>=2.4", "numpy>=2.0", "pytest", "mypy", "array-api-strict>=2.4",
          "opt_einsum", "autoray", "cotengra"]


def environment(folder):
    """The Python of an environment that has what building and testing need."""
    python = folder / "bin" / "python"
    stamp = folder / "installed.txt"
    if not stamp.exists() or stamp.read_text() != "\n".join(NEEDED):
        venv.create(folder, clear=True, with_pip=True)
        subprocess.check_call([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *NEEDED])
        stamp.write_text("\n".join(NEEDED))
    return python


def main(build, arguments):
    work = build / "python"
    python = environment(work / "venv")
    prefix = work / "prefix"
    shutil.rmtree(prefix, ignore_errors=True)
    subprocess.check_call(["cmake", "--install", build, "--prefix", prefix], stdout=subprocess.DEVNULL)
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.check_call(
        [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-build-isolation",
         "--no-deps", "--force-reinstall", ROOT, f"-Cbuild-dir={work / 'module'}",
         f"-Ccmake.define.TENFERRO_PREBUILT={prefix}", "-Ccmake.define.CMAKE_INSTALL_LIBDIR=lib"])
    tests = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE, *arguments]
    sys.exit(subprocess.call(tests, cwd=work, env=environ))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2:])
