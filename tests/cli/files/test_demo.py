"""`pavcodec demo`: the tour."""

from __future__ import annotations

import json

import pytest
from formats_support import DEMO, Cli, read_text

from pavcodec import numbering, numbering_names


@pytest.mark.slow
def test_the_tour_shows_a_deal_and_what_encoding_the_file_gave(cli: Cli) -> None:
    outcome = cli("demo")
    assert (outcome.code, outcome.err) == (0, "")
    first = read_text(DEMO.read_bytes()).boards[0].layout
    assert first is not None
    for fact in (str(first), str(numbering("deal").rank(first)), "32 deals and 4 endings"):
        assert fact in outcome.out
    assert "dealer North, vulnerable None" in outcome.out
    for name in numbering_names():
        (row,) = [line for line in outcome.lines if line.split()[:1] == [name]]
        assert " yes " in row
    assert "pavcodec --help" in outcome.out
    assert "\x1b" not in outcome.out


def test_the_figures_are_there_for_programs(cli: Cli) -> None:
    rows = json.loads(cli("demo", "--json").out)
    assert [row["numbering"] for row in rows] == numbering_names()
    for row in rows:
        assert row["same"] is True
        assert row["layouts"] == {"ending": 36, "base5": 36}.get(row["numbering"], row["layouts"])
        assert row["layouts"] >= 32
        assert row["bits"] == numbering(row["numbering"]).bits
        assert 0 <= int(row["first"]) < numbering(row["numbering"]).cardinality
        assert row["encode_microseconds"] > 0
        assert row["decode_microseconds"] > 0
