"""Double-dummy tricks: the tricks of each declarer in each strain when all cards are visible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from pavcodec.cards import HAND_SIZE, Seat, Strain
from pavcodec.errors import LayoutError, shown

if TYPE_CHECKING:
    from pavcodec.symmetry import Permutation

__all__ = ["TrickTable"]

_TABLE_SIZE = len(Strain) * len(Seat)


@dataclass(frozen=True)
class TrickTable:
    """The tricks of 20 contracts: five strains, and in each the declarers N E S W.

    `tricks` has 20 bytes of 0 to 13, by strain NT S H D C and within a strain by seat N E S W.
    Raises `LayoutError` for other bytes, and `TypeError` for a value that is not bytes.

    >>> table = TrickTable(bytes([7, 6, 7, 6] + [8, 5, 8, 5] * 4))
    >>> table["N", "NT"], table["W", "S"]
    (7, 5)
    >>> print(table)
    N:7,8,8,8,8 E:6,5,5,5,5 S:7,8,8,8,8 W:6,5,5,5,5
    """

    tricks: bytes

    def __post_init__(self) -> None:
        try:
            tricks = bytes(memoryview(self.tricks))
        except TypeError:
            raise TypeError(f"tricks are bytes, not {type(self.tricks).__name__!r}") from None
        if len(tricks) != _TABLE_SIZE or max(tricks) > HAND_SIZE:
            raise LayoutError(
                f"a trick table has {_TABLE_SIZE} numbers of 0 to {HAND_SIZE}, not {list(tricks)}"
            )
        object.__setattr__(self, "tricks", tricks)

    @classmethod
    def unchecked(cls, tricks: bytes) -> Self:
        """Return a table of tricks that are known to be valid."""
        table = object.__new__(cls)
        object.__setattr__(table, "tricks", tricks)
        return table

    __iter__ = None

    def __getitem__(self, contract: tuple[Seat | int | str, Strain | int | str]) -> int:
        """Return the tricks of a declarer in a strain, as in `table["N", "NT"]`."""
        if not isinstance(contract, tuple) or len(contract) != 2:
            raise TypeError(
                f"a contract is a seat and a strain, as in 'N', 'NT', not {shown(contract)}"
            )
        declarer, strain = contract
        return self.tricks[Strain.of(strain) * len(Seat) + Seat.of(declarer)]

    def permuted(self, permutation: Permutation) -> Self:
        """Return the tricks of the same cards under the new suit and seat names of a permutation.

        Raises `LayoutError` if the seats do not keep their order around the table: then another
        seat plays after the declarer's left-hand opponent, and the tricks are different.

        >>> from pavcodec.symmetry import Permutation
        >>> table = TrickTable(bytes([7, 6, 7, 6] + [8, 5, 8, 5] * 4))
        >>> print(table.permuted(Permutation((1, 0, 2, 3), (1, 2, 3, 0))))
        N:6,5,5,5,5 E:7,8,8,8,8 S:6,5,5,5,5 W:7,8,8,8,8
        """
        from pavcodec.symmetry import check_permutation

        check_permutation(permutation)
        if not permutation.is_turn:
            raise LayoutError(
                "double-dummy tricks stay the same only if the seats keep their order around the "
                f"table, but here {permutation}; use a symmetry of turns"
            )
        return self.unchecked(permutation.tricks(self.tricks))

    def __str__(self) -> str:
        return " ".join(
            seat.letter + ":" + ",".join(str(self[seat, strain]) for strain in Strain)
            for seat in Seat
        )
