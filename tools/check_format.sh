#!/usr/bin/env bash
# Fails when a C or C++ file is not formatted as .clang-format says; names the files.
set -euo pipefail
root=${1:-$(dirname "$0")/..}
cd "$root"
unformatted=0
while IFS= read -r file; do
  if ! clang-format --style=file "$file" | cmp -s - "$file"; then
    echo "not formatted: $file"
    unformatted=1
  fi
done < <(find . \( -name build -o -name .git -o -path ./tests/gates/bad_format \) -prune -o \( -name '*.cpp' -o -name '*.hpp' -o -name '*.h' -o -name '*.c' \) -print | sort)
exit $unformatted
