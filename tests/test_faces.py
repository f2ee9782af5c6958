"""Values in notebooks and as JSON: `_repr_html_` and `to_dict`."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest
from pages import Page, words

import pavcodec as pav
from pavcodec.chances.distributions import Distribution, SampledDistribution, WeightedDistribution
from pavcodec.cli.main import main
from pavcodec.constraints.expressions import condition
from pavcodec.layout.drawings import notebook_table

WHERE = "hcp(south) >= 20 && spades(north) == 5"
TESTED = "hcp(south) >= 20 && rnd(2) == 1"
MIX: list[tuple[str, int | str]] = [("hcp(south) >= 22", 1), ("hcp(south) >= 12", "2.5")]


def resampled() -> pav.Resampled:
    """Return deals by a likelihood with which some deals have several rows."""
    aces = pav.expression("aces(south)")

    def likelihood(owners: Any) -> Any:
        return 8.0 ** aces.values(owners)

    return pav.resample(pav.numbering("deal"), likelihood, 50, proposals=200, seed=7)


def shown() -> dict[str, Any]:
    """Return what notebooks show as a table, by name."""
    deals = pav.numbering("deal")
    return {
        "distribution": pav.distribution("hcp(north)", given=WHERE),
        "of two": pav.distribution("aces(north)", "kings(north)", given=WHERE),
        "sampled": pav.distribution("hcp(north)", given=WHERE, simulate=50),
        "share": pav.probability("hcp(north) >= 5", given=WHERE, simulate=50),
        "estimate": pav.Estimate.of_sample(10, 100, 10**20),
        "numbering": deals,
        "space": pav.deals(WHERE),
        "empty": pav.deals("hcp(south) > 40"),
        "endings": pav.endings("spades(south) == 2", cards=3),
        "tested": pav.deals(TESTED),
        "weighted": pav.weighted("hcp(south) == 37", joint="spades(south) < 5"),
        "resampled": resampled(),
        "evidence": resampled().evidence,
        "mix": pav.mix(MIX, given="hcp(west) < 20"),
        "tested mix": pav.mix([(TESTED, 1), ("1", 1)]),
        "natural mix": pav.mix(["hcp(south) >= 22", "hcp(south) >= 12"]),
        "levelled": pav.level("HandType_a = hcp(south) < 12  HandType_b = 1  condition 1"),
        "statistics": pav.stats(deals.sample_many(300, seed=7)),
        "no deals": pav.stats([]),
        "case deals": pav.case_table("spades(west) == 9").deals,
    }


def cells(html: str) -> list[str]:
    """Return the texts of the cells and paragraphs of a page."""
    tags = ("td", "th", "caption", "p")
    return [words(each) for each in Page(html).root.iter() if each.tag in tags and words(each)]


def texts_of(value: Any) -> list[str]:
    return cells(value._repr_html_())


@pytest.mark.slow
def test_notebooks_show_tables() -> None:
    for name, value in shown().items():
        html = value._repr_html_()
        assert texts_of(value), name
        assert "<script" not in html
        assert html.count("<table") == html.count("</table>") == 1
        # text and ground are those of the theme; only bars and lines have colours, for both themes
        assert not re.search(r"(?<![-\w])(color|background): ?#", html)
        assert 'data-jp-theme-light="false"' in html
        assert "prefers-color-scheme: dark" in html


@pytest.mark.slow
def test_what_the_tables_hold() -> None:
    space = pav.deals(WHERE)
    assert isinstance(space, pav.ConstrainedDeals)
    number = f"{space.cardinality:,}"
    assert texts_of(space)[:5] == ["ConstrainedDeals", "condition", WHERE, "number", number]
    found = pav.distribution("hcp(north)", given="spades(north) == 13")
    total = f"{found.total:,}"
    heads = [f"distribution of {total} deals", "value", "deals", "share, %"]
    assert texts_of(found)[:7] == [*heads, "10", total, "100"]
    assert "average 10, standard deviation 0" in texts_of(found)
    cardinality = "227,281,472,367,118,124,317,891,200"
    expected = ["1", "28.57", "1", cardinality, "hcp(south) >= 22"]
    assert texts_of(pav.mix(MIX))[6:11] == expected
    fresh = pav.ConstrainedDeals.of(pav.expression("hcp(south) >= 20 && spades(north) == 4"))
    assert "not counted yet; .cardinality counts" in texts_of(fresh)
    assert "model" not in vars(fresh.condition)


@pytest.mark.parametrize(
    ("counted", "text"),
    [
        (
            Distribution({0: 1, 1: 2, 5: 1}),
            "<Distribution of 3 values from 0 to 5, most often 1 (50 %), average 1.75>",
        ),
        (
            SampledDistribution({2: 1, 3: 3}),
            "<SampledDistribution of 2 values from 2 to 3, most often 3 (75 %), average 2.75>",
        ),
        (
            Distribution({(0, 2): 1, (1, 1): 3}),
            "<Distribution of 2 values from (0, 2) to (1, 1), most often (1, 1) (75 %)>",
        ),
        (WeightedDistribution({7: 3}), "<WeightedDistribution of 1 value, 7, average 7>"),
        (Distribution({(1, 1): 5}), "<Distribution of 1 value, (1, 1)>"),
        (SampledDistribution({}), "<SampledDistribution of 0 values>"),
    ],
)
def test_a_distribution_in_a_line(counted: Distribution | SampledDistribution, text: str) -> None:
    assert repr(counted) == text


def test_every_text_is_escaped() -> None:
    nasty = "<b onclick='x'>&\""
    table = notebook_table(nasty, [nasty], [[nasty]] * 70, notes=[nasty])
    assert "<b" not in table
    assert cells(table)[0] == nasty
    assert "… and 10 more rows" in cells(table)
    tested = condition(lambda deal: deal["N"].hcp)
    assert "&lt;lambda&gt;" in pav.deals(tested)._repr_html_()
    assert "hcp(north) &lt; 5" in pav.deals("hcp(north) < 5", method="counted")._repr_html_()


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def same(value: Any) -> Any:
    """Return the dictionary of a value, which JSON must keep as it is."""
    found = value.to_dict()
    assert json.loads(json.dumps(found)) == found
    return found


@pytest.mark.slow
def test_dictionaries_are_what_the_command_line_prints(
    capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    values = shown()
    for name, where, more in (
        ("space", WHERE, []),
        ("empty", "hcp(south) > 40", []),
        ("endings", "spades(south) == 2", ["--cards", "3"]),
        ("tested", TESTED, []),
    ):
        row = same(values[name])
        assert row.pop("where") == where
        assert row == printed(capsys, "count", where, *more)
    mixed = [f"--mix={kind}:{weight}" for kind, weight in MIX]
    assert same(pav.mix(MIX)) == printed(capsys, "count", *mixed)
    odds = printed(capsys, "odds", "hcp(north)", "--given", WHERE)
    [answer] = odds.get("answers", [odds])
    row = same(values["distribution"])
    assert row == {key: answer[key] for key in row}
    path = tmp_path / "some.lines"
    pav.write(pav.numbering("deal").sample(300, seed=7), path)
    assert same(values["statistics"]) == printed(capsys, "stats", str(path))


def test_dictionaries_of_boards_and_layouts() -> None:
    deal = pav.numbering("deal")[5]
    tags = {"Event": "Heat", "Auction": "N"}
    board = pav.Board.make(deal, number=7, tags=tags, tricks=pav.TrickTable(bytes(20)))
    for each in (
        board,
        pav.Board.make(None, number=1),
        pav.Board(deal, (*board.entries, *board.entries)),
    ):
        row = same(each)
        out = io.BytesIO()
        pav.write([each], out, format="jsonl")
        assert json.loads(out.getvalue()) == row
        out.seek(0)
        assert list(pav.read(out, format="jsonl")) == [each]
    assert same(deal)["hands"]["S"] == str(deal["S"])
    assert pav.Deal.from_pbn(same(deal)["deal"]) == deal
    assert same(pav.Estimate.of_sample(1, 4))["estimate"]["value"] == 0.25
    assert same(pav.Estimate.of_sample(1, 4, 100))["estimate"]["value"] == "25"
    weighted = pav.weighted("hcp(south) == 37", joint="spades(south) < 5")
    assert same(weighted)["weights"] == ["spades(south) < 5"]
    assert same(weighted)["cardinality"] == same(weighted)["total"] == str(weighted.cardinality)
    assert f"{weighted.cardinality:,}" in texts_of(weighted)
    two = same(pav.distribution("aces(north)", "kings(north)", given="spades(north) == 13"))
    assert two["values"][0]["value"] == [1, 1]


def test_samples_by_a_likelihood() -> None:
    found = resampled()
    row = same(found)
    assert [pav.Deal.from_pbn(text).owners for text in row["deals"]] == [
        each.tobytes() for each in found.owners
    ]
    assert sum(row["counts"]) == row["n"] == 50
    assert row["weights"] == [count / 50 for count in row["counts"]]
    assert row["indexes"] == found.indexes.tolist()
    assert (row["seed"], row["is_enough"]) == ("7", True)
    assert row["evidence"] == same(found.evidence)
    assert row["evidence"]["value"] == found.evidence.value
    assert row["evidence"]["proposals"] == 200
    most = found.counts.argmax()
    assert most > 0
    texts = texts_of(found)
    assert texts[0] == f"50 rows of {len(found)} deals"
    assert texts[4] == str(pav.Deal(found.owners[most].tobytes()))
    assert texts[5] == str(found.counts[most]) != "1"
    assert "the 20 deals with the most rows" in texts
    assert "200" in texts_of(found.evidence)
    huge = pav.Evidence(log=1000.0, standard_error=float("inf"), proposals=5)
    finite = {"low": 0.0, "log": 1000.0, "proposals": 5}
    assert same(huge) == {"value": None, "high": None, "standard_error": None, **finite}
    assert texts_of(huge)
    assert "inf" in str(huge)
