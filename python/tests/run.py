"""Builds the wheel on the library that was built already, installs it into an environment of its own below the
build folder, and runs the Python tests there. Usage: run.py BUILD [pytest arguments]"""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
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
    subprocess.check_call(
        [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-build-isolation", "--no-deps",
         "--force-reinstall", ROOT, f"-Cbuild-dir={work / 'module'}", "-Cbuild.targets=_core",
         f"-Ccmake.define.TENFERRO_PREBUILT={prefix}", "-Ccmake.define.CMAKE_INSTALL_LIBDIR=lib"])
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    tropical = build / "tests" / "package" / "work" / "tropical" / "libtenferro_ext_tropical.so"
    if tropical.exists():  # a test of the package builds it
        environ["TENFERRO_TROPICAL_LIBRARY"] = str(tropical)
    tests = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", ROOT / "python" / "tests", *arguments]
    sys.exit(subprocess.call(tests, cwd=work, env=environ))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2:])
