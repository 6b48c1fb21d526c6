#!/usr/bin/env bash
# Makes a virtual environment with the peers: setup.sh [FOLDER], by default .venv at the project's root.
set -euo pipefail
folder=${1:-$(dirname "$0")/../../.venv}
[ -x "$folder/bin/python" ] || python3 -m venv "$folder"
"$folder/bin/pip" install --quiet numpy scipy opt_einsum jax torch==2.13.0
"$folder/bin/python" -c 'import jax, numpy, opt_einsum, scipy, torch
print("numpy", numpy.__version__, "scipy", scipy.__version__, "torch", torch.__version__,
      "jax", jax.__version__)'
