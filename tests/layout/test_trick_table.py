"""Double-dummy tricks as a value, and the strains that name its columns."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from records_support import trick_tables

import pavcodec as pav
from pavcodec import LayoutError, Seat, Strain, TrickTable

COUNTED = TrickTable(bytes([*range(14), *range(6)]))


@pytest.mark.parametrize(
    ("seat", "strain", "tricks"),
    [
        ("N", "NT", 0), ("E", "NT", 1), ("S", "NT", 2), ("W", "NT", 3),
        ("N", "S", 4), ("W", "S", 7), ("N", "H", 8), ("E", "D", 13), ("N", "C", 2), ("W", "C", 5),
    ],
)  # fmt: skip
def test_tricks_lie_by_strain_and_within_it_by_seat(seat: str, strain: str, tricks: int) -> None:
    declarer, found = Seat.parse(seat), Strain.parse(strain)
    assert COUNTED[seat, strain] == COUNTED[declarer, found] == tricks
    assert COUNTED[int(declarer), int(found)] == COUNTED[seat.lower(), found.name] == tricks
    assert COUNTED[declarer.name, strain.lower()] == tricks


@given(table=trick_tables())
def test_the_text_has_every_number(table: TrickTable) -> None:
    rows = [row.partition(":") for row in str(table).split(" ")]
    assert [seat for seat, _, _ in rows] == ["N", "E", "S", "W"]
    for seat, _, row in rows:
        numbers = [int(word) for word in row.split(",")]
        assert numbers == [table[seat, strain] for strain in ("NT", "S", "H", "D", "C")]


@pytest.mark.slow
@given(table=trick_tables())
def test_a_table_survives_repr_pickle_and_copy(table: TrickTable) -> None:
    assert eval(repr(table), vars(pav)) == table  # noqa: S307 (our own repr)
    for twin in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
        assert twin == table
        assert hash(twin) == hash(table)
    others: list[object] = [table.tricks, str(table), None]
    assert table not in others
    assert len({table, TrickTable(bytes(list(table.tricks)))}) == 1


@pytest.mark.parametrize(
    "tricks", [b"", bytes(19), bytes(21), bytes([14]) + bytes(19), bytes(19) + b"\xff"]
)
def test_a_table_has_twenty_numbers_up_to_thirteen(tricks: bytes) -> None:
    with pytest.raises(LayoutError, match="a trick table has 20 numbers of 0 to 13") as caught:
        TrickTable(tricks)
    assert str(list(tricks)) in str(caught.value)


def test_a_table_keeps_its_own_bytes_and_cannot_be_changed() -> None:
    buffer = bytearray([7] * 20)
    table = TrickTable(buffer)  # type: ignore[arg-type]  # any buffer is taken
    buffer[0] = 13
    assert (table["N", "NT"], type(table.tricks)) == (7, bytes)
    with pytest.raises(FrozenInstanceError):
        table.tricks = bytes(20)  # type: ignore[misc]  # what a caller may do wrong
    with pytest.raises(TypeError):
        table["N", "NT"] = 5  # type: ignore[index]  # what a caller may do wrong
