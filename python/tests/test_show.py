"""Plans as pictures: well-formed SVG whose nodes are the plan's steps with their costs."""

import re
from xml.etree import ElementTree

import pytest

import tenferro as tf

SVG = "{http://www.w3.org/2000/svg}"
EQUATION, SHAPES = "abc,cd,dbe,ef,fa->", [(20, 3, 4), (4, 50), (50, 3, 6), (6, 7), (7, 20)]


def titles(drawing):
    root = ElementTree.fromstring(str(drawing))
    return (
        [node.find(f"{SVG}title").text for node in root.iter(f"{SVG}circle")],
        [
            node.find(f"{SVG}title").text
            for node in root.iter(f"{SVG}rect")
            if node.find(f"{SVG}title") is not None
        ],
    )


def words(drawing):
    return [node.text for node in ElementTree.fromstring(str(drawing)).iter(f"{SVG}text")]


def numbers(steps):
    """The operations that the titles tell, in units of 1."""
    units = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
    found = [re.search(r", ([0-9.e+]+)([kMGT]?) operations", step).groups() for step in steps]
    return [float(value) * units[unit] for value, unit in found]


def test_steps_and_operands():
    plan = tf.plan(EQUATION, *SHAPES)
    drawing = tf.show(plan)
    steps, operands = titles(drawing)
    assert len(steps) == 4 and sorted(operands)[0] == "operand 0, abc: 240 elements" and len(operands) == 5
    assert sum(numbers(steps)) == pytest.approx(plan.cost["flops"], rel=0.01)
    assert [step for step in steps if step.startswith("a scalar: 1 elements")]
    assert drawing._repr_svg_() == str(drawing) and words(drawing)[0] == EQUATION
    assert repr(drawing) == "<tenferro.Drawing of 5 tensors>"
    assert str(tf.show(tf.contract_path(EQUATION, *SHAPES)[1])) == str(drawing)


def test_figures_are_those_of_the_information():
    plan = tf.plan(EQUATION, *SHAPES, optimize=[(0, 4), (0, 3), (0, 2), (0, 1)])
    info = tf.PathInfo(plan)
    steps, _ = titles(tf.show(plan))
    assert sum(numbers(steps)) == pytest.approx(float(info.opt_cost), rel=0.01)


def test_slices():
    plan = tf.plan("ab,bc,cd,da->", *[(16, 16)] * 4, memory_limit=3000)
    lines = words(tf.show(plan))
    assert (
        f"{int(plan.cost['slices'])} slices over {','.join(plan.sliced_labels)}; the tree is that of one"
        in lines
    )


@pytest.mark.parametrize("count", [1, 2, 12, 13, 400])
def test_sizes(count, tmp_path):
    text = ",".join(chr(0x4E00 + i) + chr(0x4E01 + i) for i in range(count))
    drawing = tf.show(tf.plan(text, *[(2, 2)] * count))
    steps, operands = titles(drawing)
    assert len(operands) == count and len(steps) == count - 1
    root = ElementTree.fromstring(str(drawing))
    width, height = float(root.get("width")), float(root.get("height"))
    assert width < 4000 and height < 1000
    for node in root.iter(f"{SVG}circle"):
        assert 0 < float(node.get("cx")) < width and 0 < float(node.get("cy")) < height
    drawing.save(tmp_path / "tree.svg")
    assert (tmp_path / "tree.svg").read_text(encoding="utf-8") == str(drawing)


def test_errors():
    with pytest.raises(TypeError, match="expected a Plan or a PathInfo but got int"):
        tf.show(3)
