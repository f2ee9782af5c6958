"""ZBS: words of a suit and a flag, diagrams of four words, and words put together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from records_support import suits
from strategies import deals, layouts

from pavcodec import Layout, SuitLayout, record
from pavcodec.formats.records.boards import FLAG, diagrams, words_of

PAST = 5**13


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


@pytest.mark.slow
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
