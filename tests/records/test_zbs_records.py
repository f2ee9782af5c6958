"""ZBS: words of a suit and a flag, diagrams of four words, and words put together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from records_support import by_hand, suits
from strategies import deals, layouts, sparse_layouts

from pavcodec import Deal, Layout, RecordError, SuitLayout, SuitWord, record
from pavcodec.formats.records.boards import FLAG, diagrams, words_of

PAST = 5**13

WORDS = [
    ("00000000", "N:- - - -"),
    ("12309CE5", "N:- - - AKQJT98765432"),
    ("246139CA", "N:AKQJT98765432 - - -"),
    ("3691D6AF", "N:- AKQJT98765432 - -"),
    ("48C27394", "N:- - AKQJT98765432 -"),
    ("48BAF0DA", "N:JT9 876 5432 AKQ"),
    ("00000001", "N:- - - A"),
    ("00000002", "N:A - - -"),
    ("00000005", "N:- - - K"),
    ("3A352944", "N:- - 2 -"),
]
"""Words and the suits that they mean, worked out from the description of the format."""


@pytest.mark.parametrize(("word", "text"), WORDS)
def test_words_beside_suits(word: str, text: str) -> None:
    suit = SuitLayout.from_text(text)
    raw = bytes.fromhex(word)[::-1]
    found = record("zbs-word")
    assert found.parse(raw) == found.parse_by_declaration(raw) == SuitWord(suit, joined=False)
    assert found.build(SuitWord(suit)) == found.build_by_declaration(SuitWord(suit)) == raw
    flagged = raw[:3] + bytes([raw[3] | 0x80])
    assert (
        found.parse(flagged) == found.parse_by_declaration(flagged) == SuitWord(suit, joined=True)
    )
    assert found.build((suit, True)) == found.build_by_declaration((suit, True)) == flagged


@pytest.mark.parametrize("joined", [False, True])
def test_the_flag_comes_back_as_a_bool(*, joined: bool) -> None:
    raw = record("zbs-word").build(SuitWord(SuitLayout.from_text("N:A - - -"), joined))
    for parse in (record("zbs-word").parse, record("zbs-word").parse_by_declaration):
        assert parse(raw).joined is joined
        assert type(parse(raw).suit) is SuitLayout


@pytest.mark.parametrize("number", [PAST, PAST + 1, (1 << 31) - 1])
@pytest.mark.parametrize("flag", [0, FLAG])
def test_a_word_past_the_last_suit_is_refused(number: int, flag: int) -> None:
    raw = (number | flag).to_bytes(4, "little")
    for parse in (record("zbs-word").parse, record("zbs-word").parse_by_declaration):
        with pytest.raises(RecordError) as caught:
            parse(raw)
        assert caught.value.reason == f"a suit has numbers 0 to {PAST - 1}, not {number}"


DIAGRAMS = [
    ("80000000 80000000 80000000 00000000", "N:- - - -"),
    ("80000002 80000000 80000000 00000000", "N:A... - - -"),
    ("80000000 80000000 80000000 0E8D4A51", "N:- - - ...2"),
    ("800000F2 80000000 80000000 00000000", "N:A... K... Q... J..."),
    ("8000000C 80000012 80000018 00000006", "N:AK... .AK.. ..AK. ...AK"),
    ("A46139CA B691D6AF C8C27394 12309CE5",
     "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"),
]  # fmt: skip


def raw_of(words: str | list[int]) -> bytes:
    """The bytes of words."""
    numbers = [int(word, 16) for word in words.split()] if isinstance(words, str) else words
    return b"".join(number.to_bytes(4, "little") for number in numbers)


@pytest.mark.parametrize(("words", "text"), DIAGRAMS)
def test_diagrams_beside_words(words: str, text: str) -> None:
    layout, raw = Layout.from_pbn(text), raw_of(words)
    found = record("zbs-diagram")
    assert found.parse(raw) == found.parse_by_declaration(raw) == layout
    kind = Deal if layout.is_deal else Layout
    assert type(found.parse(raw)) is type(found.parse_by_declaration(raw)) is kind
    assert found.build(layout) == found.build_by_declaration(layout) == raw
    assert [f"{word:08X}" for word in words_of(layout)] == words.split()


@given(layout=layouts() | sparse_layouts() | deals())
def test_the_flag_on_the_clubs_is_tolerated_and_written_clear(layout: Layout) -> None:
    raw = by_hand("zbs-diagram", layout)
    flagged = raw[:15] + bytes([raw[15] | 0x80])
    found = record("zbs-diagram")
    assert found.parse(flagged) == found.parse_by_declaration(flagged) == layout
    assert found.build(found.parse(flagged)) == found.build_by_declaration(layout) == raw


@pytest.mark.parametrize(("place", "suit"), [(0, "spades"), (1, "hearts"), (2, "diamonds")])
@pytest.mark.parametrize(("words", "text"), DIAGRAMS)
def test_the_flag_must_be_on_the_other_words(place: int, suit: str, words: str, text: str) -> None:
    numbers = [int(word, 16) for word in words.split()]
    numbers[place] ^= FLAG
    for parse in (record("zbs-diagram").parse, record("zbs-diagram").parse_by_declaration):
        with pytest.raises(RecordError) as caught:
            parse(raw_of(numbers))
        assert caught.value.reason == f"the flag of the {suit} word is not set"
    assert record("zbs-diagram").build(Layout.from_pbn(text)) == raw_of(words)


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("number", [PAST, (1 << 31) - 1])
def test_a_word_past_the_last_is_refused_in_any_suit(place: int, number: int) -> None:
    numbers = [FLAG, FLAG, FLAG, 0]
    numbers[place] |= number
    for parse in (record("zbs-diagram").parse, record("zbs-diagram").parse_by_declaration):
        with pytest.raises(RecordError) as caught:
            parse(raw_of(numbers))
        assert caught.value.reason == f"a suit has numbers 0 to {PAST - 1}, not {number}"


@pytest.mark.parametrize("wrong", [None, "N:- - - -", bytes(52), SuitLayout(bytes(13)), 5])
def test_only_layouts_are_diagrams(wrong: object) -> None:
    kind = type(wrong).__name__
    for build in (record("zbs-diagram").build, record("zbs-diagram").build_by_declaration):
        with pytest.raises(TypeError, match=f"a diagram holds a Layout, not '{kind}'"):
            build(wrong)


def test_only_suits_are_words() -> None:
    for wrong in (5, None, "N:- - - -", Layout.from_pbn("N:- - - -")):
        for build in (record("zbs-word").build, record("zbs-word").build_by_declaration):
            with pytest.raises(TypeError, match="a word holds a SuitLayout, not"):
                build((wrong, True))
        if not isinstance(wrong, Layout):
            with pytest.raises(TypeError, match="a Layout or SuitLayout has words, not"):
                words_of(wrong)  # type: ignore[arg-type]  # what a caller may do wrong


Found = tuple[list[tuple[int, Layout | SuitLayout]], list[tuple[int, str]]]


def put_together(words: list[int]) -> Found:
    """What words make, and what is reported of them, with the places of the words."""
    problems: list[tuple[int, str]] = []
    found = diagrams(enumerate(words), lambda place, reason: problems.append((place, reason)))
    return list(found), problems


@given(things=st.lists(suits() | layouts() | deals(), max_size=6))
def test_any_mixture_of_diagrams_and_single_suits_is_put_together_again(
    things: list[Layout | SuitLayout],
) -> None:
    words = [word for thing in things for word in words_of(thing)]
    found, problems = put_together(words)
    assert problems == []
    assert [thing for _, thing in found] == things
    sizes = [len(words_of(thing)) for thing in things]
    assert [place for place, _ in found] == [sum(sizes[:count]) for count in range(len(things))]
    assert [type(thing) for _, thing in found] == [type(thing) for thing in things]


CLEAR = "a diagram has 4 words, not {}: the flag is clear in the last one"
CUT = "a diagram has 4 words, not {}: no more follow"
EMPTY = Layout(bytes([4]) * 52)
ALONE = SuitLayout.from_zbs(0)


@pytest.mark.parametrize(
    ("words", "kinds", "problems"),
    [
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
    ],
)
def test_words_that_make_no_diagram_are_reported_and_those_after_are_read(
    words: list[int], kinds: list[int], problems: list[tuple[int, str]]
) -> None:
    found, reported = put_together(words)
    assert [place for place, _ in found] == kinds
    assert reported == problems
    for place, thing in found:
        assert thing == (EMPTY if words[place] & FLAG else ALONE)


@pytest.mark.parametrize("bad", range(4))
def test_a_word_past_the_last_spoils_its_diagram_alone(bad: int) -> None:
    good = [FLAG, FLAG, FLAG, 0]
    words = good + [word | PAST * (place == bad) for place, word in enumerate(good)] + good
    found, problems = put_together(words)
    assert [place for place, _ in found] == [0, 8]
    shown = f"{words[4 + bad]:08x}"
    assert problems == [(4 + bad, f"a suit has numbers 0 to {PAST - 1}, not {PAST} (word {shown})")]
    found, problems = put_together([0, PAST, 0])
    assert ([place for place, _ in found], [place for place, _ in problems]) == ([0, 2], [1])
