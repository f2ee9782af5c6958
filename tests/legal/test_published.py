"""The published endings of the documentation: each is as legal as the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pavcodec as pav

PAGE = Path(__file__).parents[2] / "docs" / "studies" / "legal.md"
ROWS = re.findall(
    r"^\| (?P<what>[^|`]+) \| (?P<cards>\d+) \| `(?P<ending>N:[^`]+)` \| (?P<verdict>[^|]+) \|$",
    PAGE.read_text(),
    re.MULTILINE,
)


def test_the_page_has_endings() -> None:
    assert len(ROWS) >= 8
    assert {"legal", "not legal"} == {verdict.partition(":")[0] for *_, verdict in ROWS}


@pytest.mark.parametrize(("what", "cards", "ending", "verdict"), ROWS)
def test_a_published_ending(what: str, cards: str, ending: str, verdict: str) -> None:
    layout = pav.Layout.from_pbn(ending)
    assert set(layout.sizes) == {int(cards)}, what
    found = pav.legality(layout)
    if verdict == "legal":
        assert found, what
        assert found.line is not None
        return
    most = re.fullmatch(r"not legal: (\d+) tricks, at most (\d+) led", verdict)
    assert most, what
    assert found.reason.startswith(f"{most[1]} tricks are over, but at most {most[2]} can")
