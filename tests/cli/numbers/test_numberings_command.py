"""`pavcodec numberings` and `pavcodec formats`: what there is."""

from __future__ import annotations

import json
from math import comb, factorial
from typing import TYPE_CHECKING

import pytest

from pavcodec import Layout, numbering, numbering_names, record
from pavcodec.formats import format_names

if TYPE_CHECKING:
    from formats_support import Cli


RECORDS = {"balanced": "balanced14", "ending": "ending15", "base5": "base5-16", "legal": "legal14"}
"""The records of the numberings that hold more than deals."""


def test_all_numberings_are_listed_with_their_sizes(cli: Cli) -> None:
    outcome = cli("numberings")
    assert (outcome.code, outcome.err) == (0, "")
    body = outcome.out.partition("─\n")[2]
    rows = {row.split()[0]: " ".join(row.split()) for row in body.split("\n\n")}
    for name in numbering_names():
        ranks = numbering(name)
        record = RECORDS.get(name, "deal12")
        assert rows[name].startswith(f"{name} {ranks.bits} {ranks.width} {record} cardinality: ")
        assert f"cardinality: {ranks.cardinality:,} what it numbers: {ranks.summary}" in rows[name]
    plain = [line.split() for line in outcome.lines if "bits a card" in line]
    assert [row[:7] for row in plain] == [
        ["2", "bits", "a", "card", "104", "13", "deal13"],
        ["3", "bits", "a", "card", "156", "20", "layout20"],
    ]


def test_the_sizes_are_the_known_ones(cli: Cli) -> None:
    rows = {row["name"]: row for row in json.loads(cli("numberings", "--json").out)}
    assert list(rows) == numbering_names(partial=True, classes=True)
    for name, bits in (("deal-suits", 91), ("deal-suits-turns", 89)):
        of_classes = rows.pop(name)
        assert of_classes["cardinality"] == str(numbering(name).cardinality)
        assert (of_classes["bits"], of_classes["bytes"]) == (bits, 12)
    legal, collected = rows.pop("legal"), rows.pop("rpdd")
    assert (legal["cardinality"], legal["bits"], legal["bytes"], legal["record"]) == (
        "128231250273227354660026504584672", 107, 14, "legal14",
    )  # fmt: skip
    assert (collected["cardinality"], collected["bits"], collected["bytes"]) == ("10485760", 24, 3)
    deals = factorial(52) // factorial(13) ** 4
    balanced = sum(
        factorial(52) // factorial(j) ** 4 // factorial(52 - 4 * j) for j in range(1, 14)
    )
    for name, row in rows.items():
        expected = {"balanced": balanced, "base5": 5**52}.get(name)
        if name != "ending":
            assert row["cardinality"] == str(expected or deals)
        assert row["bits"] == (int(row["cardinality"]) - 1).bit_length()
        assert row["bytes"] == -(-row["bits"] // 8) == record(row["record"]).size
        assert row["record"] == RECORDS.get(name, "deal12")
    assert (rows["deal"]["bits"], rows["balanced"]["bits"], rows["ending"]["bits"]) == (
        96,
        111,
        120,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", numbering_names())
def test_one_numbering_is_described(cli: Cli, name: str) -> None:
    ranks = numbering(name)
    outcome = cli("numberings", name)
    assert outcome.code == 0
    assert f"record     {RECORDS.get(name, 'deal12')}" in outcome.lines
    for fact in (name, ranks.summary, f"{ranks.last:,}", f"{ranks.last:#x}", f"{ranks.bits} bits"):
        assert fact in " ".join(outcome.out.split())
    row = json.loads(cli("numberings", name, "--json").out)
    assert (row["name"], row["record"]) == (name, RECORDS.get(name, "deal12"))
    assert int(row["cardinality"]) == ranks.cardinality
    assert Layout.from_pbn(row["first"]) == ranks[0]
    assert Layout.from_pbn(row["last"]) == ranks[-1]


def test_the_table_of_balanced_endings(cli: Cli) -> None:
    rows = json.loads(cli("numberings", "--table", "--json").out)
    assert rows == json.loads(cli("numberings", "balanced", "--table", "--json").out)
    assert sorted(row["cards"] for row in rows) == list(range(1, 14))
    for row in rows:
        j = row["cards"]
        sizes = comb(52, j) * comb(52 - j, j) * comb(52 - 2 * j, j) * comb(52 - 3 * j, j)
        assert row["endings"] == str(sizes)
    firsts = [int(row["first"]) for row in rows]
    sizes_before = [sum(int(row["endings"]) for row in rows[:place]) for place in range(13)]
    assert firsts == sizes_before
    text = cli("numberings", "--table")
    assert text.code == 0
    assert "53,644,737,765,488,792,839,237,440,000" in text.out
    assert f"{numbering('balanced').cardinality:,}" in text.out


def test_all_formats_are_listed(cli: Cli) -> None:
    outcome = cli("formats")
    assert (outcome.code, outcome.err) == (0, "")
    for name in (*format_names(), ".pbn", ".txt", ".lines", ".numbers", ".zrd", "a board a line"):
        assert name in outcome.out
    rows = json.loads(cli("formats", "--json").out)
    assert [row["name"] for row in rows] == format_names()
    suffixes = {row["name"]: row["suffixes"] for row in rows}
    assert suffixes["lines"] == [".txt", ".lines"]
    assert suffixes["pbn"] == [".pbn"]
    assert all(set(row) == {"name", "suffixes", "summary", "keeps", "loses"} for row in rows)
