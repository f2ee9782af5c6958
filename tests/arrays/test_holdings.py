"""Owners to holdings: what the loop writes is what each seat holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import deals, layouts, sparse_layouts

from pavcodec import Layout
from pavcodec.arrays.owners.holdings import write_holdings

RANKS = "AKQJT98765432"


def written(owners: list[bytes]) -> tuple[int, Any]:
    """The first row that is wrong, and row by row what each seat holds, as ranks."""
    rows = np.frombuffer(b"".join(owners), np.uint8).reshape(-1, 52).copy()
    holdings = np.full((4, 4, len(rows)), 2**16 - 1, np.uint16)
    wrong = write_holdings(rows, holdings)
    names = [
        [
            [
                "".join(rank for bit, rank in enumerate(reversed(RANKS)) if mask >> bit & 1)[::-1]
                for mask in suits
            ]
            for suits in seats
        ]
        for seats in holdings.transpose(2, 0, 1).tolist()
    ]
    return wrong, names


@settings(deadline=None)  # the first example compiles
@given(st.lists(deals() | layouts() | sparse_layouts(), max_size=5))
def test_what_each_seat_holds(some: list[Layout]) -> None:
    wrong, names = written([layout.owners for layout in some])
    assert wrong == -1
    assert names == [
        [
            [
                "".join(
                    rank
                    for card, rank in enumerate(RANKS, start=13 * suit)
                    if layout.owners[card] == seat
                )
                for suit in range(4)
            ]
            for seat in range(4)
        ]
        for layout in some
    ]


@pytest.mark.parametrize("owner", [5, 7, 8, 12, 255])
@pytest.mark.parametrize("card", [0, 12, 13, 51])
def test_the_first_row_with_an_owner_that_is_none(owner: int, card: int) -> None:
    good = bytes(52)
    bad = bytearray(good)
    bad[card] = owner
    assert written([good, good, bytes(bad), good, bytes(bad)])[0] == 2
    assert written([bytes(bad)])[0] == 0
