#!/usr/bin/env bash
# Builds and runs every test: optimised, then with the address and undefined-behaviour sanitizers and fault
# points. With names (cpu, einsum, capi, ...) only the optimised tests of these folders.
set -euo pipefail
cd "$(dirname "$0")/.."
bash tools/bootstrap.sh
exec python3 tools/run_tests.py "$@"
