#!/usr/bin/env python3
"""The library exports the C functions of the list, which are those that its header declares, and of C++ only
names of namespace tropical. There is no forward mode.

    symbols.py LIBRARY HEADER LIST
"""
import pathlib
import re
import subprocess
import sys

library, header, listed = sys.argv[1:4]
names = subprocess.run(["nm", "-D", "--defined-only", library], text=True, check=True,
                       stdout=subprocess.PIPE).stdout
exported = {line.split()[-1].split("@")[0] for line in names.splitlines()}
listed = set(pathlib.Path(listed).read_text().split())
preprocessed = subprocess.run(["cc", "-E", "-P", *sys.argv[4:], header], text=True, check=True,
                              stdout=subprocess.PIPE).stdout
declared = set(re.findall(r"\b(tfe_tropical_\w+)\(", preprocessed))
c_names = {name for name in exported if not name.startswith("_Z")}
leaks = {name for name in exported - c_names
         if not re.match(r"_Z(N|NK|TVN|TSN|TIN)?\d*(NK?)?8tropical|_ZN8tropical|_ZNK8tropical", name)}
problems = ([f"{name}: exported but not listed" for name in sorted(c_names - listed)]
            + [f"{name}: listed but not exported" for name in sorted(listed - c_names)]
            + [f"{name}: declared but not listed" for name in sorted(declared - listed)]
            + [f"{name}: listed but not declared" for name in sorted(listed - declared)]
            + [f"{name}: a forward mode" for name in sorted(exported) if "_frule_" in name]
            + [f"{name}: leaks from the library" for name in sorted(leaks)])
print("\n".join(problems) or f"{len(listed)} C functions are as listed")
sys.exit(bool(problems))
