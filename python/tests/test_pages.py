"""The Python pieces of the pages run, one after the other on each page."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [page for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
         if "```python" in page.read_text()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pieces(page):
    names = {}
    for piece in re.findall(r"^```python\n(.*?)^```", page.read_text(), re.M | re.S):
        exec(compile(piece, str(page), "exec"), names)
