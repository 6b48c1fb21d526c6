#!/usr/bin/env python3
"""Writes fortran/tenferro_c.f90, the module that binds every function of the C header under its own name,
with its constants and structs, and in fortran/tenferro.f90 what is the same for all element types: f32, c32
and c64 are copies of f64. Without --update compares the files with what it would write and exits 1 if they
differ. Then checks that fortran/tenferro.f90 calls every function.

Handles, strings and data are type(c_ptr) values; lists are arrays, single outputs are arguments.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDTH = 110
KINDS = {"size_t": "integer(c_size_t)", "int32_t": "integer(c_int32_t)", "int64_t": "integer(c_int64_t)",
         "uint64_t": "integer(c_int64_t)", "double": "real(c_double)", "tfe_status_t": "integer(c_int32_t)",
         "tfe_error_detail_t": "integer(c_int32_t)"}
LISTS = {"shape", "ndims", "left", "right", "output", "out_shape", "out_strides", "exponents_out",
         "grads_out"}
TYPES = ("f32", "f64", "c32", "c64")
NUMBERS = {"f32": "real(c_float)", "f64": "real(c_double)", "c32": "complex(c_float_complex)",
           "c64": "complex(c_double_complex)"}
# What tenferro.f90 has for every element type: its C functions, and its procedures on arrays.
COPIED = (r"    case \(tfe_dtype_{0}\)\n      f = functions\(.*?(?=    case|    end select)",
          r"  subroutine assign_{0}\(.*?(?=  subroutine assign_\w\d\d\(|\n\n  ! ----)")
# Functions that Fortran programs find in tenferro_c alone: other names, and orders of rows.
EXCEPTIONS = r"tfe_\w+_(rrule|frule)_\w+|tfe_\w+_row_major(_data)?|tfe_version_string"
HEAD = """! Written by tools/fortran_bindings.py from tenferro.h, which says what everything means.
module tenferro_c
  use, intrinsic :: iso_c_binding
  implicit none
  public
"""
PROGRESS = """
  abstract interface
    integer(c_int32_t) function tfe_progress_fn(progress, user) bind(c)
      import
      type(tfe_progress), intent(in) :: progress
      type(c_ptr), value :: user
    end function
  end interface
"""


def preprocessed(header, *flags):
    command = [os.environ.get("CC", "cc"), "-E", "-P", *flags, "-x", "c", str(header)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def broken(first, items, end=""):
    """One statement, its items on as many lines as they need."""
    lines = [first]
    for number, item in enumerate(items, 1):
        item += ", " if number < len(items) else end
        if len(lines[-1]) + len(item) > WIDTH - 3:
            lines[-1] = lines[-1].rstrip() + " &"
            lines.append(" " * (len(first) - len(first.lstrip()) + 4))
        lines[-1] += item
    return "\n".join(lines) + "\n"


def argument(parameter):
    """(declaration, name) of a parameter."""
    c_type, name = re.fullmatch(r"(.*?)\s*(\w+)", parameter.strip(), re.S).groups()
    c_type = re.sub(r"\s*\*\s*", "*", re.sub(r"\s+", " ", c_type))
    array = "(*)" if name in LISTS else ""
    if c_type in KINDS:
        return f"{KINDS[c_type]}, value", name
    if c_type == "tfe_progress_fn":
        return "type(c_funptr), value", name
    if re.fullmatch(r"const \w+\*const\*|\w+\*const\*", c_type):
        return "type(c_ptr), intent(in)", name + "(*)"
    if c_type.endswith("**"):
        return "type(c_ptr), intent(out)", name + array
    target = re.fullmatch(r"(const )?(\w+)\*", c_type)
    if target and target[2].startswith("tfe_einsum_plan_"):
        return f"type({target[2]}), intent({'in' if target[1] else 'inout'})", name
    if target and target[2] in KINDS and target[2] != "double" and (array or not target[1]) and name != "buf":
        intent = "in" if target[1] else "inout" if "exponent" in name else "out"
        return f"{KINDS[target[2]]}, intent({intent})", name + array
    return "type(c_ptr), value", name


def interface(result, name, parameters):
    declarations, names = {}, []
    for parameter in parameters:
        declaration, declared = argument(parameter)
        declarations.setdefault(declaration, []).append(declared)
        names.append(declared.removesuffix("(*)"))
    result = re.sub(r"\s+", " ", result.strip())
    kind = "" if result == "void" else KINDS.get(result, "type(c_ptr)") + " "
    what = "subroutine" if result == "void" else "function"
    text = (broken(f"    {kind}{what} {name}(", names, ") bind(c)") if names
            else f"    {kind}{what} {name}() bind(c)\n")
    text += "      import\n"
    for declaration, declared in declarations.items():
        text += broken(f"      {declaration} :: ", declared)
    return text + f"    end {what}\n"


def struct(name, body, defaults):
    text = f"\n  type, bind(c) :: {name}\n"
    for field in filter(None, (field.strip() for field in body.split(";"))):
        c_type, names = re.fullmatch(r"((?:const )?\w+\s*\*?)\s*([\w, ]+)", field).groups()
        kind = KINDS.get(c_type.strip(), "type(c_ptr)")
        for field_name in names.replace(" ", "").split(","):
            value = defaults.pop(0) if defaults else "NULL" if kind == "type(c_ptr)" else "0"
            text += f"    {kind} :: {field_name} = {value.replace('NULL', 'c_null_ptr').lower()}\n"
    return text + "  end type\n"


def module(header):
    text = preprocessed(header)
    macros = preprocessed(header, "-dM")
    constants = re.findall(r"\b(TFE_DETAIL_\w+) = (\d+)", text)
    constants += re.findall(r"#define (TFE_(?!VERSION)\w+) \(?(-?\d+)\)?$", macros, re.M)
    out = HEAD + "\n"
    for name, value in sorted(constants, key=lambda row: (re.match("TFE_[A-Z]+", row[0])[0], int(row[1]))):
        out += f"  integer(c_int32_t), parameter :: {name.lower()} = {value}\n"
    initial = re.search(r"#define TFE_EINSUM_PLAN_OPTIONS_INIT *\{(.*)\}", macros)[1]
    for body, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", text, re.S):
        values = [value.strip() for value in initial.split(",")] if name.endswith("_options") else []
        out += struct(name, body, ["0", *values[1:]] if values else [])
    out += PROGRESS + "\n  interface\n"
    for result, name, parameters in re.findall(r"__attribute__ *\(\(.*?\)\)\) "
                                               r"([^;{]*?)\b(tfe_\w+)\s*\(([^;]*?)\)\s*;",
                                               text, re.S):
        out += interface(result, name, [] if parameters.strip() == "void" else parameters.split(","))
    return out + "  end interface\nend module\n"


def with_copies(types):
    """The module of types with what it has for f64 copied to the other element types."""
    for pattern in COPIED:
        original = re.search(pattern.format("f64"), types, re.S)[0].rstrip("\n")
        for name in TYPES:
            copy = original.replace("f64", name).replace(NUMBERS["f64"], NUMBERS[name])
            types = re.sub(pattern.format(name), lambda found: copy + found[0][len(found[0].rstrip("\n")):],
                           types, flags=re.S)
    return types


def differences(file, wanted):
    """Where a file is not what it should be."""
    old, new = file.read_text().splitlines(), wanted.splitlines()
    for number, (line, right) in enumerate(zip(old, new), 1):
        if line != right:
            return f"{file.name}:{number}: is not what the header or f64 has, which is\n{right}"
    return f"{file.name}: has {len(old)} lines instead of {len(new)}" if len(old) != len(new) else None


def unused(header, types):
    """Functions that the module of types does not call."""
    calls = set(re.findall(r"\btfe_\w+", types))
    declared = re.findall(r"\b(tfe_\w+)\s*\([^;{]*\)\s*;", preprocessed(header))
    for name in declared:
        if name not in calls and not re.fullmatch(EXCEPTIONS, name):
            yield f"{name}: used by no procedure"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--header", type=pathlib.Path, default=ROOT / "include" / "tenferro.h")
    parser.add_argument("--module", type=pathlib.Path, default=ROOT / "fortran" / "tenferro_c.f90")
    parser.add_argument("--types", type=pathlib.Path, default=ROOT / "fortran" / "tenferro.f90")
    parser.add_argument("--update", action="store_true", help="write the file")
    options = parser.parse_args()
    written = {options.module: module(options.header), options.types: with_copies(options.types.read_text())}
    for file, text in written.items():
        if options.update:
            file.write_text(text)
        if difference := differences(file, text):
            sys.exit(difference)
    if problems := list(unused(options.header, options.types.read_text())):
        sys.exit("\n".join(problems))
    print(f"{len(re.findall('bind.c.$', written[options.module], re.M))} "
          "declarations are those of the header")


if __name__ == "__main__":
    main()
