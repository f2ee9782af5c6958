"""The documentation has a picture of each page in both schemes, and the pictures are small."""

from __future__ import annotations

import re
from pathlib import Path

from pavcodec.web.pages.page import PAGES

FOLDER = Path(__file__).parents[2] / "docs" / "web"
MOST_BYTES = 80_000


def test_each_page_has_its_pictures() -> None:
    text = (FOLDER / "index.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"\(pictures/([a-z]+-(light|dark))\.png#only-\2\)", text))
    names = ["home", *(address.strip("/") for address, _ in PAGES)]
    assert {name for name, _ in shown} == {f"{n}-{s}" for n in names for s in ("light", "dark")}
    for name, _ in shown:
        path = FOLDER / "pictures" / f"{name}.png"
        assert path.read_bytes().startswith(b"\x89PNG")
        assert path.stat().st_size < MOST_BYTES, name
