"""Unpacks an .xz file if it is there: unpack.py FROM TO."""
import lzma
import os
import shutil
import sys

source, target = sys.argv[1:]
if os.path.exists(source):
    with lzma.open(source) as packed, open(target, "wb") as plain:
        shutil.copyfileobj(packed, plain)
