#!/usr/bin/env bash
# Builds and runs every test: optimised, then with the address and undefined-behaviour sanitizers and fault points.
set -euo pipefail
cd "$(dirname "$0")/.."
bash tools/bootstrap.sh
for preset in release dev; do
  cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset"
  ctest --preset "$preset" -j "$(nproc)"
done
