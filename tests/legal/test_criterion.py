"""The criterion against every play of toy decks with real ranks."""

from __future__ import annotations

import pytest
from legal_support import every_play, layouts_of

from pavcodec.legal import has_no_crossing, is_legal, signature

DECKS = [
    (2, 2, 4),
    (2, 3, 2),
    (3, 3, 2),
    *(pytest.param(*deck, marks=pytest.mark.slow) for deck in [(4, 2, 4), (4, 4, 2), (4, 1, 8)]),
]


@pytest.mark.parametrize(("seats", "suits", "ranks"), DECKS)
def test_endings_that_some_play_reaches(seats: int, suits: int, ranks: int) -> None:
    trumps = [None, *range(suits)]
    reached = {trump: every_play(seats, suits, ranks, trump) for trump in trumps}
    cards = suits * ranks
    for each in range(cards // seats + 1):
        for word in layouts_of(seats, cards, each):
            ending = signature(word, suits=suits, seats=seats)
            legal = is_legal(ending, seats)
            assert legal == any(word in reached[trump] for trump in trumps)
            if seats == 4:
                assert (legal and not has_no_crossing(ending)) == (word in reached[None])
