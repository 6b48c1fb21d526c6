"""A contestant without a library, for tests of the harness: the arguments say how it behaves (right,
wrong, failing, dying or silent). Every request is appended to the file that BENCH_LOG names."""

import array
import json
import os
import sys
import time

manner = sys.argv[1]


def answer(request):
    if request["do"] == "check":
        with open(request["file"], "wb") as file:
            array.array("d", [1.0, 2.0 if manner != "wrong" else 2.5]).tofile(file)
    if request["do"] == "compare":
        values = array.array("d")
        with open(request["file"], "rb") as file:
            values.frombytes(file.read())
        return {"worst": max(abs(a - b) for a, b in zip(values, [1.0, 2.0])) / 2}
    if request["do"] == "run":
        time.sleep(0.001 * request["calls"])
        return {"seconds": [0.001] * request["samples"]}
    return {}


def note(*words):
    with open(os.environ["BENCH_LOG"], "a") as log:
        print(manner, *words, file=log)


note("starts")
for line in sys.stdin:
    request = json.loads(line)
    note(request["do"], request.get("calls", ""))
    if manner == "dying":
        sys.exit(3)
    if manner == "silent":
        time.sleep(60)
    reply = {"error": "it broke"} if manner == "failing" else {"ok": answer(request)}
    print(json.dumps(reply), flush=True)
