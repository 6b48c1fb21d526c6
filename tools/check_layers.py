#!/usr/bin/env python3
"""Checks every #include of the project against cmake/layers.txt: a layer includes only the layers listed
for it, public headers include only public ones, and the rooms of a layer, folders below src/, include each
other only as listed. A room's README.md, where it has one, names its files. Usage: check_layers.py [ROOT];
exits 1 and names each offending line."""

import fnmatch
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')
SOURCES = {".h", ".hpp", ".c", ".cpp", ".cc", ".inl"}
PUBLIC = "public"


def read_rules(path):
    """The rules, and what is wrong with them: whoever names only those above cannot be part of a circle."""
    rules, errors = {}, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        name, allowed = line.split(":")
        rules.setdefault(name.strip(), set()).update(allowed.split())
        for other in sorted(rules[name.strip()] - rules.keys() - {PUBLIC}):
            errors.append(f"cmake/layers.txt:{number}: {name.strip()} names {other}, which is not above it")
    return rules, errors


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


def room(root, rules, path):
    """The room that a file lies in, named as in the rules; whether it is listed; (None, True) outside."""
    if not path.is_relative_to(root / "src"):
        return None, True
    name = path.parent.relative_to(root / "src").as_posix()
    parents = {rule.rpartition("/")[0] for rule in rules if "/" in rule}
    while "/" in name and name.rpartition("/")[0] not in parents:
        name = name.rpartition("/")[0]
    return (name, name in rules) if "/" in name else (None, True)


def room_complaint(rules, source, target):
    if source in (None, target) or target is None or source.rpartition("/")[0] != target.rpartition("/")[0]:
        return None
    return None if target in rules[source] else f"{source} must not include {target}"


def unnamed_files(root, rules):
    """What lies in a room but in no `pattern` of its README.md."""
    for readme in sorted(root / "src" / rule / "README.md" for rule in rules if "/" in rule):
        patterns = re.findall("`([^`]+)`", readme.read_text()) if readme.is_file() else ["*"]
        for path in sorted(readme.parent.iterdir()):
            if path != readme and not any(fnmatch.fnmatch(path.name, pattern) for pattern in patterns):
                yield f"{path.relative_to(root)}: is not in the README.md of its folder"


def complaint(rules, layer, public, target_layer, target_public):
    if public and not target_public:
        return "a public header must not include a private one"
    if target_layer == layer or target_layer in rules[layer]:
        return None
    if PUBLIC in rules[layer]:
        return None if target_public else f"{layer} may include only public headers of {target_layer}"
    return f"{layer} must not include {target_layer}"


def check(root):
    rules, errors = read_rules(root / "cmake" / "layers.txt")
    files = sorted(path for top in ("include", "src", "cli", "examples") for path in (root / top).rglob("*")
                   if path.suffix in SOURCES)
    for path in files:
        layer, public = place(root, path)
        if layer not in rules:
            errors.append(f"{path.relative_to(root)}: layer {layer} is not listed in cmake/layers.txt")
            continue
        own_room, listed = room(root, rules, path)
        if not listed:
            errors.append(f"{path.relative_to(root)}: folder {own_room} is not listed in cmake/layers.txt")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            target = resolve(root, path, match[1]) if match else None
            if target is None:
                continue
            reason = complaint(rules, layer, public, *place(root, target)) or \
                room_complaint(rules, own_room, room(root, rules, target)[0])
            if reason:
                errors.append(f'{path.relative_to(root)}:{number}: includes "{match[1]}", but {reason}')
    return len(files), errors + list(unnamed_files(root, rules))


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[1]).resolve()
    count, errors = check(root)
    if count == 0:
        errors.append(f"{root} has no sources")
    print("\n".join(errors) if errors else f"{count} files keep to their layers")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
