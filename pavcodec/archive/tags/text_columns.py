"""Columns of texts as bytes: a sequence of items, some of which are repeat counts.

An item is the text of a value in UTF-8, or a rule that computes the value, or a count of repeats.
Four bytes that never occur in UTF-8 separate them, so texts need no escapes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pavcodec.errors import ReadError

__all__ = [
    "END",
    "LINE",
    "REPEAT",
    "RULE",
    "ItemReader",
    "decode_text",
    "encode_text",
    "fold",
    "itself",
]

RULE = b"\xfc"
"""Starts an item that is a rule; its parameter follows."""
REPEAT = b"\xfd"
"""Starts an item that repeats the previous one: a count, or nothing for "to the end"."""
LINE = b"\xfe"
"""Precedes each line of a tag, and each name of the dictionary."""
END = b"\xff"
"""Ends each item."""

_LONGEST_COUNT = 9  # digits


def encode_text(text: str) -> bytes:
    r"""Return a text in UTF-8, with lone surrogates of a `str` in the same form.

    >>> encode_text("Dvo\u0159\xe1k"), encode_text("\ud800")
    (b'Dvo\xc5\x99\xc3\xa1k', b'\xed\xa0\x80')
    """
    return text.encode("utf-8", "surrogatepass")


def decode_text(data: bytes) -> str:
    """Return the text of UTF-8 bytes; raise `ReadError` if they are not UTF-8."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise ReadError(f"metadata: a text is not UTF-8 at its byte {error.start}") from None


def itself(item: bytes) -> bytes:
    """Return an item unchanged: a repeat after it repeats this item.

    >>> itself(b"Club")
    b'Club'
    """
    return item


def fold(
    runs: Iterable[tuple[bytes, int]], before: bytes, after: Callable[[bytes], bytes] = itself
) -> list[bytes]:
    r"""Return the items of a column with repeats, from items with their multiplicities.

    `before` is the implicit item before the first one. `after` returns the item that a repeat after
    an item repeats, usually the item itself.

    >>> fold([(b"?", 2), (b"a", 3), (b"b", 1)], b"?")
    [b'\xfd2', b'a', b'\xfd2', b'b']
    >>> fold([(b"a", 1), (b"a", 1)], b"?")
    [b'a', b'\xfd']
    """
    folded: list[bytes] = []
    run = 0
    for item, times in runs:
        left = times
        while left and item != before:
            if run:
                folded.append(REPEAT + b"%d" % run)
                run = 0
            folded.append(item)
            before = after(item)
            left -= 1
        run += left
    return [*folded, REPEAT] if run else folded


class ItemReader:
    """Reads the items of a body, column after column.

    A body may omit its last columns; the missing values repeat the item before them.
    """

    def __init__(self, body: bytes) -> None:
        self._items = body.split(END)
        if self._items.pop():
            raise ReadError("metadata: the last item has no end")
        self._place = 0

    @property
    def at_end(self) -> bool:
        """Whether all items are read."""
        return self._place == len(self._items)

    def take(self) -> bytes:
        """Return the next item; there must be one."""
        self._place += 1
        return self._items[self._place - 1]

    def unfold(
        self, count: int, before: bytes, after: Callable[[bytes], bytes] = itself
    ) -> Iterator[tuple[bytes, int]]:
        """Yield the items of a column of `count` values, each with its multiplicity."""
        while count:
            item = REPEAT if self.at_end else self.take()
            if item[:1] == REPEAT:
                run = self._run(item[1:], count)
                yield before, run
            else:
                run = 1
                yield item, run
                before = after(item)
            count -= run

    def _run(self, digits: bytes, most: int) -> int:
        """Return the number of repeats in an item."""
        if not digits:
            return most
        run = int(digits) if digits.isdigit() and len(digits) <= _LONGEST_COUNT else 0
        if not 0 < run < most:
            raise ReadError(f"metadata: a run of {digits[:20]!r} values where {most} are left")
        return run
