"""Builds the wheel on the library that was built already, installs it into an environment of its own below
the build folder, and runs the Python tests there.
Usage: run.py BUILD [--tropical FOLDER | --only-module] [pytest arguments]

With --tropical the extension is installed from FOLDER, where it was built against that library, instead of
being compiled again. With --only-module nothing is tested, and the wheel is without the extension: what takes
longest is then done when the tests are run.

A library with sanitizers (preset dev: run.py build/dev) gets a module with them, and the tests run with the
runtime of the address sanitizer loaded first and Python's objects allocated one by one, so that it sees these
too. Leaks are reported when a process ends, but not of Python's own memory, of which it frees little then
(leaks.txt)."""

import argparse
import os
import re
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


def cached(build, name):
    """A variable of the build."""
    found = re.search(rf"^{name}:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)
    return found.group(1) if found else ""


def sanitized(compiler):
    """What the environment of a process has to say so that it may load a sanitized library."""
    runtimes = [subprocess.check_output([compiler, f"-print-file-name={name}"], text=True).strip()
                for name in ("libasan.so", "libstdc++.so.6")]
    return {"LD_PRELOAD": " ".join(runtimes), "PYTHONMALLOC": "malloc",
            "ASAN_OPTIONS": "allocator_may_return_null=1:quarantine_size_mb=1:handle_sigill=1",
            "UBSAN_OPTIONS": "print_stacktrace=1",
            "LSAN_OPTIONS": f"suppressions={HERE / 'leaks.txt'}:print_suppressions=0"}


def main(build, tropical, only_module, arguments):
    work = build / "python"
    python = environment(work / "venv")
    prefix = work / "prefix"
    shutil.rmtree(prefix, ignore_errors=True)
    for built in filter(None, [build, tropical]):
        subprocess.check_call(["cmake", "--install", built, "--prefix", prefix], stdout=subprocess.DEVNULL)
    # Compiled for tests: soon rather than well.
    defined = {"TENFERRO_PREBUILT": prefix, "CMAKE_INSTALL_LIBDIR": "lib",
               "CMAKE_CXX_FLAGS_RELEASE": "-O1 -DNDEBUG"}
    if only_module:
        defined["TENFERRO_PYTHON_TROPICAL"] = "OFF"
    build_type = "Release"
    environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    if sanitizers := cached(build, "TENFERRO_SANITIZE"):
        flags = f"-fsanitize={sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer"
        defined |= {"CMAKE_CXX_FLAGS": flags, "CMAKE_CXX_FLAGS_RELWITHDEBINFO": "-O1 -g1"}
        build_type = "RelWithDebInfo"
        environ |= sanitized(cached(build, "CMAKE_CXX_COMPILER"))
    subprocess.check_call(
        [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-build-isolation",
         "--no-deps", "--force-reinstall", ROOT, f"-Cbuild-dir={work / 'module'}",
         f"-Ccmake.build-type={build_type}",
         *(f"-Ccmake.define.{name}={value}" for name, value in defined.items())])
    if only_module:
        return
    tests = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE, *arguments]
    sys.exit(subprocess.call(tests, cwd=work, env=environ))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        usage="%(prog)s BUILD [--tropical FOLDER | --only-module] [pytest arguments]")
    parser.add_argument("build", type=Path)
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--tropical", type=Path)
    ways.add_argument("--only-module", action="store_true")
    options, for_pytest = parser.parse_known_args()
    main(options.build.resolve(), options.tropical and options.tropical.resolve(), options.only_module,
         for_pytest)
