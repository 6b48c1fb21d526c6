"""Plans as pictures: the tree of contractions, tensors below what is made of them, with sizes and
operations."""

from html import escape
from math import log10, prod

from . import _core

_FEW = 12  # up to so many tensors every node is lettered
_LOW, _HIGH = (222, 235, 247), (8, 69, 148)  # colours of the least and the most operations


class _Node:
    def __init__(self, labels, size, flops=0.0, children=(), number=None):
        self.labels, self.size, self.flops, self.children, self.number = labels, size, flops, children, number
        self.x = self.depth = 0.0


class Drawing:
    """A picture as text: shown by a notebook, str() gives the SVG, save(path) writes it."""

    def __init__(self, svg, summary):
        self._svg, self._summary = svg, summary

    def _repr_svg_(self):
        return self._svg

    def __str__(self):
        return self._svg

    def __repr__(self):
        return f"<tenferro.Drawing of {self._summary}>"

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._svg)


def _tree(plan):
    """The root of the plan's tree; sizes and operations are those of one slice."""
    terms, output = _core._explicit(plan.subscripts, [len(shape) for shape in plan.shapes]).split("->")
    extents = {}
    for term, shape in zip(terms.split(","), plan.shapes):
        for label, extent in zip(term, shape):
            extents[label] = max(extent, extents.get(label, 1))
    extents.update(dict.fromkeys(plan.sliced_labels, 1))

    def size(labels):
        return float(prod(extents[label] for label in labels))

    nodes = [_Node(term, size(set(term)), number=number) for number, term in enumerate(terms.split(","))]
    for positions in plan.path:
        taken = [nodes.pop(at) for at in sorted(positions, reverse=True)][::-1]
        involved = dict.fromkeys("".join(node.labels for node in taken))
        needed = set(output).union(*(node.labels for node in nodes))
        kept = "".join(label for label in involved if label in needed) if nodes else output
        sums = len(kept) < len(involved)
        flops = size(involved) * (max(1, len(taken) - 1) + sums)
        nodes.append(_Node(kept, size(kept), flops, taken))
    return nodes[0]


def _walk(root):
    """Every node after its children, leaves from left to right."""
    order, stack = [], [root]
    while stack:
        node = stack.pop()
        order.append(node)
        stack.extend(node.children)
    return order[::-1]


def _short(number):
    """123, 45.6k, 7.89M, 1.2e+15"""
    for scale, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if scale <= number < 1e15:
            return f"{number / scale:.3g}{letter}"
    return f"{number:.3g}"


def _colour(share):
    return "#" + "".join(f"{round(low + (high - low) * share):02x}" for low, high in zip(_LOW, _HIGH))


def _cut(text, length):
    return text if len(text) <= length else text[: length - 1] + "…"


class _Canvas:
    def __init__(self, nodes, width, height):
        self.parts, self.width, self.height = [], width, height
        steps = [log10(max(node.flops, 1)) for node in nodes if node.children]
        self.least, self.most = min(steps, default=0), max(steps, default=0)
        self.widest = max(log10(max(node.size, 1)) for node in nodes) or 1

    def colour(self, node):
        return _colour((log10(max(node.flops, 1)) - self.least) / ((self.most - self.least) or 1))

    def text(self, x, y, words, size=11, anchor="middle", fill="#333"):
        self.parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" '
            f'fill="{fill}">{escape(words)}</text>'
        )

    def edge(self, child, parent, place):
        (x1, y1), (x2, y2) = place(child), place(parent)
        thick = 1 + 5 * log10(max(child.size, 1)) / self.widest
        self.parts.append(
            f'<path d="M{x1:.1f} {y1:.1f}C{x1:.1f} {(y1 + y2) / 2:.1f} {x2:.1f} {(y1 + y2) / 2:.1f} '
            f'{x2:.1f} {y2:.1f}" fill="none" stroke="#9aa5b1" stroke-width="{thick:.1f}"/>'
        )

    def node(self, node, place, radius, lettered):
        x, y = place(node)
        what = f"{node.labels or 'a scalar'}: {_short(node.size)} elements"
        if not node.children:
            title = f"operand {node.number}, {what}"
            self.parts.append(
                f'<rect x="{x - radius:.1f}" y="{y - radius:.1f}" width="{2 * radius:.1f}" '
                f'height="{2 * radius:.1f}" rx="2" fill="#fff" stroke="#52606d"><title>{escape(title)}'
                "</title></rect>"
            )
        else:
            title = f"{what}, {_short(node.flops)} operations"
            self.parts.append(
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{self.colour(node)}" '
                f'stroke="#243b53"><title>{escape(title)}</title></circle>'
            )
        if lettered and node.children:
            self.text(x + radius + 5, y - 2, _cut(node.labels or "scalar", 14), 12, "start", "#102a43")
            self.text(x + radius + 5, y + 10, _short(node.flops), 10, "start", "#627d98")
        elif lettered:
            self.text(x, y + radius + 14, _cut(node.labels, 10), 12, fill="#102a43")


def _svg(plan, root):
    nodes = _walk(root)
    leaves = [node for node in nodes if not node.children]
    for number, node in enumerate(leaves):
        node.x = float(number)
    for node in nodes:
        if node.children:
            node.x = sum(child.x for child in node.children) / len(node.children)
    for node in reversed(nodes):
        for child in node.children:
            child.depth = node.depth + 1
    deepest = max(node.depth for node in nodes)
    few = len(leaves) <= _FEW
    step = 84 if few else max(5, min(40, 900 / len(leaves)))
    rise = 62 if few else max(1.5, min(40, 520 / max(deepest, 1)))
    radius = 8 if few else max(1.5, min(7, step / 2.6))
    width = max(460, 90 + step * len(leaves))
    left = (width - step * (len(leaves) - 1)) / 2
    slices = int(plan.cost["slices"])
    top = 90 if slices > 1 else 74
    height = top + rise * deepest + 70
    canvas = _Canvas(nodes, width, height)
    scale = {"place": lambda node: (left + step * node.x, top + rise * node.depth)}
    canvas.text(16, 22, _cut(plan.subscripts, int(width / 8.2)), 13, "start", "#102a43")
    cost = plan.cost
    facts = [
        f"{_short(cost['flops'])} operations",
        f"largest {_short(cost['largest_intermediate'])} elements",
        f"peak {_short(cost['peak_bytes'])}B",
    ][0 if root.children else 2 :]
    canvas.text(16, 42, " · ".join(facts), 11, "start", "#627d98")
    if slices > 1:
        words = f"{slices} slices over {','.join(plan.sliced_labels)}; the tree is that of one"
        canvas.text(16, 60, _cut(words, int(width / 6.5)), 11, "start", "#627d98")
    for node in nodes:
        for child in node.children:
            canvas.edge(child, node, **scale)
    for node in nodes:
        canvas.node(node, radius=radius, lettered=few, **scale)
    if root.children:
        _legend(canvas, width, height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="DejaVu Sans, Helvetica, Arial, sans-serif">'
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(canvas.parts)}</svg>'
    )


def _legend(canvas, width, height):
    """Below: what the colours are; widths of lines are sizes."""
    y = height - 20
    canvas.text(16, y + 9, f"operations of a step  {_short(10**canvas.least)}", 10, "start", "#627d98")
    x = 176
    for number in range(24):
        canvas.parts.append(
            f'<rect x="{x + 4 * number}" y="{y}" width="4.5" height="11" fill="{_colour(number / 23)}"/>'
        )
    canvas.text(x + 104, y + 9, _short(10**canvas.most), 10, "start", "#627d98")
    canvas.text(width - 16, y + 9, "width of a line: elements", 10, "end", "#627d98")


def show(plan):
    """The contraction tree of a Plan, or of the PathInfo of contract_path, as a picture with costs: operands
    below, steps coloured by their operations, lines as wide as the tensor is large. Pointing at a node tells
    its labels, elements and operations. With slices, nodes show one of them.

    Notebooks show what it returns; str() gives the SVG and save(path) writes it."""
    plan = getattr(plan, "plan", plan)
    if not isinstance(plan, _core.Plan):
        raise TypeError(f"show: expected a Plan or a PathInfo but got {type(plan).__name__}")
    return Drawing(_svg(plan, _tree(plan)), f"{len(plan.shapes)} tensors")
