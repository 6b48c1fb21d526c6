#!/usr/bin/env python3
"""Runs README's section "Install" word for word: in a folder that looks like a checkout whose tree is built,
and with an empty home. tools/demo.sh runs there as it is, but for the building: the `cmake` it finds checks
what it is told to configure and build, which has been done. What was installed is then moved to WORK/prefix,
where the other tests of the package use it: nothing may remember where it was installed.

    readme_install.py SOURCE BUILD WORK
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

source, build, work = map(pathlib.Path, sys.argv[1:4])
readme = (source / "README.md").read_text()
section = re.search(r"^## Install\n(.*?)^## ", readme, re.M | re.S)
blocks = re.findall(r"^```sh\n(.*?)^```$", section[1] if section else "", re.M | re.S)
if len(blocks) != 2 or len(blocks[0].splitlines()) != 2:
    sys.exit(
        "README.md has no section 'Install' with two lines that install and a block that uses the result"
    )

shutil.rmtree(work, ignore_errors=True)
checkout, home, programs = work / "checkout", work / "home", work / "bin"
for folder in (checkout / "tools", checkout / "build", home, programs):
    folder.mkdir(parents=True)
has_command = (build / "bin" / "tenferro").exists()
for name in ("tools/demo.sh", "tools/bootstrap.sh", "CMakePresets.json", "examples"):
    if has_command or name != "tools/demo.sh":
        (checkout / name).symlink_to(source / name)
if not has_command:
    (checkout / "tools" / "demo.sh").write_text("exit 0\n")
(checkout / "build" / "demo").symlink_to(build)
cmake = shutil.which("cmake")
(programs / "cmake").write_text(f"""#!/bin/sh
case "$1" in
  --preset) '{cmake}' --list-presets | grep -q "\\"$2\\"" ;;
  --build) test -f "$2/CMakeCache.txt" ;;
  *) exec '{cmake}' "$@" ;;
esac
""")
(programs / "cmake").chmod(0o755)

environment = {"HOME": str(home), "PATH": f"{programs}:{os.environ['PATH']}"}
run = subprocess.run(["bash", "-euo", "pipefail"], input="".join(blocks), cwd=checkout, env=environment,
                     text=True, stdout=subprocess.PIPE)
print(run.stdout)
if run.returncode != 0:
    sys.exit(f"README's section 'Install' ends with {run.returncode}")
if has_command and "largest relative error" not in run.stdout:
    sys.exit("tools/demo.sh did not run the demonstration")
(home / ".local").rename(work / "prefix")

moved = work / "prefix" / "bin" / "tenferro"
if moved.exists():
    subprocess.run([moved, "info"], env=environment, check=True, stdout=subprocess.DEVNULL)
