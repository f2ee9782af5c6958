"""Files of ZBS: diagrams of four words, suits that stand alone, and words that make neither."""

from __future__ import annotations

import io

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

from pavcodec import Board, Deal, Layout, ReadError, SuitLayout, read, write
from pavcodec.formats.records.boards import FLAG, words_of

PAST = 5**13
ALONE = SuitLayout.from_text("N:JT9 876 5432 AKQ")
DIAGRAMS = [Layout.from_pbn(text) for text in (DEAL, ENDING, FOULED)]


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
@settings(max_examples=30, deadline=None)
@given(things=st.lists(suits() | layouts() | sparse_layouts(), max_size=5))
def test_zbs_to_pbn_to_zbs_gives_the_same_words(things: list[SuitLayout | Layout]) -> None:
    raw = raw_of([word for thing in things for word in words_of(thing)])
    boards = read_format("zbs", raw)
    assert boards.problems == []
    assert len(boards.boards) == len(things)
    assert write_format("zbs", boards.boards) == (raw, [])
    fit = [b for b in boards.boards if b.layout is not None and max(b.layout.sizes) <= 13]
    written = write_bytes(fit)
    through = read_text(written)
    assert through.problems == []
    assert write_format("zbs", through.boards).data == write_format("zbs", fit).data


def test_only_the_tag_makes_a_board_a_suit_alone() -> None:
    layout = ALONE.as_suit()
    for tags in ({}, {"SuitLayout": "?"}, {"SuitLayout": ""}, {"Suit": "alone"}):
        (first, *others) = words_in(write_format("zbs", [Board.make(layout, tags=tags)]).data)
        assert first == FLAG | ALONE.to_zbs()
        assert others == [FLAG, FLAG, 0]
    marked = Board.make(layout, tags={"SuitLayout": "alone", "Board": "5"})
    assert words_in(write_format("zbs", [marked]).data) == [ALONE.to_zbs()]
    assert write_format("zbs", [Board.make(None, tags={"SuitLayout": "alone"})]) == (b"", [])


@pytest.mark.parametrize("text", [DEAL, ENDING, "N:- - - ...2"])
def test_a_board_with_other_suits_cannot_stand_alone(text: str) -> None:
    tags = {"SuitLayout": "alone", "Board": "5"}
    marked = Board.make(Layout.from_pbn(text), tags=tags)
    data, (problem,) = write_format("zbs", [Board(DIAGRAMS[0]), marked, Board(DIAGRAMS[1])])
    assert data == write_format("zbs", map(Board, DIAGRAMS[:2])).data
    assert problem.board == "5"
    assert "no other cards than spades" in problem.reason
    assert problem.reason.endswith(f": '{text}'")


def test_the_flag_on_the_clubs_is_tolerated() -> None:
    words = [word | FLAG for layout in DIAGRAMS for word in words_of(layout)]
    reading = read_format("zbs", raw_of(words))
    assert reading.problems == []
    assert [board.layout for board in reading.boards] == DIAGRAMS
    clear = [word for layout in DIAGRAMS for word in words_of(layout)]
    assert words_in(write_format("zbs", reading.boards).data) == clear


GROUP = "a diagram has 4 words, not {}: the flag is clear in the last one"


@pytest.mark.parametrize(
    ("place", "problems"),
    [
        (1, [(4, GROUP.format(2)), (6, GROUP.format(2))]),
        (2, [(4, GROUP.format(3))]),
    ],
)
def test_a_flag_that_is_clear_too_early_is_told_and_other_diagrams_are_kept(
    place: int, problems: list[tuple[int, str]]
) -> None:
    before, middle, after = (list(words_of(layout)) for layout in DIAGRAMS)
    middle[place] ^= FLAG
    reading = read_format("zbs", raw_of(before + middle + after))
    assert [str(problem) for problem in reading.problems] == [
        f"in.zbs: zbs-word record {index} at byte {4 * index}: {reason}"
        for index, reason in problems
    ]
    kept = [board.layout for board in reading.boards if "SuitLayout" not in board.tags]
    assert kept == [DIAGRAMS[0], DIAGRAMS[2]]
    assert len(reading.boards) - len(kept) == (place == 2)


def test_a_flag_that_is_clear_on_the_spades_makes_them_a_suit_alone() -> None:
    before, middle, after = (list(words_of(layout)) for layout in DIAGRAMS)
    middle[0] ^= FLAG
    reading = read_format("zbs", raw_of(before + middle + after))
    assert str(reading.problem) == (f"in.zbs: zbs-word record 5 at byte 20: {GROUP.format(3)}")
    assert [board.tags.get("SuitLayout") for board in reading.boards] == [None, "alone", None]
    assert reading.boards[2].layout == DIAGRAMS[2]


@pytest.mark.parametrize("place", range(4))
def test_a_word_past_the_last_suit_spoils_its_diagram_alone(place: int) -> None:
    before, middle, after = (list(words_of(layout)) for layout in DIAGRAMS)
    middle[place] = middle[place] & FLAG | PAST
    for data in (raw_of(before + middle + after), Dribble(raw_of(before + middle + after), 3)):
        reading = read_format("zbs", data)
        assert [board.layout for board in reading.boards] == [DIAGRAMS[0], DIAGRAMS[2]]
        assert str(reading.problem) == (
            f"in.zbs: zbs-word record {4 + place} at byte {16 + 4 * place}: "
            f"a suit has numbers 0 to {PAST - 1}, not {PAST} (word {middle[place]:08x})"
        )


def test_a_suit_alone_past_the_last_is_a_problem_between_others() -> None:
    reading = read_format("zbs", raw_of([1, PAST, 2, (1 << 31) - 1]))
    assert reading.layouts == ["N:- - - A...", "N:A... - - -"]
    assert [str(problem).split(": ")[1] for problem in reading.problems] == [
        "zbs-word record 1 at byte 4",
        "zbs-word record 3 at byte 12",
    ]


@pytest.mark.parametrize("length", range(1, 16))
def test_a_file_that_is_cut_off_keeps_the_diagrams_before(length: int) -> None:
    raw = raw_of([word for layout in DIAGRAMS for word in words_of(layout)])
    reading = read_format("zbs", raw[: 32 + length])
    assert [board.layout for board in reading.boards] == DIAGRAMS[:2]
    words, rest = divmod(length, 4)
    expected = []
    if rest:
        place = f"zbs-word record {8 + words} at byte {32 + 4 * words}"
        expected.append(f"in.zbs: {place}: the file ends after {rest} of 4 bytes")
    if words:
        expected.append(
            "in.zbs: zbs-word record 8 at byte 32: "
            f"a diagram has 4 words, not {words}: no more follow"
        )
    assert [str(problem) for problem in reading.problems] == expected


@settings(max_examples=50, deadline=None)
@given(raw=st.binary(max_size=100))
def test_any_bytes_are_read_without_another_error(raw: bytes) -> None:
    reading = read_format("zbs", raw)
    assert bool(reading.boards or reading.problems) == bool(raw)
    data, problems = write_format("zbs", reading.boards)
    assert problems == []
    again = read_format("zbs", data)
    assert again.problems == []
    assert again.boards == reading.boards
    assert read_format("zbs", Dribble(raw, 3)) == reading


def test_strict_reading_stops_at_the_first_problem() -> None:
    raw = raw_of([*words_of(DIAGRAMS[0]), FLAG, 0])
    boards = read(io.BytesIO(raw), format="zbs", strict=True)
    assert next(boards).layout == Deal.from_pbn(DEAL)
    with pytest.raises(ReadError, match="zbs-word record 4 at byte 16: a diagram has 4 words"):
        next(boards)


def test_any_layout_fits_and_boards_without_cards_are_left_out() -> None:
    stream = io.BytesIO()
    write([Board(None), *DIAGRAMS, Board(None)], stream, format="zbs")
    assert words_in(stream.getvalue()) == [w for layout in DIAGRAMS for w in words_of(layout)]
