"""What the tests of the container share."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from functools import cache

from pavcodec import (
    Archive,
    Board,
    ConstrainedDeals,
    Deal,
    Layout,
    endings,
    expression,
    numbering,
    write_archive,
)
from pavcodec.archive.spaces import SpaceLike

DEALS = numbering("deal")
KINDS = ("ordered", "set", "multiset")


@cache
def some_deals(count: int, seed: int = 7) -> tuple[Deal, ...]:
    """Random deals."""
    return tuple(DEALS.sample(count, seed=seed))


def some_boards() -> list[Layout | Board]:
    """Boards of every part of the space of all boards, in no order."""
    solo = Layout.from_pbn("N:AKQJT98765432.A.. .K.. - -")
    return [
        *some_deals(3),
        numbering("balanced")[-1],
        Layout.from_pbn("N:AK.Q.. - .32.4. -"),
        Board(None),
        solo,
        some_deals(1)[0],
        Board(None),
        *some_deals(2, seed=8),
    ]


def packed(
    boards: Iterable[Layout | Board],
    kind: str = "ordered",
    space: SpaceLike = "deal",
    *,
    all: bool = False,
) -> bytes:
    """The bytes of an archive of boards."""
    stream = io.BytesIO()
    write_archive(boards, stream, kind=kind, space=space, all=all)
    return stream.getvalue()


def layouts_of(boards: Iterable[Layout | Board]) -> list[Layout | None]:
    """The cards of boards and layouts."""
    return [board.layout if isinstance(board, Board) else board for board in boards]


def in_order(layouts: Sequence[Deal], kind: str) -> list[Layout | None]:
    """What an archive of a kind gives back of deals: the definition."""
    if kind == "ordered":
        return list(layouts)
    chosen = layouts if kind == "multiset" else set(layouts)
    return [DEALS[number] for number in sorted(map(DEALS.rank, chosen))]


def opened(data: bytes) -> Archive:
    """An archive in memory."""
    return Archive(data, "x.pav")


CONSTRAINED = ConstrainedDeals.of(expression("hcp(south) >= 37"))  # counted at the first use
ENDINGS = endings("hcp(west) == 7", cards=2)
