"""The metadata column: all tags and lines of a block of boards, without the cards, in few bytes.

The column consists of smaller columns: the list of tag names of each board, then the values of each
name. A tag that follows from the board number or the cards is stored as a rule, repetition as a
count, any other value as text. Then all is compressed. The page `archive/metadata` of the
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
    """Return the tags and lines of some boards as bytes; a block has some thousand boards.

    Raise `PavError` if they have more than `MOST_PARTS` tags and lines, or more than `MOST_BYTES`
    of text; a block of fewer boards solves this.

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
            f"metadata: {parts} tags and lines, more than the {MOST_PARTS} of a column; "
            "write fewer boards a block"
        )
    return seal(build_body(boards), len(boards))


def decode_metadata(data: bytes, layouts: Sequence[Layout | None]) -> list[Board]:
    """Return the boards of a metadata column, equal to the encoded ones.

    `layouts` are the cards of the encoded boards, None for a board without cards. Raise `ReadError`
    unless the bytes are those of `encode_metadata` for boards with these layouts.

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
    """Return the numbers, dealers and vulnerabilities of boards as bytes; None if there are none.

    The result contains the first tags Board, Dealer and Vulnerable of each board with their values
    and in their order. It does not contain lines after them, later tags of these names and all
    other tags. If the board numbers count up and the other tags follow the usual cycle, it has
    about 5 to 15 bytes for any number of boards.

    >>> boards = [Board(None, (Tag("Board", str(number)),)) for number in range(1, 9)]
    >>> len(encode_rules(boards)), encode_rules([Board(None)])
    (8, None)
    """
    kept = [Board(board.layout, _cycle_tags(board)) for board in boards]
    return encode_metadata(kept) if any(board.entries for board in kept) else None


def decode_rules(data: bytes, layouts: Sequence[Layout | None]) -> list[Board]:
    """Return boards with the tags of `encode_rules`.

    Raise `ReadError` unless the bytes are those of `encode_rules` for boards with these layouts.

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
    """Raise `ReadError` if a board has tags that `encode_rules` does not store.

    >>> check_rules(Board.make(None, number=7))
    """
    if board.entries != _cycle_tags(board):
        raise ReadError("metadata: other tags than board number, dealer and vulnerability")


def _cycle_tags(board: Board) -> tuple[Tag, ...]:
    """Return the first tags of number, dealer and vulnerability, without their lines."""
    return tuple(Tag(name, value) for name, value in board.tags.items() if name in _CYCLE_NAMES)
