"""`pavcodec demo`: the tour."""

from __future__ import annotations

import json

import pytest
from formats_support import DEMO, Cli, read_text

from pavcodec import Deal, deals, numbering, numbering_names
from pavcodec.cli.commands.demo import CONDITION, PACKED, SEED


@pytest.mark.slow
def test_the_tour_shows_numbers_deals_and_an_archive(cli: Cli) -> None:
    outcome = cli("demo")
    assert (outcome.code, outcome.err) == (0, "")
    first = read_text(DEMO.read_bytes()).boards[0].layout
    assert first is not None
    for fact in (str(first), str(numbering("deal").rank(first)), "32 deals and 4 endings"):
        assert fact in outcome.out
    assert "dealer North, vulnerable None" in outcome.out
    for name in numbering_names():
        [row] = [line.split() for line in outcome.lines if line.split()[:1] == [name]]
        bits, _, same, number = row[1:]
        assert (int(bits), same) == (numbering(name).bits, "yes")
        assert int(number) == numbering(name).rank(first)
    assert f"  {deals(CONDITION).cardinality:,} deals, exactly" in outcome.out
    assert "\x1b" not in outcome.out


def test_the_figures_are_there_for_programs(cli: Cli) -> None:
    facts = json.loads(cli("demo", "--json").out)
    assert [row["numbering"] for row in facts["numberings"]] == numbering_names()
    for row in facts["numberings"]:
        assert row["same"] is True
        assert row["layouts"] == {"ending": 36, "base5": 36}.get(row["numbering"], row["layouts"])
        assert row["layouts"] >= 32
    space, condition = deals(CONDITION), facts["condition"]
    assert int(condition["cardinality"]) == space.cardinality
    assert condition["probability"] == str(space.probability)
    shown = [space.rank(Deal.from_pbn(each["deal"])) for each in condition["deals"]]
    assert shown == [int(each["index"]) for each in condition["deals"]]
    assert [space.unrank(index) for index in shown] == space.sample(len(shown), seed=SEED)
    archive = facts["archive"]
    assert (archive["deals"], archive["same"]) == (PACKED, True)
    assert archive["bits_per_deal"] == round(8 * archive["bytes"] / PACKED, 3)
    assert 0 < archive["bits_per_deal"] - archive["bound_bits_per_deal"] < 0.5
