"""The metadata column: everything that a block of boards holds but the cards, in few bytes.

The tags of a block are kept by columns: the list of tag names of each board, then the values of
each name. What follows from the board number or from the cards is written as a rule, what repeats
as a count, the rest as text; then the whole is compressed. The page `archive/metadata` of the
documentation specifies the bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

from pavcodec.archive.tags.envelope import MOST_BYTES, open_envelope, seal
from pavcodec.archive.tags.tag_columns import MOST_PARTS, build_body, count_parts, read_body
from pavcodec.boards.board import Board, Tag
from pavcodec.errors import PavError, ReadError
from pavcodec.layout import Layout

__all__ = [
    "MOST_BYTES",
    "MOST_PARTS",
    "check_rules",
    "decode_metadata",
    "decode_rules",
    "encode_metadata",
    "encode_rules",
]

_CYCLE_NAMES = frozenset(("Board", "Dealer", "Vulnerable"))


def encode_metadata(boards: Sequence[Board]) -> bytes:
    """Return everything that some boards hold but their cards; a block has some thousand boards.

    Raises `PavError` where they have more than `MOST_PARTS` tags and lines, or more than
    `MOST_BYTES` of text: then fewer boards belong into a block.

    >>> from pavcodec import numbering
    >>> deals = numbering("deal")
    >>> boards = [Board.make(deals[i], number=i, tags={"Event": "Club"}) for i in range(1, 1000)]
    >>> data = encode_metadata(boards)
    >>> len(data), decode_metadata(data, [board.layout for board in boards]) == boards
    (18, True)
    """
    parts = count_parts(boards)
    if parts > MOST_PARTS:
        raise PavError(
            f"metadata: {parts} tags and lines, more than the {MOST_PARTS} that one column takes; "
            "write fewer boards a block"
        )
    return seal(build_body(boards), len(boards))


def decode_metadata(data: bytes, layouts: Sequence[Layout | None]) -> list[Board]:
    """Return the boards of a metadata column, equal to those that it was made of.

    `layouts` are their cards, None for a board without; they must be those of the boards that were
    encoded. Raises `ReadError` for any other bytes than `encode_metadata` makes of such boards.

    >>> decode_metadata(encode_metadata([Board.make(None, number=7)])[:-1], [None])
    Traceback (most recent call last):
        ...
    pavcodec.errors.ReadError: metadata: damaged, or not of 1 boards: the checksum is another
    """
    body = open_envelope(data, len(layouts))
    boards = read_body(body, layouts)
    if count_parts(boards) > MOST_PARTS:
        raise ReadError(f"metadata: more than {MOST_PARTS} tags and lines")
    return boards


def encode_rules(boards: Sequence[Board]) -> bytes | None:
    """Return the number, the dealer and the vulnerability of some boards; None if none has any.

    Kept are the first tag Board, the first tag Dealer and the first tag Vulnerable of each board,
    with their values as they stand and in their order. Lines that follow them, second tags of
    these names and all other tags are not kept. Where the board numbers count up and the rest
    follows the usual cycle, that takes some 5 to 15 bytes, however many boards there are.

    >>> boards = [Board(None, (Tag("Board", str(number)),)) for number in range(1, 9)]
    >>> len(encode_rules(boards)), encode_rules([Board(None)])
    (8, None)
    """
    kept = [Board(board.layout, _cycle_tags(board)) for board in boards]
    return encode_metadata(kept) if any(board.entries for board in kept) else None


def decode_rules(data: bytes, layouts: Sequence[Layout | None]) -> list[Board]:
    """Return boards with the tags that `encode_rules` keeps.

    Raises `ReadError` for any other bytes than it makes of boards with such layouts.

    >>> decode_rules(encode_rules([Board.make(None, number=7, tags={"Event": "Club"})]), [None])
    [Board(None, (Tag(name='Board', value='7', lines=()),))]
    """
    boards = decode_metadata(data, layouts)
    if not any(board.entries for board in boards):
        raise ReadError("metadata: other tags than board number, dealer and vulnerability, or none")
    for board in boards:
        check_rules(board)
    return boards


def check_rules(board: Board) -> None:
    """Raise `ReadError` for a board with tags that `encode_rules` does not keep.

    >>> check_rules(Board.make(None, number=7))
    """
    if board.entries != _cycle_tags(board):
        raise ReadError("metadata: other tags than board number, dealer and vulnerability")


def _cycle_tags(board: Board) -> tuple[Tag, ...]:
    """Return the first tags that tell number, dealer and vulnerability, without their lines."""
    return tuple(Tag(name, value) for name, value in board.tags.items() if name in _CYCLE_NAMES)
