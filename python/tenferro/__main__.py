"""``python -m tenferro``: the command of the package, and where its C and C++ files are."""

import os
import sys

FOLDERS = {"--cmake-dir": "lib/cmake/tenferro", "--include-dir": "include", "--lib-dir": "lib"}


def main():
    """Prints a folder, or becomes the command ``tenferro`` that the wheel brings."""
    root = os.path.dirname(os.path.abspath(__file__))
    arguments = sys.argv[1:]
    if len(arguments) == 1 and arguments[0] in FOLDERS:
        print(os.path.join(root, FOLDERS[arguments[0]]))
        return
    program = os.path.join(root, "bin", "tenferro")
    os.execv(program, [program, *arguments])


if __name__ == "__main__":
    main()
