#!/usr/bin/env bash
# Builds all that `cmake --install build/demo` installs, the libraries and the command, and runs the main job:
# the two-dimensional Ising model as a tensor network. Arguments go to `tenferro demo`.
set -euo pipefail
cd "$(dirname "$0")/.."
bash tools/bootstrap.sh
cmake --preset release -DTENFERRO_TESTS=OFF -DTENFERRO_EXAMPLES=OFF -B build/demo >/dev/null
cmake --build build/demo
exec build/demo/bin/tenferro demo "$@"
