"""Completion: what it offers can be continued, and it offers the words of the vocabulary."""

from __future__ import annotations

import re

import pytest

from pavcodec.constraints.functions import FUNCTIONS
from pavcodec.constraints.language.completion import completions
from pavcodec.constraints.language.parser import parse_expression
from pavcodec.constraints.language.source import SourceText

SCRIPT = """\
produce 8
dealer south
vulnerable NS
predeal north SAK, HQ
# a fit
fit = spades(north) + spades(south)
strong = hcp(south, spades) >= 3 * 2 && !(losers(south) > 7)
condition fit >= 8 && (strong || shape(south, any 4333 + 5xxx)) && hascard(west, SA) == 0
action printall, average "points" hcp(north)
"""
PLACES = [end for end in range(len(SCRIPT) + 1) if not f"{SCRIPT}\n"[end].isalnum()]
"""The ends of the words and signs."""


def offered(text: str) -> list[str]:
    return [each.text for each in completions(text, len(text)).items]


@pytest.mark.slow
def test_what_is_offered_can_be_continued() -> None:
    """This is the definition: the grammar accepts something after the completed text."""
    kinds = set()
    for place in PLACES:
        found = completions(SCRIPT, place)
        for each in {each.kind: each for each in found.items}.values():
            completed = SCRIPT[: found.start] + each.text
            assert SourceText(completed).following("script"), completed
            kinds.add(each.kind)
    assert {"function", "operator", "seat"} <= kinds


def test_each_word_of_a_text_is_offered_where_it_stands() -> None:
    for place in PLACES:
        word = re.split(r"[ (!\n]", SCRIPT[:place])[-1]
        if word in FUNCTIONS and SCRIPT[place] == "(":
            assert f"{word}(" in offered(SCRIPT[:place])
        if word in {"north", "south", "west"}:
            assert word in offered(SCRIPT[:place])


def test_a_word_replaces_the_typed_letters() -> None:
    found = completions("hcp(south) >= 12 && sp && 1", 22)
    assert (found.start, found.end) == (20, 22)
    assert [each.text for each in found.items] == ["spades("]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hcp(", ["north", "east", "south", "west"]),
        ("hcp(south, h", ["hearts"]),
        ("hcp(south ", [")", ", "]),
        ("spades(south ", [")"]),
        ("dealer e", ["east"]),
        ("vulnerable N", ["none", "NS"]),
        ("predeal w", ["west"]),
        ("tricks(south, n", ["notrump"]),
        ("fit = spades(north) + spades(south)\nfi", ["fit"]),
        ("# hc", []),
        ('title "hc', []),
        ("hcp(north) ) && hc", []),
    ],
)
def test_offers_by_place(text: str, words: list[str]) -> None:
    assert offered(text) == words


def test_a_whole_condition_fits_only_where_an_expression_starts() -> None:
    starts = [completions(text, len(text)).starts_expression
              for text in ("", "hcp(south) > 12 && ", "hcp(", "hcp(south)", "dealer ")]  # fmt: skip
    assert starts == [True, True, False, False, False]


def test_kinds_of_arguments_are_those_that_the_builder_accepts() -> None:
    """A call of offered words is an expression."""
    for name in FUNCTIONS.keys() - {"shape", "points"}:
        assert FUNCTIONS[name].usage
        text = f"{name}("
        for place, kind in enumerate(FUNCTIONS[name].arguments):
            text += "" if place == 0 else ", "
            text += "1" if kind in {"number", "draw"} else offered(text)[0]
        assert parse_expression(f"{text})") is not None
