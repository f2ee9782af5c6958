"""Files of ZBS: diagrams of four words, suits that stand alone, and words that make neither."""

from __future__ import annotations

import pytest
from formats_support import (
    DEAL,
    ENDING,
    FOULED,
    Dribble,
    read_format,
    read_text,
    write_bytes,
    write_format,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from records_support import suits
from strategies import layouts, sparse_layouts

from pavcodec import Board, Layout, SuitLayout, record
from pavcodec.formats.records.boards import FLAG, diagrams, words_of

PAST = 5**13
ALONE = SuitLayout.from_text("N:JT9 876 5432 AKQ")
DIAGRAMS = [Layout.from_pbn(text) for text in (DEAL, ENDING, FOULED)]
BEFORE, MIDDLE, AFTER = (list(words_of(layout)) for layout in DIAGRAMS)


def raw_of(words: list[int]) -> bytes:
    """The bytes of words."""
    return b"".join(word.to_bytes(4, "little") for word in words)


def words_in(data: bytes) -> list[int]:
    """The words of bytes."""
    return [int.from_bytes(data[place : place + 4], "little") for place in range(0, len(data), 4)]


def test_a_suit_alone_is_a_board_with_a_tag() -> None:
    board = read_format("zbs", bytes.fromhex("daf0ba48")).board
    assert str(board.layout) == "N:JT9... 876... 5432... AKQ..."
    assert dict(board.tags) == {"SuitLayout": "alone"}
    assert write_format("zbs", [board]) == (bytes.fromhex("daf0ba48"), [])


@pytest.mark.slow
@settings(max_examples=30)
@given(things=st.lists(suits() | layouts() | sparse_layouts(), max_size=5))
def test_any_mixture_of_diagrams_and_single_suits_comes_back(
    things: list[SuitLayout | Layout],
) -> None:
    words = [word for thing in things for word in words_of(thing)]
    found = list(diagrams(enumerate(words), lambda *problem: pytest.fail(str(problem))))
    sizes = [len(words_of(thing)) for thing in things]
    assert found == [(sum(sizes[:count]), thing) for count, thing in enumerate(things)]
    assert [type(thing) for _, thing in found] == [type(thing) for thing in things]
    boards = read_format("zbs", raw_of(words)).boards
    assert write_format("zbs", boards) == (raw_of(words), [])
    fit = [b for b in boards if b.layout is not None and max(b.layout.sizes) <= 13]
    through = read_text(write_bytes(fit)).boards
    assert write_format("zbs", through).data == write_format("zbs", fit).data


def test_only_the_tag_makes_a_board_a_suit_alone() -> None:
    layout = ALONE.as_suit()
    for tags in ({}, {"SuitLayout": "?"}, {"SuitLayout": ""}, {"Suit": "alone"}):
        words = words_in(write_format("zbs", [Board.make(layout, tags=tags)]).data)
        assert words == [FLAG | ALONE.to_zbs(), FLAG, FLAG, 0]
    marked = Board.make(layout, tags={"SuitLayout": "alone", "Board": "5"})
    assert words_in(write_format("zbs", [marked]).data) == [ALONE.to_zbs()]
    assert write_format("zbs", [Board.make(None, tags={"SuitLayout": "alone"})]) == (b"", [])


def test_a_board_with_other_suits_cannot_stand_alone() -> None:
    for text in (DEAL, "N:- - - ...2"):
        marked = Board.make(Layout.from_pbn(text), number=5, tags={"SuitLayout": "alone"})
        data, (problem,) = write_format("zbs", [Board(DIAGRAMS[0]), marked, Board(DIAGRAMS[1])])
        assert data == raw_of(BEFORE + MIDDLE)
        assert problem.board == "5"
        assert "no other cards than spades" in problem.reason
        assert problem.reason.endswith(f": '{text}'")


def test_the_flag_on_the_clubs_is_tolerated() -> None:
    flagged = raw_of([word | FLAG for word in BEFORE + MIDDLE])
    reading = read_format("zbs", flagged)
    assert ([board.layout for board in reading.boards], reading.problems) == (DIAGRAMS[:2], [])
    assert words_in(write_format("zbs", reading.boards).data) == BEFORE + MIDDLE
    one = record("zbs-diagram")
    assert one.parse(flagged[:16]) == one.parse_by_declaration(flagged[:16]) == DIAGRAMS[0]


CLEAR = "a diagram has 4 words, not {}: the flag is clear in the last one"
CUT = "a diagram has 4 words, not {}: no more follow"
RANGE = f"a suit has numbers 0 to {PAST - 1}, not {PAST} (word {{:08x}})"
EMPTY, ALONE_EMPTY = Layout(bytes([4]) * 52), SuitLayout.from_zbs(0)


NO_DIAGRAMS: list[tuple[list[int], list[int], list[tuple[int, str]]]] = [
    ([], [], []),
    ([0], [0], []),
    ([FLAG], [], [(0, CUT.format(1))]),
    ([FLAG] * 2, [], [(0, CUT.format(2))]),
    ([FLAG] * 3, [], [(0, CUT.format(3))]),
    ([FLAG] * 4, [0], []),
    ([FLAG] * 3 + [0] * 3, [0, 4, 5], []),
    ([FLAG] * 6, [0], [(4, CUT.format(2))]),
    ([FLAG, 0, FLAG, 0], [], [(0, CLEAR.format(2)), (2, CLEAR.format(2))]),
    ([FLAG, FLAG, 0, 0], [3], [(0, CLEAR.format(3))]),
    ([0, FLAG, FLAG, 0], [0], [(1, CLEAR.format(3))]),
    ([FLAG, FLAG, 0] + [FLAG] * 3 + [0], [3], [(0, CLEAR.format(3))]),
    ([0, PAST, 0], [0, 2], [(1, RANGE.format(PAST))]),
    ([FLAG] * 3 + [0, FLAG | PAST] + [FLAG] * 2 + [0], [0], [(4, RANGE.format(FLAG | PAST))]),
    ([FLAG] * 3 + [0] + [FLAG] * 3 + [PAST], [0], [(7, RANGE.format(PAST))]),
]
"""Words, the places of diagrams and suits among them, and the problems of the others."""


def test_words_that_make_no_diagram_are_reported_and_those_after_are_read() -> None:
    for words, kinds, problems in NO_DIAGRAMS:
        reading = read_format("zbs", Dribble(raw_of(words), 3))
        expected = [EMPTY if words[place] & FLAG else ALONE_EMPTY for place in kinds]
        assert [board.layout for board in reading.boards] == [EMPTY] * len(kinds)
        found = list(diagrams(enumerate(words), lambda *_: None))
        assert found == list(zip(kinds, expected, strict=True)), words
        assert [str(problem) for problem in reading.problems] == [
            f"in.zbs: zbs-word record {place} at byte {4 * place}: {reason}"
            for place, reason in problems
        ]


@pytest.mark.parametrize("length", [1, 4, 7, 15])
def test_a_file_that_is_cut_off_keeps_the_diagrams_before(length: int) -> None:
    reading = read_format("zbs", raw_of(BEFORE + MIDDLE + AFTER)[: 32 + length])
    assert [board.layout for board in reading.boards] == DIAGRAMS[:2]
    words, rest = divmod(length, 4)
    expected = []
    if rest:
        place = f"zbs-word record {8 + words} at byte {32 + 4 * words}"
        expected.append(f"in.zbs: {place}: the file ends after {rest} of 4 bytes")
    if words:
        expected.append(f"in.zbs: zbs-word record 8 at byte 32: {CUT.format(words)}")
    assert [str(problem) for problem in reading.problems] == expected


def test_any_layout_fits_and_boards_without_cards_are_left_out() -> None:
    data, problems = write_format("zbs", [Board(None), *map(Board, DIAGRAMS), Board(None)])
    assert (words_in(data), problems) == (BEFORE + MIDDLE + AFTER, [])
