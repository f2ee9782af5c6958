"""Check the blocks of an archive in sequence, each against the blocks before it."""

from __future__ import annotations

from dataclasses import dataclass, field

from pavcodec.archive.block_codec import BlockCodec
from pavcodec.archive.container import BlockType, Entry, Head, Kind, parse_end, parse_entries
from pavcodec.arrays.words.limbs import Limbs, integer
from pavcodec.errors import ReadError

__all__ = ["BlockSequence"]


@dataclass
class BlockSequence:
    """The state of reading an archive from its start: the place, and the next index's content."""

    codec: BlockCodec
    place: int
    """The offset of the next block."""
    boards: int = 0
    """The number of boards so far."""
    ended: bool = False
    """Whether the last block was an end, so that the archive may end here."""
    _last: int = -1
    _index: int = 0
    _previous: int = 0
    _entries: list[Entry] = field(default_factory=list)

    @property
    def last_entry(self) -> Entry:
        """The entry of the last block of boards."""
        return self._entries[-1]

    def take(self, head: Head, payload: bytes) -> Limbs | None:
        """Check the next block, and return its numbers if it is a block of boards.

        Raise `ReadError` if its checksum is wrong or if it contradicts the blocks before it.
        """
        self.codec.check_head(head)
        if not head.fits(payload):
            raise ReadError("its checksum is wrong")
        numbers = None
        is_next = not self._index or head.type is BlockType.END
        if not is_next:
            raise ReadError("an end block must follow an index")
        if head.type is BlockType.BOARDS:
            numbers = self._take_boards(head, payload)
        elif head.type is BlockType.INDEX:
            self._take_index(head, payload)
        else:
            self._take_end(payload)
        self.ended = head.type is BlockType.END
        self.place += head.size
        return numbers

    def skip(self, head: Head, payload: bytes) -> None:
        """Continue after a block with a correct checksum that contradicts the blocks before it."""
        if head.type is BlockType.INDEX:
            self._index, self._entries = self.place, []
        elif head.type is BlockType.END:
            end = parse_end(payload)
            self._previous, self._index, self.boards = end.index, 0, end.boards
        self.ended = head.type is BlockType.END
        self.place += head.size

    def _take_boards(self, head: Head, payload: bytes) -> Limbs:
        numbers = self.codec.numbers(head, payload)
        first = integer(numbers[0]) if self.codec.is_sorted else 0
        if self.codec.is_sorted:
            if first < self._last + (self.codec.kind is Kind.SET):
                raise ReadError("its numbers do not follow those before it in order")
            self._last = integer(numbers[-1])
        self._entries.append(Entry(head.size, head.count, head.checksum, first))
        self.boards += head.count
        return numbers

    def _take_index(self, head: Head, payload: bytes) -> None:
        data, copy = payload[: head.numbers_size], payload[head.numbers_size :]
        previous, entries = parse_entries(data, head.count, self.codec.sorted_below)
        if copy != self.codec.header:
            raise ReadError("its copy of the header differs from the header")
        if previous != self._previous or entries != self._entries:
            raise ReadError("it does not agree with the blocks before it")
        self._index = self.place
        self._entries = []

    def _take_end(self, payload: bytes) -> None:
        end = parse_end(payload)
        if not self._index or (end.index, end.boards) != (self._index, self.boards):
            raise ReadError("it does not agree with the blocks before it")
        self._previous, self._index = self._index, 0
