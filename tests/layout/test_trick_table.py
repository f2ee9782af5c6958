"""Double-dummy tricks as a value, and the strains that name its columns."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from records_support import trick_tables

import pavcodec as pav
from pavcodec import LayoutError, Seat, Strain, TrickTable, UnknownNameError

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


@pytest.mark.parametrize("tricks", [20, "7" * 20, [7] * 20, None])
def test_tricks_are_bytes(tricks: bytes) -> None:
    with pytest.raises(TypeError, match="tricks are bytes, not"):
        TrickTable(tricks)


def test_a_table_keeps_its_own_bytes_and_cannot_be_changed() -> None:
    buffer = bytearray([7] * 20)
    table = TrickTable(buffer)  # type: ignore[arg-type]  # any buffer is taken
    buffer[0] = 13
    assert (table["N", "NT"], type(table.tricks)) == (7, bytes)
    with pytest.raises(FrozenInstanceError):
        table.tricks = bytes(20)  # type: ignore[misc]  # what a caller may do wrong
    with pytest.raises(TypeError):
        table["N", "NT"] = 5  # type: ignore[index]  # what a caller may do wrong


def test_unknown_contracts() -> None:
    with pytest.raises(UnknownNameError, match="expected N, E, S or W"):
        COUNTED["X", "NT"]
    with pytest.raises(UnknownNameError, match="expected NT, S, H, D or C"):
        COUNTED["N", "X"]
    for wrong in (("N", 1.0), (1.0, "NT"), (None, "NT"), ("N", None)):
        with pytest.raises(TypeError):
            COUNTED[wrong]  # type: ignore[index]  # what a caller may do wrong


STRAINS = {
    Strain.NOTRUMP: ["NT", "nt", "N", "n", "notrump", "NoTrump", " NT "],
    Strain.SPADES: ["S", "s", "spades", "SPADES", "\ts\n"],
    Strain.HEARTS: ["H", "h", "Hearts"],
    Strain.DIAMONDS: ["D", "d", "diamonds"],
    Strain.CLUBS: ["C", "c", "Clubs"],
}


@pytest.mark.parametrize(("strain", "texts"), STRAINS.items())
def test_strains_by_letter_and_name(strain: Strain, texts: list[str]) -> None:
    assert [Strain.parse(text) for text in texts] == [strain] * len(texts)
    assert Strain.parse(strain.letters) is strain


@pytest.mark.parametrize("text", ["", "X", "NTS", "SA", "♠♠", "T", "0", "N T"])
def test_what_is_no_strain(text: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        Strain.parse(text)
    assert str(caught.value) == f"no strain is called {text!r}; expected NT, S, H, D or C"


def test_the_order_of_the_strains() -> None:
    assert [strain.letters for strain in Strain] == ["NT", "S", "H", "D", "C"]
    assert list(map(int, Strain)) == [0, 1, 2, 3, 4]
