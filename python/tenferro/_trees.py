"""Trees of arrays: dicts, lists and tuples, flattened to a list and built again."""

from collections import OrderedDict

_LEAF = "*"


def flatten(tree):
    """The leaves of a tree in order, that of sorted keys in dicts that have none, and its structure, which
    is hashable."""
    leaves = []

    def visit(node):
        if node is None:
            return None
        if isinstance(node, OrderedDict):
            return (OrderedDict, tuple((key, visit(child)) for key, child in node.items()))
        if isinstance(node, dict):
            return (dict, tuple((key, visit(node[key])) for key in sorted(node, key=_rank)))
        if isinstance(node, (list, tuple)):
            return (type(node), tuple(visit(child) for child in node))
        leaves.append(node)
        return _LEAF

    return leaves, visit(tree)


def _rank(key):
    """Keys of several types have an order: first that of the names of their types."""
    return type(key).__name__, key


def is_leaf(structure):
    """Whether the tree is one leaf by itself."""
    return structure == _LEAF


def unflatten(structure, leaves):
    """The tree of that structure with these leaves."""
    rest = iter(leaves)

    def build(node):
        if node is None:
            return None
        if node == _LEAF:
            return next(rest)
        kind, children = node
        if issubclass(kind, dict):
            return kind((key, build(child)) for key, child in children)
        made = [build(child) for child in children]
        return kind(*made) if hasattr(kind, "_fields") else kind(made)

    return build(structure)
