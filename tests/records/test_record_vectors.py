"""Records against the golden vectors: endings, and deals of a public collection."""

from __future__ import annotations

import pytest
from oracles import vectors
from records_support import owners_by_hand, word_by_hand

from pavcodec import (
    Deal,
    Layout,
    SolvedDeal,
    Suit,
    SuitLayout,
    SuitWord,
    TrickTable,
    numbering,
    record,
)
from pavcodec.formats.records.boards import FLAG, diagrams, words_of

ENDINGS = vectors("endings")
SOLVED = vectors("rpdd")


def test_there_are_as_many_vectors_as_are_known() -> None:
    assert (len(ENDINGS), len(SOLVED)) == (81, 25)


@pytest.mark.parametrize("row", ENDINGS, ids=lambda row: row["pbn"][:40])
def test_an_ending_has_its_words(row: dict[str, str]) -> None:
    layout = Layout.from_pbn(row["pbn"])
    words = [int(word, 16) for word in row["zbs"]]
    raw = b"".join(word.to_bytes(4, "little") for word in words)
    found = record("zbs-diagram")
    assert found.build(layout) == found.build_by_declaration(layout) == raw
    assert found.parse(raw) == found.parse_by_declaration(raw) == layout
    assert list(words_of(layout)) == words
    assert list(diagrams(enumerate(words), lambda *problem: pytest.fail(str(problem)))) == [
        (0, layout)
    ]
    assert [word & FLAG for word in words] == [FLAG, FLAG, FLAG, 0]
    for suit, word in zip(Suit, words, strict=True):
        alone = SuitLayout.of(layout, suit)
        assert alone.to_zbs() == word & ~FLAG == word_by_hand(alone.owners)
        assert SuitLayout.from_zbs(word & ~FLAG) == alone
        assert owners_by_hand(word & ~FLAG) == layout.owners[13 * suit : 13 * suit + 13]
        one = record("zbs-word").parse(word.to_bytes(4, "little"))
        assert one == SuitWord(alone, joined=suit is not Suit.CLUBS)


@pytest.mark.parametrize("row", SOLVED, ids=lambda row: str(row["index"]))
def test_a_solved_deal_has_the_cards_of_the_collection(row: dict[str, str]) -> None:
    deal, half = Deal.from_pbn(row["pbn"]), bytes.fromhex(row["zrd_deal_hex"])
    table = TrickTable(bytes([7] * 20))
    raw = half + bytes([0x77] * 10)
    found = record("zrd")
    assert found.parse(raw) == found.parse_by_declaration(raw) == SolvedDeal(deal, table)
    assert found.build(SolvedDeal(deal, table))[:13] == half
    assert found.build_by_declaration(SolvedDeal(deal, table)) == raw
    west_first = Deal(bytes((owner + 1) % 4 for owner in deal.owners))
    assert record("deal13").build(west_first) == half


@pytest.mark.parametrize("row", SOLVED, ids=lambda row: str(row["index"]))
def test_a_solved_deal_has_its_number_with_west_first(row: dict[str, str]) -> None:
    raw = int(row["number_wnes"]).to_bytes(12, "little")
    ranks = numbering("deal-wnes")
    assert ranks.to_bytes(Deal.from_pbn(row["pbn"])) == raw
    assert ranks.from_bytes(raw) == Deal.from_pbn(row["pbn"])
    assert record("deal12").parse(raw) == int(row["number_wnes"])
