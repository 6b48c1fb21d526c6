#!/usr/bin/env bash
# limited.sh KILOBYTES COMMAND...: the command with that much address space works, or ends with a message and
# an exit code of its own; it does not hang, and no signal ends it.
set -uo pipefail

kilobytes=$1
shift
message=$( (ulimit -v "$kilobytes" && exec timeout 120 "$@") 2>&1 >/dev/null)
code=$?
if ((code >= 124)); then
  echo "$* with $kilobytes kB: exit code $code: $message"
  exit 1
fi
if ((code != 0)) && [[ -z "$message" ]]; then
  echo "$* with $kilobytes kB: fails without a message"
  exit 1
fi
echo "exit code $code"
