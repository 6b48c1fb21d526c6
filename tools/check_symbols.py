#!/usr/bin/env python3
"""Checks what a shared library exports. The C functions must be the same in the library, in the header and
in the committed list; the C++ names, demangled, must be those of the other list and what follows from the
rows of op_table.hpp; nothing else may be exported. Exits 1 and names each difference. --update rewrites
the lists from the library instead of comparing with them."""

import argparse
import os
import pathlib
import re
import subprocess
import sys

OURS = re.compile(r"^_Z(T[ISV])?NK?8tenferro")
TEST_ONLY = "::fault::"  # exported by TENFERRO_FAULTS builds alone
TABLE = pathlib.Path(__file__).parent.parent / "include/tenferro/tensor/op_table.hpp"
CONSTANT = re.compile(r"::k[A-Z]\w*$")  # of a header: there where the compiler did not fold every use


def exported(library):
    output = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True,
                            text=True).stdout
    return {line.split()[-1].split("@")[0] for line in output.splitlines()}


def of_operations():
    """What each row of the table of operations has: methods, a rule, and a struct with its four members; and
    the templates for core operations that the library has instances of."""
    rows = re.findall(r"^    row\((\w+), (\w+),", TABLE.read_text(), re.M)
    structs, methods = ("|".join(names) for names in zip(*rows))
    classes = "BackendSession|TensorBackend|ShapeRules<[^>]*>"
    members = "infer_one|run|tangent|cotangents"
    return re.compile(rf"::({classes})::(do_)?({methods})(_read|_into)?\("
                      rf"|::tensor_ops::({structs})(::({members})\(|$)"
                      r"|::tensor_ops::CoreOp<[\w:]+>(::|$)"
                      r"|::StdTensorOp::shared<[\w:]+::tensor_ops::\w+>\(")


def demangled(names):
    output = subprocess.run(["c++filt"], input="\n".join(sorted(names)), check=True, capture_output=True,
                            text=True).stdout
    names = set(filter(None, output.splitlines()))
    following = of_operations()
    return {name for name in names if not (TEST_ONLY in name or CONSTANT.search(name)
                                           or following.search(name))}


def declared(header):
    """The functions that the header declares once its macros are expanded."""
    command = [os.environ.get("CC", "cc"), "-E", "-P", "-x", "c", str(header)]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"\b(tfe_\w+)\s*\([^;{]*\)\s*;", text))


def listed(path):
    lines = path.read_text().splitlines()
    if lines != sorted(set(lines)):
        sys.exit(f"{path} is not sorted or repeats a name")
    return set(lines)


def differences(left, right, left_name, right_name):
    return [f"{name}: {left_name} but not {right_name}" for name in sorted(left - right)] + [
        f"{name}: {right_name} but not {left_name}" for name in sorted(right - left)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("header", type=pathlib.Path)
    parser.add_argument("c_list", type=pathlib.Path)
    parser.add_argument("cxx_list", type=pathlib.Path, nargs="?",
                        help="without it the library must export no C++ names")
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()

    names = exported(options.library)
    c_names = {name for name in names if name.startswith("tfe_")}
    cxx_mangled = {name for name in names if OURS.match(name)}
    cxx_names = demangled(cxx_mangled)
    if options.update:
        options.c_list.write_text("".join(f"{name}\n" for name in sorted(c_names)))
        if options.cxx_list:
            options.cxx_list.write_text("".join(f"{name}\n" for name in sorted(cxx_names)))

    errors = [f"{name}: leaks from the library" for name in sorted(names - c_names - cxx_mangled)]
    errors += differences(c_names, declared(options.header), "exported", "declared")
    errors += differences(c_names, listed(options.c_list), "exported", "listed")
    errors += differences(cxx_names, listed(options.cxx_list) if options.cxx_list else set(), "exported",
                          "listed")
    if not c_names:
        errors.append(f"{options.library} exports no C function")
    print("\n".join(errors)
          if errors else f"{len(c_names)} C functions and {len(cxx_names)} C++ names are as listed")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
