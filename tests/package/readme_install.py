#!/usr/bin/env python3
"""Runs README's section "Install" word for word: in a folder that looks like a checkout whose tree is built
(tools/demo.sh, which would build it, is a stub there) and with an empty home. What was installed is then
moved to WORK/prefix, where the other tests of the package use it: nothing may remember where it was
installed.

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
checkout, home = work / "checkout", work / "home"
for folder in (checkout / "tools", checkout / "build", home):
    folder.mkdir(parents=True)
(checkout / "tools" / "demo.sh").write_text("exit 0\n")
(checkout / "build" / "demo").symlink_to(build)
(checkout / "examples").symlink_to(source / "examples")

environment = {"HOME": str(home), "PATH": os.environ["PATH"]}
run = subprocess.run(["bash", "-euo", "pipefail"], input="".join(blocks), cwd=checkout, env=environment,
                     text=True, stdout=subprocess.PIPE)
print(run.stdout)
if run.returncode != 0:
    sys.exit(f"README's section 'Install' ends with {run.returncode}")
(home / ".local").rename(work / "prefix")

moved = work / "prefix" / "bin" / "tenferro"
if moved.exists():
    subprocess.run([moved, "info"], env=environment, check=True, stdout=subprocess.DEVNULL)
