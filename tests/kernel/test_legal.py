"""Legal endings in the kernel and by their definition."""

from __future__ import annotations

from ctypes import c_int32, c_uint64

import numpy as np
import pytest
from legal_support import layouts_of

import pavcodec as pav
from pavcodec import kernel
from pavcodec.arrays import consecutive
from pavcodec.kernel import reference
from pavcodec.numberings.legal import LegalTable

DECKS = [(2, 2, 4), (2, 3, 2), (3, 2, 3), (2, 1, 8), (4, 4, 2), (4, 2, 3), (3, 1, 5)]
NOTHING = np.empty(0, np.uint64)


def firsts_of(table: LegalTable) -> np.ndarray:
    sums = [sum(table.counts[:place]) for place in range(len(table.counts))]
    return np.array([divmod(first, 2**64) for first in sums], np.uint64)


@pytest.mark.parametrize("deck", DECKS, ids=str)
def test_toy_decks(deck: tuple[int, int, int]) -> None:
    seats, suits, ranks = deck
    table, cards = LegalTable(*deck), suits * ranks
    counts = np.empty((len(table.counts), 2), np.uint64)
    reference.legal_counts(*deck, NOTHING, NOTHING, counts)
    assert counts.tolist() == [[0, count] for count in table.counts]
    total = sum(table.counts)
    given = *deck, NOTHING, NOTHING, firsts_of(table)
    numbers = consecutive(0, total)[:: 1 + total // 400].copy()
    compiled, defined = np.empty((2, len(numbers), cards), np.uint8)
    table.unrank_rows(len(numbers), numbers, compiled)
    reference.legal_unrank(*given, len(numbers), numbers, defined)
    assert compiled.tolist() == defined.tolist()
    sizes = range(cards // seats, -1, -1)
    rows = [list(word) for each in sizes for word in layouts_of(seats, cards, each)]
    rows = rows[:: 1 + len(rows) // 300]
    owners = np.array([*rows, [0] * cards, [9] * cards, [seats] * cards], np.uint8)
    answers = np.empty((2, len(owners)), np.uint8)
    kernel.legal_decide(*deck, len(owners), owners, answers[0])
    reference.legal_decide(*deck, len(owners), owners, answers[1])
    assert answers[0].tolist() == answers[1].tolist()
    for row, is_legal in zip(owners, answers[0].tolist(), strict=True):
        found = np.zeros((2, 2), np.uint64)
        bad = table.rank_rows(1, row, found[:1])
        assert reference.legal_rank(*given, 1, row, found[1]) == bad
        assert bad == (-1 if is_legal and (row < seats).any() else 0)
        assert bad == 0 or found[0].tolist() == found[1].tolist()


def test_tables_that_are_too_small_are_refused() -> None:
    def filled(rows: int, places: int) -> int:
        states, steps, ways = (
            (c_uint64 * rows)(),
            (c_uint64 * (3 * rows))(),
            (c_uint64 * (2 * places))(),
        )
        known = (c_int32 * (66 * 5))()
        return int(kernel.legal_tables(2, 2, 4, known, rows, places, states, steps, ways))

    if not kernel.is_compiled():
        pytest.skip("the definitions have no tables")
    rows = filled(500, 500)
    places = next(places for places in range(500) if filled(rows, places) > 0)
    assert filled(rows, places) == rows
    assert filled(rows - 1, places) == filled(rows, places - 1) == filled(3, places) == -1


@pytest.fixture(scope="module")
def deck() -> LegalTable:
    return LegalTable(4, 4, 13)


@pytest.mark.slow
def test_small_endings_of_the_deck(deck: LegalTable) -> None:
    given = 4, 4, 13, NOTHING, NOTHING, firsts_of(deck)
    totals = [sum(deck.counts[:place]) for place in range(10, 14)]
    places = [totals[0], totals[0] + 7**19, *(total - 1 for total in totals[1:]), *totals[1:3]]
    numbers = np.array([divmod(number, 2**64) for number in places], np.uint64)
    compiled, defined = np.empty((2, len(numbers), 52), np.uint8)
    deck.unrank_rows(len(numbers), numbers, compiled)
    reference.legal_unrank(*given, len(numbers), numbers, defined)
    assert compiled.tolist() == defined.tolist()
    found = np.empty((2, *numbers.shape), np.uint64)
    assert deck.rank_rows(len(compiled), compiled, found[0]) == -1
    assert reference.legal_rank(*given, len(numbers), compiled, found[1]) == -1
    assert found[0].tolist() == found[1].tolist() == numbers.tolist()


def test_blocks_and_the_first_bad_row(deck: LegalTable) -> None:
    numbers = pav.numbering("legal").draw(300, seed=4)
    owners, found = np.empty((300, 52), np.uint8), np.empty_like(numbers)
    deck.unrank_rows(len(numbers), numbers, owners)
    assert deck.rank_rows(len(owners), owners, found) == -1
    assert found.tolist() == numbers.tolist()
    illegal = pav.Layout.from_pbn("N:AK.A.A.A QJ.K.K.K T9.Q.Q.Q 87.J.J.J")
    owners[200] = list(illegal.owners)
    assert deck.rank_rows(len(owners), owners, found) == 200
    owners[150, 0] = 255
    assert deck.rank_rows(len(owners), owners, found) == 150
    owners[140] = list(illegal.owners)
    assert deck.rank_rows(len(owners), owners, found) == 140
    owners[0] = 4
    assert deck.rank_rows(len(owners), owners, found) == 0


def test_decisions_on_the_deck() -> None:
    rows = [
        pav.numbering(name).sample_many(150, seed=2) for name in ("balanced", "legal", "ending")
    ]
    owners = np.vstack(
        [*rows, *(np.full((1, 52), owner, np.uint8) for owner in (0, 4, 5, 64, 255))]
    )
    answers = np.empty((2, len(owners)), np.uint8)
    kernel.legal_decide(4, 4, 13, len(owners), owners, answers[0])
    reference.legal_decide(4, 4, 13, len(owners), owners, answers[1])
    assert answers[0].tolist() == answers[1].tolist()
    assert set(answers[0].tolist()) == {0, 1}
