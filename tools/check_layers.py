#!/usr/bin/env python3
"""Checks every #include of the project against cmake/layers.txt: a layer includes only the layers listed for it, and public
headers include only public headers. Usage: check_layers.py [ROOT]; exits 1 and names each offending line."""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')
SOURCES = {".h", ".hpp", ".c", ".cpp", ".cc", ".inl"}
PUBLIC = "public"


def read_rules(path):
    rules = {}
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            layer, allowed = line.split(":")
            rules[layer.strip()] = set(allowed.split())
    return rules


def place(root, path):
    """(layer, whether public) of a file of the project, or (None, ...) outside the layers."""
    parts = path.relative_to(root).parts
    if parts[:2] == ("include", "tenferro") and len(parts) > 3:
        return parts[2], True
    if parts[0] == "include":
        return "capi", True  # the C headers lie directly in include/
    if parts[0] == "src" and len(parts) > 2:
        return parts[1], False
    if parts[0] in ("cli", "examples"):
        return parts[0], False
    return None, False


def resolve(root, source, name):
    """The project file that an #include names, or None for the standard library and other projects."""
    for folder in (source.parent, root / "include", root / "src"):
        path = (folder / name).resolve()
        if path.is_file() and path.is_relative_to(root):
            return path
    return None


def complaint(rules, layer, public, target_layer, target_public):
    if public and not target_public:
        return "a public header must not include a private one"
    if target_layer == layer or target_layer in rules[layer]:
        return None
    if PUBLIC in rules[layer]:
        return None if target_public else f"{layer} may include only public headers of {target_layer}"
    return f"{layer} must not include {target_layer}"


def check(root):
    rules = read_rules(root / "cmake" / "layers.txt")
    files = sorted(p for top in ("include", "src", "cli", "examples") for p in (root / top).rglob("*") if p.suffix in SOURCES)
    errors = []
    for path in files:
        layer, public = place(root, path)
        if layer not in rules:
            errors.append(f"{path.relative_to(root)}: layer {layer} is not listed in cmake/layers.txt")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            target = resolve(root, path, match[1]) if match else None
            reason = complaint(rules, layer, public, *place(root, target)) if target else None
            if reason:
                errors.append(f'{path.relative_to(root)}:{number}: includes "{match[1]}", but {reason}')
    return len(files), errors


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1]).resolve()
    count, errors = check(root)
    if count == 0:
        errors.append(f"{root} has no sources")
    print("\n".join(errors) if errors else f"{count} files keep to their layers")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
