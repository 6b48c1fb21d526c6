#!/usr/bin/env bash
# Installs what building and testing need on Debian 12. Quick when everything is there; needs root only when
# it is not.
set -euo pipefail

packages=(
  g++ cmake ninja-build pkg-config          # build
  libhwy-dev                                # SIMD dispatch
  gfortran                                  # the Fortran module
  libopenblas0-serial                       # BLAS that the kind 'blas' loads
  libcli11-dev libfmt-dev nlohmann-json3-dev  # the command, graphs as text
  libgtest-dev                              # tests
  clang-format python3                      # checks
  python3-dev python3-venv                  # the Python package
)

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if ((${#missing[@]})); then
  echo "installing: ${missing[*]}"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
