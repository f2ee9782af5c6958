"""The owners of PBN files: the layouts that `read_pbn` gives, as arrays.

Rule 1: `read_pbn` is the definition. A loop reads stretches of plain games that inherit nothing and
        whose deals are strictly right or unknown.
Rule 2: at any other game, or while a comment is open or a tag stands, `PbnReader` goes on, for one
        stretch of text at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from pavcodec.formats.batch_readers import Rows
from pavcodec.formats.board import Context
from pavcodec.formats.pbn import PbnReader
from pavcodec.formats.pbn_games import Comments, Game, Stretches, text_blocks
from pavcodec.formats.text import decode, unify_line_ends
from pavcodec.kernels.reading import read_games

if TYPE_CHECKING:
    from pavcodec.kernels.rows import Owners

__all__ = ["read_pbn_owners"]


def read_pbn_owners(stream: BinaryIO, context: Context) -> Iterator[Owners]:
    """Yield the owners of a PBN stream; problems are reported and reading goes on after them."""
    reader = _OwnersReader(context)
    return reader.rows.all_of(reader.read(stream))


class _OwnersReader:
    """Reads plain games in a loop, and others one by one."""

    def __init__(self, context: Context) -> None:
        self.rows = Rows()
        self._context = context
        self._stretches = Stretches()
        self._comments = Comments(context)
        self._reader = PbnReader(context)
        self._last = b""  # the last plain game, if no other came after it

    def read(self, stream: BinaryIO) -> Iterator[Owners]:
        """Yield full rows."""
        for data in text_blocks(stream, self._context, unified=False):
            self._stretches.add(data)
            yield from self._read_whole_games()
        stretch = self._stretches.last()
        if stretch is not None:
            yield from self._read_games(self._comments.join(stretch))
        yield from self._read_games(self._comments.end())

    def _read_whole_games(self) -> Iterator[Owners]:
        """Read the games that are known to be whole."""
        while True:
            yield from self._read_plain_games()
            self._stretches.unify()
            stretch = self._stretches.next()
            if stretch is None:
                return
            yield from self._read_games(self._comments.join(stretch))

    def _read_plain_games(self) -> Iterator[Owners]:
        """Read on in a loop, up to a game that is not plain."""
        text, rows = self._stretches, self.rows
        while not (self._comments.is_open or self._reader.has_to_give):
            found = read_games(text.rest, text.start, text.rest.rfind(b"\n") + 1, rows.room)
            if found.games:
                self._last = text.rest[found.last]
            self._context.leave_out(found.games - found.rows)
            text.skip(found.end, found.lines)
            rows.wrote(found.rows)
            if not rows.are_full:
                return
            yield rows.hand_on()

    def _read_games(self, games: Iterator[Game]) -> Iterator[Owners]:
        """Read games one by one; the last plain one is that before them."""
        if self._last:
            self._reader.remember(decode(unify_line_ends(self._last)))
            self._last = b""
        yield from self.rows.add(self._reader.read(games), self._context)
