#!/usr/bin/env bash
# Builds the library and the tests of its kernels for 64-bit Arm on a Debian x86-64 machine and runs them
# under an emulator: what NEON computes. Needs g++-aarch64-linux-gnu and qemu-user-static; the libraries for
# Arm are fetched into build/neon.
#   tools/check_neon.sh [program...]      (unit_base unit_tensor unit_cpu)
set -euo pipefail
cd "$(dirname "$0")/.."
programs=("$@")
(($#)) || programs=(unit_base unit_tensor unit_cpu)
build=$PWD/build/neon
root=$build/root

if [[ ! -d $root ]]; then
  mkdir -p "$build/lists/partial" "$build/packages"
  arm=(-oAPT::Architecture=arm64 -oAPT::Architectures=arm64 -oDir::State::Lists="$build/lists")
  (cd "$build/packages" && apt-get "${arm[@]}" update -qq &&
    apt-get "${arm[@]}" download -qq libhwy-dev libhwy1 libgtest-dev nlohmann-json3-dev)
  for package in "$build"/packages/*.deb; do dpkg -x "$package" "$root"; done
fi

libraries=$root/usr/lib/aarch64-linux-gnu
emulator="qemu-aarch64-static;-L;/usr/aarch64-linux-gnu;-E;LD_LIBRARY_PATH=$libraries"
cmake -G Ninja -S . -B "$build/tree" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
  -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ \
  "-DCMAKE_CROSSCOMPILING_EMULATOR=$emulator" \
  -DCMAKE_PREFIX_PATH="$root/usr" -DCMAKE_FIND_ROOT_PATH="$root" -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY \
  -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O1" -DCMAKE_UNITY_BUILD=ON \
  -DTENFERRO_BLAS=OFF -DTENFERRO_CLI=OFF -DTENFERRO_EXAMPLES=OFF >/dev/null
ninja -C "$build/tree" -j "$(nproc)" "${programs[@]}"
for program in "${programs[@]}"; do
  found=$(find "$build/tree/tests" -name "$program" -type f)
  qemu-aarch64-static -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH="$libraries" "$found"
done
