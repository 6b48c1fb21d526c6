"""Compiler launcher of package_add_subdirectory. The subdirectory's library was compiled already, by the
build that runs the test: `reuse_object.py BUILD COMPILER ARGUMENTS...` takes the objects of that build. What
being a subdirectory or lacking BLAS can change is tried as asked: files that know of BLAS and the consumer
are compiled, and the first file of every layer is parsed."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

build, command = Path(sys.argv[1]), sys.argv[2:]
target = command[command.index("-o") + 1]
layer = re.match(r"tenferro/(src/CMakeFiles/tenferro_[a-z_]+\.dir/)(.*)", target)
if layer is None:
    sys.exit(subprocess.call(command))
source = Path(command[command.index("-c") + 1]).read_text()
if "tenferro_cpu" in layer[1] and re.search(r'TENFERRO_BLAS|#include ".*blas\.hpp"', source):
    sys.exit(subprocess.call(command))
parsed = Path("tenferro", layer[1], "parsed")
if not parsed.exists():
    parsed.touch()
    subprocess.check_call([*command, "-fsyntax-only"])
shutil.copyfile(build / layer[1] / layer[2], target)
