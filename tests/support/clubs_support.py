"""What the tests of the formats of clubs share: their names and sizes, and files of Big Deal."""

from __future__ import annotations

from collections.abc import Iterable

from oracles import FIXTURES

from pavcodec import Board

ORDERED = ("bri", "dge", "ber", "rzd", "goe")
"""Formats that have the deals in order, and no numbers."""
NUMBERED = ("dlm", "dup", "bhg", "cds", "hrf", "csv")
CLUBS = (*NUMBERED, *ORDERED)
SIZES = {"bri": 128, "dge": 128, "dup": 156, "ber": 52, "rzd": 13, "cds": 14, "hrf": 128}


def bdset36(name: str) -> bytes:
    """The file of Big Deal in a format."""
    return (FIXTURES / "formats" / f"bdset36.{name}").read_bytes()


def deals_in(boards: Iterable[Board]) -> list[object]:
    return [board.layout for board in boards]
