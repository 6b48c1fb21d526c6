#!/usr/bin/env bash
# Fails when a C or C++ file is not formatted as .clang-format says; names the files. Formats a copy, many
# files a process.
set -euo pipefail
style=$(realpath "$(dirname "$0")/../.clang-format")
root=${1:-$(dirname "$0")/..}
cd "$root"
formatted=$(mktemp -d)
trap 'rm -rf "$formatted"' EXIT
find . \( -name build -o -name .git -o -path ./tests/gates/bad_format \) -prune -o \
  \( -name '*.cpp' -o -name '*.hpp' -o -name '*.h' -o -name '*.c' \) -print | sort >"$formatted/.files"
tar -c -T "$formatted/.files" | tar -x -C "$formatted"
(cd "$formatted" && xargs clang-format --style="file:$style" -i <.files)
unformatted=0
while IFS= read -r file; do
  if ! cmp -s "$file" "$formatted/$file"; then
    echo "not formatted: $file"
    unformatted=1
  fi
done <"$formatted/.files"
exit $unformatted
