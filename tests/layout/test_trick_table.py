"""Double-dummy tricks as a value, and the strains that name its columns."""

from __future__ import annotations

import copy
import pickle
from itertools import product

import pytest
from hypothesis import given
from records_support import trick_tables

import pavcodec as pav
from pavcodec import LayoutError, Seat, Strain, TrickTable

COUNTED = TrickTable(bytes([*range(14), *range(6)]))


def test_tricks_lie_by_strain_and_within_it_by_seat() -> None:
    assert str(COUNTED) == "N:0,4,8,12,2 E:1,5,9,13,3 S:2,6,10,0,4 W:3,7,11,1,5"
    for place, (strain, seat) in enumerate(product(Strain, Seat)):
        letters = seat.letter.lower(), strain.letters
        for key in ((seat, strain), (int(seat), int(strain)), (seat.name, strain.name), letters):
            assert COUNTED[key] == COUNTED.tricks[place]


@pytest.mark.slow
@given(table=trick_tables())
def test_a_table_survives_repr_pickle_and_copy(table: TrickTable) -> None:
    assert eval(repr(table), vars(pav)) == table  # noqa: S307 (our own repr)
    for twin in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
        assert twin == table
        assert hash(twin) == hash(table)


@pytest.mark.parametrize("tricks", [b"", bytes(21), bytes([14]) + bytes(19)])
def test_a_table_has_twenty_numbers_up_to_thirteen(tricks: bytes) -> None:
    with pytest.raises(LayoutError, match="a trick table has 20 numbers of 0 to 13") as caught:
        TrickTable(tricks)
    assert str(list(tricks)) in str(caught.value)
