#!/usr/bin/env python3
"""expect_failure.py MESSAGE COMMAND...: succeeds when the command fails and its output contains the
message. It proves that a gate can fail, and for the right reason."""

import subprocess
import sys

message, command = sys.argv[1], sys.argv[2:]
result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
print(result.stdout, end="")
if result.returncode == 0:
    sys.exit("expected a failure, but the command succeeded")
if message not in result.stdout:
    sys.exit(f"the command failed without saying: {message}")
