"""The metadata column: nothing lost, few bytes, and no harm from any bytes."""

from __future__ import annotations

import doctest
import io
import re
import time
import tracemalloc
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import pytest
from formats_support import DEAL, ENDING, PBN_LINES, write_bytes
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import deals, layouts, sparse_layouts

import pavcodec
from pavcodec import Layout, TrickTable, numbering, numbering_names
from pavcodec.archive.tags import columns as tag_columns
from pavcodec.archive.tags.columns import (
    END,
    KNOWN_NAMES,
    LINE,
    MOST_PARTS,
    REPEAT,
    RULE,
    assemble,
    read_body,
    spell,
)
from pavcodec.archive.tags.metadata import (
    MOST_BYTES,
    TagRows,
    cycle_tags,
    decode_metadata,
    decode_rules,
    encode_metadata,
    seal,
)
from pavcodec.boards.board import Board, Context, Tag
from pavcodec.errors import PavError, ReadError
from pavcodec.formats.pbn.reader import read_pbn

TABLE = TrickTable(bytes(range(10)) * 2)
DIGITS = "".join(f"{TABLE[seat, strain]:x}" for seat in "NSEW" for strain in ("NT", *"SHDC"))


def likely_tags() -> st.SearchStrategy[Tag]:
    """Tags that rules know, with values that follow from something, or nearly."""
    number = st.integers(0, 20).map(str) | st.sampled_from(["", "01", "1-1", "9" * 18, "9" * 19])
    identity = st.builds(
        "{}:{}".format, st.sampled_from([*numbering_names(), "x"]), st.integers(0, 9)
    )
    table = Board.make(None, tricks=TABLE).entries[0]
    return st.one_of(
        st.builds(Tag, st.just("Board"), number),
        st.builds(Tag, st.just("Dealer"), st.sampled_from(["N", "E", "S", "W", "?", ""])),
        st.builds(Tag, st.just("Vulnerable"), st.sampled_from(["None", "NS", "EW", "All", "Both"])),
        st.builds(Tag, st.just("Deal"), st.sampled_from([DEAL, ENDING, "N:... ... ... ...", "N"])),
        st.builds(Tag, st.just("DealId"), identity),
        st.sampled_from(
            [Tag("DoubleDummyTricks", DIGITS), table, Tag(table.name, "", table.lines)]
        ),
        st.builds(Tag, st.sampled_from(KNOWN_NAMES), st.just("?")),
    )


def any_tags() -> st.SearchStrategy[Tag]:
    """Tags of any text at all, lone surrogates and NUL included."""
    text = st.text(st.characters(), max_size=6) | st.sampled_from(PBN_LINES)
    name = st.sampled_from(KNOWN_NAMES) | text
    return st.builds(Tag, name, text, st.lists(text, max_size=3).map(tuple))


def any_boards() -> st.SearchStrategy[list[Board]]:
    """Boards of any tags, many of which follow from the rest."""
    cards = st.none() | deals() | layouts() | sparse_layouts()
    tags = st.lists(likely_tags() | any_tags(), max_size=6).map(tuple)
    boards = st.lists(st.builds(Board, cards, tags), max_size=8)
    return boards.flatmap(lambda some: st.lists(st.sampled_from(some), max_size=20) if some
                          else st.just([]))  # fmt: skip


def layouts_of(boards: list[Board]) -> list[Layout | None]:
    return [board.layout for board in boards]


def tagged(*values: str, name: str = "Board") -> list[Board]:
    return [Board(None, (Tag(name, value),)) for value in values]


def whole_boards(count: int, first: int = 1) -> list[Board]:
    """Boards as `deal` makes them, read from PBN."""
    space = numbering("deal")
    boards = []
    for number in range(first, first + count):
        deal = space[number * 10**24]
        tags = {"Generator": "pavcodec seed=1", "DealId": f"deal:{space.rank(deal)}"}
        boards.append(Board.make(deal, number=number, tags=tags))
    return list(read_pbn(io.BytesIO(write_bytes(boards)), Context("event.pbn")))


def one_by_one(data: bytes, cards: list[Layout | None]) -> list[Board]:
    """Read each board without the others."""
    rows = TagRows(data, len(cards))
    return [rows.board(row, layout) for row, layout in enumerate(cards)]


@pytest.mark.slow
@given(any_boards())
@example(tagged("", name="Event"))
@example(tagged("1", "1", "2", "2", "31", "32", "33", "33", "x", "x", "1", "0", "0"))
@example(tagged("9" * 18, "1" + "0" * 18, "9" * 17, "1" + "0" * 17))
@example(tagged("a", "", name="Result"))
@example([Board(None, (Tag("", ""),))])
@example([Board(None), Board(None, (Tag("\ud800", "\udc00\ud800", ("\0",)),))])
def test_what_is_encoded_is_decoded_equal(boards: list[Board]) -> None:
    data = encode_metadata(boards)
    assert decode_metadata(data, layouts_of(boards)) == boards
    assert one_by_one(data, layouts_of(boards)) == boards
    with patch.object(tag_columns, "identities", lambda *_: None):  # board by board
        assert encode_metadata(boards) == data
        assert decode_metadata(data, layouts_of(boards)) == boards


@cache
def reader_of_the_page() -> Callable[[bytes, list[Layout | None]], list[list[object]]]:
    """Return the reader that the documentation gives, which shares nothing with the package's."""
    page = Path(__file__).parents[2] / "docs" / "archive" / "format.md"
    names: dict[str, Any] = {"pav": pavcodec}
    for shown in doctest.DocTestParser().get_examples(page.read_text(encoding="utf-8")):
        if shown.source.startswith(("def ", "NAMES", "START", "TEXT", "import lzma")):
            exec(shown.source, names)  # noqa: S102 (our own page)
    return cast("Callable[[bytes, list[Layout | None]], list[list[object]]]", names["read"])


@pytest.mark.slow
@settings(deadline=None)  # the first call reads the page
@given(any_boards())
def test_the_reader_of_the_page_reads_the_same(boards: list[Board]) -> None:
    expected = [[[t.name, t.value, list(t.lines)] for t in board.entries] for board in boards]
    assert reader_of_the_page()(encode_metadata(boards), layouts_of(boards)) == expected


# how few bytes


@pytest.mark.parametrize(("first", "size"), [(1, 5), (8193, 13)])
def test_regular_boards_cost_a_few_bytes_as_rules(first: int, size: int) -> None:
    boards = whole_boards(99, first)
    data = encode_metadata([Board(board.layout, cycle_tags(board)) for board in boards])
    assert len(data) == size
    kept = decode_rules(data, layouts_of(boards))
    facts = [[(b.number, b.dealer, b.vulnerable) for b in some] for some in (boards, kept)]
    assert facts[0] == facts[1]


@pytest.mark.parametrize(("first", "empty"), [("", "-"), ("E", "..."), ("S", "-"), ("W", "-")])
def test_deal_texts_follow_from_the_cards(first: str, empty: str) -> None:
    layout = Layout.from_pbn(ENDING)
    value = re.sub("(?<=[: ])-", empty, layout.to_pbn(first=first or "N"))
    boards = [Board(layout, (Tag("Deal", value),))] * 100
    data = encode_metadata(boards)
    assert len(data) < 20
    assert decode_metadata(data, [layout] * 100) == boards


# what the rules keep


@pytest.mark.slow
@given(any_boards())
def test_rules_keep_the_first_tags_of_the_cycle(boards: list[Board]) -> None:
    names = ("Board", "Dealer", "Vulnerable")
    expected = [
        Board(
            board.layout,
            tuple(Tag(name, value) for name, value in board.tags.items() if name in names),
        )
        for board in boards
    ]
    kept = [Board(board.layout, cycle_tags(board)) for board in boards]
    assert kept == expected
    if any(board.entries for board in kept):
        assert decode_rules(encode_metadata(kept), layouts_of(boards)) == expected


def test_rules_are_of_three_tags() -> None:
    one, event, lines = Tag("Board", "1"), Tag("Event", "Club"), Tag("Board", "1", ("a line",))
    for entries in ((), (one, event), (lines,), (one, one)):
        with pytest.raises(ReadError, match="other tags"):
            decode_rules(encode_metadata([Board(None, entries)]), [None])


# damaged and hostile bytes


def some_data() -> tuple[list[bytes], list[Board]]:
    """Columns of both methods of compression."""
    boards = [*whole_boards(1), *tagged("1-1", "7")]
    many = boards + tagged(*(f"a {i}" for i in range(99)), name="Event")
    return [encode_metadata(boards), encode_metadata(many)], many


@pytest.mark.parametrize("which", [0, 1])
def test_every_cut_and_every_flip_is_refused(which: int) -> None:
    data, boards = some_data()
    layouts = layouts_of(boards) if which else layouts_of(boards)[:3]
    assert data[which][4] == which
    assert decode_metadata(data[which], layouts) == boards[: len(layouts)]
    for end in range(len(data[which])):
        with pytest.raises(ReadError):
            decode_metadata(data[which][:end], layouts)
    for place in range(len(data[which])):
        for bit in range(8):
            damaged = bytearray(data[which])
            damaged[place] ^= 1 << bit
            with pytest.raises(ReadError):
                decode_metadata(bytes(damaged), layouts)
    with pytest.raises(ReadError):
        decode_metadata(data[which] + b"\0", layouts)


def test_other_layouts_are_refused() -> None:
    boards = tagged("1", "2-2", "3")
    for count in (0, 1, 2, 4):
        with pytest.raises(ReadError, match=f"not of {count} boards"):
            decode_metadata(encode_metadata(boards), [None] * count)
    with pytest.raises(ReadError, match="does not apply"):
        decode_metadata(encode_metadata(whole_boards(1)), [None])


def body_soup() -> st.SearchStrategy[bytes]:
    """Bodies of what bodies are made of."""
    pieces = [
        END, REPEAT, RULE, LINE, b"", b"?", b"\0\1\2", b"\0", b"\x16", b"0", b"1", b"2", b"deal",
        b"N", b"n", b"Event", b"\xfa", b"\xed\xa0\x80", DIGITS.encode(), b"01",
    ]  # fmt: skip
    return st.lists(st.sampled_from(pieces) | st.binary(max_size=2), max_size=20).map(b"".join)


def assert_refused_or_read(body: bytes, cards: list[Layout | None]) -> None:
    """Check that a body is that of the boards that are read from it, or of none.

    Board by board all that is wrong need not be seen.
    """
    try:
        boards = read_body(body, cards)
    except ReadError:
        with suppress(ReadError):
            one_by_one(seal(body, len(cards)), cards)
        return
    assert assemble(*spell(boards)) == body
    assert one_by_one(seal(body, len(cards)), cards) == boards


@pytest.mark.slow
@given(body_soup(), st.binary(), any_boards(), st.data())
def test_any_body_is_refused_or_what_its_boards_make(
    soup: bytes, other: bytes, boards: list[Board], data: st.DataObject
) -> None:
    for body in (soup, other):
        assert_refused_or_read(body, layouts_of(boards))
    body = assemble(*spell(boards))
    start = data.draw(st.integers(0, len(body)))
    stop = data.draw(st.integers(start, len(body)))
    assert_refused_or_read(body[:start] + soup[:4] + body[stop:], layouts_of(boards))


def checked(contents: bytes, boards: int) -> bytes:
    checksum = zlib.crc32(boards.to_bytes(4, "little") + contents)
    return checksum.to_bytes(4, "little") + contents


BOARDS = 8192
MANY = 6 * MOST_PARTS


def enveloped(size: int, packed: bytes) -> bytes:
    return checked(b"\1" + size.to_bytes(4, "little") + packed, BOARDS)


def packed(body: bytes) -> bytes:
    data = seal(body, BOARDS)
    assert data[4] == 1
    return data[9:]


BOMBS: dict[str, Callable[[], bytes]] = {
    "a giant size": lambda: enveloped(0xFFFFFFFF, b""),
    "more than declared": lambda: enveloped(1000, packed(bytes(1 << 24))),
    "less than declared": lambda: enveloped(MOST_BYTES, packed(bytes(1000))),
    "bytes after the end": lambda: enveloped(1000, packed(bytes(1000)) + b"\0"),
    "many items": lambda: seal(END * MANY, BOARDS),
    "many lines": lambda: seal(LINE * MANY + END, BOARDS),
    "many tags": lambda: seal(END + b"\6" * MANY + END, BOARDS),
    "many tags by rules": lambda: seal(END + b"\4" * MOST_PARTS + END, BOARDS),
    "many lines in many boards": lambda: seal(
        END + b"\6" + END + REPEAT + END + LINE * 1000 + END, BOARDS
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_bombs_cost_little(name: str) -> None:
    data, cards = BOMBS[name](), [numbering("deal")[0]] * BOARDS
    tracemalloc.start()
    started = time.process_time()
    with pytest.raises(ReadError):
        decode_metadata(data, cards)
    with suppress(ReadError):
        TagRows(data, BOARDS)
    seconds = time.process_time() - started
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < (1 << 23 if name == "more than declared" else 2 * MOST_BYTES)
    assert seconds < 20


@pytest.mark.slow
def test_the_most_that_fits() -> None:
    boards = [Board(None, (Tag("a", "", ("",) * (MOST_PARTS - 1)),))]
    assert decode_metadata(encode_metadata(boards), [None]) == boards
    with pytest.raises(PavError, match=r"tags and lines.*fewer boards"):
        encode_metadata([Board(None, (Tag("a", "", ("",) * MOST_PARTS),))])
    with pytest.raises(PavError, match=r"bytes, more than the.*fewer boards"):
        encode_metadata([Board(None, (Tag("a", "a" * MOST_BYTES),))])
