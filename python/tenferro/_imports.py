"""Runs something once a library that may never be imported is there, whichever of the two comes first."""

import sys
from importlib.machinery import PathFinder


class _Finder:
    """Stands before Python's finders until the library is looked for."""

    def __init__(self, name, action):
        self.name, self.action = name, action

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(name, path)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                self.action()

            spec.loader.exec_module = exec_module
        return spec


def when_imported(name, action):
    """Calls action() after the first import of the top-level module `name`: at once where that has been."""
    if name in sys.modules:
        action()
    else:
        sys.meta_path.insert(0, _Finder(name, action))
