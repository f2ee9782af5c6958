"""The tricks of small endings and their counts, against DDS, plain search and published totals."""

from __future__ import annotations

import sys
from itertools import product
from math import comb, factorial
from random import Random

import numpy as np
import pytest
from packages import needs

import pavcodec as pav
from pavcodec import kernel
from pavcodec.solving.endings import (
    MOST_SIZE,
    lengths_of,
    made_tables,
    tables_of_package,
    words_of,
)
from pavcodec.solving.many import Dds

NOTRUMP = {
    1: [1316016, 5181384],
    2: [190892916864, 664560592488, 1040942628648],
    3: [5036318395313140, 15115989642097292, 25268963787631720, 30856556954109848],
}
TRUMPS = {
    2: [502631422293, 695348489433, 698416226274],
    3: [12634691834561290, 20178776509064680, 23337907719892857, 20126452715633173],
}


def total(size: int) -> int:
    """Return the number of endings with so many cards in each hand."""
    return comb(52, 4 * size) * factorial(4 * size) // factorial(size) ** 4


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("trumps", [False, True])
def test_counts(size: int, trumps: bool) -> None:
    counts = pav.count_endings(size, trumps=trumps)
    assert sum(counts) == total(size)
    assert counts == (TRUMPS if trumps else NOTRUMP).get(size, counts)


@pytest.mark.slow
def test_the_table_of_the_package_is_what_is_computed() -> None:
    tables, two = tables_of_package(), made_tables(2, threads=1)
    assert (tables.data[: len(two.data)] == two.data).all()
    random = Random(7)
    for trumps in (False, True):
        rows, size = lengths_of(3, trumps=trumps), words_of(3) // 4
        place = random.randrange(len(rows))
        start = int(tables.starts[6 + trumps]) + place * size
        made = np.zeros(size, np.uint8)
        lengths = np.array(rows[place], np.uint8)
        kernel.endings_solved(*two.arguments, 3, trumps, 1, lengths, made)
        assert (tables.data[start : start + size] == made).all()


@pytest.mark.slow
@pytest.mark.parametrize("cards", [1, 3, 4, 6])
def test_best_cards_and_best_play(cards: int) -> None:
    """The best cards give what double dummy says, the other cards less, and a play takes it."""
    if cards > MOST_SIZE:
        needs("endplay")
    for layout in pav.endings(1, cards=cards).sample(2 if cards <= MOST_SIZE else 1, seed=cards):
        owners = np.frombuffer(layout.owners, np.uint8)[None]
        table = pav.solve_many(owners)[0].reshape(5, 4)
        for strain, leader in product(pav.Strain, pav.Seat):
            most, best = pav.best_cards(layout, strain, leader)
            assert most == cards - table[strain, leader - 1]
            play = pav.best_play(layout, strain, leader)
            winners = [trick.winner for trick in play if trick.winner is not None]
            assert sum((winner - leader) % 2 == 0 for winner in winners) == most
            assert play[0].cards[0] in best
            for count in (1, 2, 3):  # each card keeps what the side had
                on_table, held = play[0].cards[:count], bytearray(layout.owners)
                for card in on_table:
                    held[card] = 4
                rest = pav.Layout(bytes(held))
                then, chosen = pav.best_cards(rest, strain, leader, on_table)
                assert then == (cards - most if count % 2 else most)
                assert play[0].cards[count] in chosen
                assert pav.best_play(rest, strain, leader, on_table) == play


@pytest.mark.parametrize("cards", [2, 4])
@pytest.mark.parametrize("played", [0, 1, 2, 3])
def test_dds_has_the_same_cards(cards: int, played: int) -> None:
    needs("endplay")
    before = pav.endings(1, cards=cards).sample_many(40, seed=cards)
    rows = np.arange(len(before))
    strains, leaders = (rows % 5).astype(np.uint8), (rows % 4).astype(np.uint8)
    owners, table = before.copy(), np.zeros((len(before), 0), np.uint8)
    for _ in range(played):  # the first card that each seat can play
        cards_now = (pav.tricks_of_cards(owners, strains, leaders, table) < 255).argmax(axis=1)
        table = np.concatenate([table, cards_now[:, None].astype(np.uint8)], axis=1)
        owners[rows, cards_now] = 4
    turns = np.full((len(before), 5), 52, np.uint8)
    turns[:, 0], turns[:, 1], turns[:, 2 : 2 + played] = strains, leaders, table
    by_table = pav.tricks_of_cards(owners, strains, leaders, table)
    assert (Dds().plays(before, turns) == by_table).all()


def test_small_endings_need_no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "endplay", None)
    owners = pav.endings("spades(north) == 2", cards=3).sample_many(30, seed=7)
    assert (pav.solve_many(owners) == pav.tricks_of_endings(owners)).all()
    assert (pav.solve_many(owners, "S by N")[:, 4] == pav.tricks_of_endings(owners)[:, 4]).all()
    layout = pav.Layout.from_pbn("N:AKQJT... 98765... 432.AK.. .QJT98..")
    for needs_one in (
        lambda: pav.best_cards(layout, "NT", "N"),
        lambda: pav.solve_many(pav.numbering("deal").sample_many(1, seed=1)),
    ):
        with pytest.raises(pav.PavError, match="needs the package endplay: pip install"):
            needs_one()
    row = pav.ending(str(layout)).to_dict()  # the verdict and the play stay
    assert "double_dummy" not in row
    assert len(row["tricks"]) == 8


def test_chosen_contracts_and_refused_hands() -> None:
    owners = pav.endings(1, cards=2).sample_many(5, seed=1)
    chosen, every = pav.tricks_of_endings(owners, "S by N, NT by W"), pav.tricks_of_endings(owners)
    assert (chosen == every[:, [3, 4]]).all()
    deals = pav.numbering("deal").sample_many(1, seed=1)
    with pytest.raises(pav.PavError, match="row 1: tricks of endings need four hands of one to"):
        pav.tricks_of_endings(np.concatenate([owners[:1], deals]))
    for card in (owners[:1].argmin(axis=1), np.array([52])):
        with pytest.raises(pav.LayoutError, match="row 0: no card of nobody is on the table"):
            pav.tricks_of_cards(owners[:1], "NT", "N", card.astype(np.uint8)[None])
    with pytest.raises(pav.NumberError, match="row 0: strain is 0 to 4, not 5"):
        pav.tricks_of_cards(owners[:1], np.array([5], np.uint8), "N")
    with pytest.raises(pav.NumberError, match="row 0: on_lead is 0 to 3, not 4"):
        pav.tricks_of_cards(owners[:1], "NT", np.array([4], np.uint8))
    with pytest.raises(pav.NumberError, match="endings of 1 to 3 cards are counted, not 4"):
        pav.count_endings(4)
