"""Many deals: the engine against all plays, each class once, only the contracts that are wanted."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from packages import needs
from solving_support import Player, endings

from pavcodec import Layout, LayoutError, Seat, TrickTable, numbering, solve_many, tricks_of_endings
from pavcodec.boards.batch import owners_of
from pavcodec.cards import Strain
from pavcodec.layout.layout import layout_from_owners
from pavcodec.solving import many as dds
from pavcodec.solving.contracts import ALL_CONTRACTS, column
from pavcodec.solving.many import Dds, canonical_columns, solve_wanted
from pavcodec.symmetry import symmetry_of

TURNS = symmetry_of("suits,turns").permutations


@pytest.mark.slow
@pytest.mark.parametrize(("cards", "count"), [(1, 60), (2, 40), (3, 40), (4, 40)])
def test_the_engine_finds_the_tricks_of_the_tables(cards: int, count: int) -> None:
    needs("endplay")
    owners = endings(cards, count, seed=cards)
    expected = tricks_of_endings(owners)
    assert (Dds().strains(owners, [*Strain]).reshape(-1, 20) == expected).all()
    single = [Dds().contracts(owners, np.full(count, each)) for each in ALL_CONTRACTS]
    assert (np.stack(single, axis=1) == expected).all()


def turned(owners: np.ndarray, seed: int, copies: int) -> np.ndarray:
    """Return rows with copies of each under new names, in any order."""
    rng = Random(seed)
    rows = [Layout(row.tobytes()) for row in owners]
    found = rows + [row.permuted(rng.choice(TURNS)) for row in rows for _ in range(copies)]
    rng.shuffle(found)
    return owners_of(found)


@pytest.mark.slow
def test_a_class_is_solved_once() -> None:
    base = endings(2, 12, seed=5)
    owners, engine = turned(base, 5, copies=4), Player()
    different = len({Layout(row.tobytes()).canonical("suits,turns")[0] for row in base})
    solved: list[int] = []
    wanted = np.ones((len(owners), 20), bool)
    tricks = solve_wanted(owners, wanted, engine, on_solved=solved.append)
    assert (tricks == tricks_of_endings(owners)).all()
    assert engine.calls == [5 * different]
    assert solved == [different]


def test_a_call_has_a_board_for_each_contract_and_200_at_most() -> None:
    owners, engine = endings(1, 150, seed=9), Player()
    wanted = np.zeros((150, 20), bool)
    wanted[:, column(Seat.SOUTH, Strain.HEARTS)] = True
    wanted[::2, column(Seat.SOUTH, Strain.SPADES)] = True
    solved: list[int] = []
    solve_wanted(owners[:30], wanted[:30], engine, on_solved=solved.append)
    assert (engine.calls, solved) == ([45], [30])
    solve_wanted(owners, wanted, engine)
    assert sum(engine.calls[1:]) == 225
    assert max(engine.calls) <= 200


@pytest.mark.slow
def test_each_row_may_want_other_contracts() -> None:
    rng = np.random.default_rng(4)
    owners = turned(endings(2, 10, seed=4), 4, copies=2)
    wanted = rng.random((len(owners), 20)) < 0.2
    tricks, solved = solve_wanted(owners, wanted, Player()), list[int]()
    assert (tricks == np.where(wanted, tricks_of_endings(owners), 255)).all()
    solve_wanted(owners, wanted, Player(), on_solved=solved.append)
    with_any = {
        Layout(row.tobytes()).canonical("suits,turns")[0]
        for row, some in zip(owners, wanted, strict=True)
        if some.any()
    }
    assert sum(solved) == len(with_any)


@pytest.mark.slow
def test_canonical_deals_are_those_of_each_layout() -> None:
    owners = turned(endings(3, 300, seed=2), 2, copies=2)
    canonical, columns = canonical_columns(owners)
    for row, names in enumerate(columns):
        layout, way = layout_from_owners(owners[row].tobytes()).canonical("suits,turns")
        assert canonical[row].tobytes() == layout.owners
        strains = [Strain.NOTRUMP, *(Strain(1 + suit) for suit in way.suits)]
        assert names.tolist() == [
            column(Seat(seat), strain) for strain in strains for seat in way.seats
        ]


@pytest.mark.slow
def test_symmetric_deals_have_permuted_tables() -> None:
    needs("endplay")
    rng = Random(3)
    deal = numbering("deal").sample(1, seed=31)[0]
    ways = rng.sample(TURNS, 5)
    owners, solved = owners_of([deal, *map(deal.permuted, ways)]), list[int]()
    tricks = solve_many(owners, on_solved=solved.append)
    assert solved == [1]
    table = TrickTable(tricks[0].tobytes())
    assert [TrickTable(row.tobytes()) for row in tricks[1:]] == [table.permuted(w) for w in ways]
    alone = Dds().strains(owners[3:4], [*Strain])  # the solver itself, without the copy
    assert alone.reshape(20).tobytes() == tricks[3].tobytes()


def test_rows_that_cannot_be_solved_are_named() -> None:
    deals = numbering("deal").sample_many(3, seed=1)
    for hands in (bytes(13) + b"\4" * 39, b"\4" * 52):
        wrong = deals.copy()
        wrong[1] = list(hands)
        with pytest.raises(LayoutError, match="row 1: tricks needs four hands of the same size"):
            solve_many(wrong)
    deals[2, 5] = 9
    with pytest.raises(LayoutError, match="row 2: an owner is 0 to 4, not 9"):
        solve_many(deals)

    assert solve_many(deals[:0]).shape == (0, 20)


def test_the_library_has_the_threads_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(dds, "_threads", [0])
    monkeypatch.setattr(dds, "available", lambda: 4)
    monkeypatch.setattr(dds, "_library", lambda: SimpleNamespace(SetMaxThreads=asked.append))
    for most in (4, 1, 1, 3, 9, 4):
        dds._limit_threads(most)
    assert asked == [1, 3, 0]
