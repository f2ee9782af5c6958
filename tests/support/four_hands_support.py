"""Twelve conditions on four hands, each for the real deck and for a toy deck, and their counts.

A condition is one text for both decks. Its numbers and lists of shapes have names, and each name
has two values: that of the real deck, and that of a deck of four suits of three cards, of which
each hand has three. `toy_deals` and `Values` know nothing of the package but the parser's tree.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import combinations, permutations, product
from string import Template
from typing import Any, cast

import numpy as np
from oracles import FIXTURES

from pavcodec.constraints.language.parser import parse_script
from pavcodec.constraints.nodes import syntax
from pavcodec.constraints.nodes.syntax import Node
from pavcodec.layout.hand import SumOverCards
from pavcodec.shapes import parse_shapes

RANKS = 3
SUITS = 4
TOY_SIZES = (RANKS,) * SUITS
REAL, TOY = 0, 1

Numbers = np.ndarray[tuple[int], np.dtype[np.int16]]
Owners = np.ndarray[tuple[int, int], np.dtype[np.uint8]]
Lengths = tuple[int, int, int, int]


@dataclass(frozen=True)
class Condition:
    """A condition on four hands; `values` has for each name the real value and that of the toy."""

    name: str
    what: str
    text: str
    values: dict[str, tuple[int | str, int | str]]

    def __hash__(self) -> int:
        return hash(self.name)

    def __str__(self) -> str:
        return self.name

    @property
    def lists(self) -> dict[str, tuple[str, str]]:
        """The names of lists of shapes with both lists."""
        return {
            name: (str(real), str(toy))
            for name, (real, toy) in self.values.items()
            if f"shape(north, ${name})" in self._by_north
        }

    @property
    def _by_north(self) -> str:
        """The text as if all shapes were those of north."""
        text = self.text
        for seat in ("east", "south", "west"):
            text = text.replace(f"shape({seat},", "shape(north,")
        return text

    def script(self) -> str:
        """The condition as a script for the real deck."""
        return Template(self.text).substitute(
            {name: both[REAL] for name, both in self.values.items()}
        )

    def real(self) -> Node:
        """The condition on the real deck."""
        return _condition(self.script())

    def toy(self) -> Node:
        """The condition on the toy deck: the parser reads the real lists of shapes, and then the
        sets are put in that have the toy's lengths."""
        lists = self.lists
        values = {
            name: both[REAL] if name in lists else both[TOY] for name, both in self.values.items()
        }
        node = _condition(Template(self.text).substitute(values))
        sets = {parse_shapes(real): toy_shapes(toy) for real, toy in lists.values()}
        assert len(sets) == len(lists), f"{self.name}: two names of one list"
        return with_shapes(node, sets)


def _condition(text: str) -> Node:
    node = parse_script(text).condition
    assert node is not None
    return node


@cache
def conditions() -> tuple[Condition, ...]:
    """The twelve conditions."""
    rows = json.loads((FIXTURES / "vectors" / "four-hands.json").read_text())
    return tuple(
        Condition(
            row["name"],
            row["what"],
            "\n".join(row["text"]),
            {name: (both[REAL], both[TOY]) for name, both in row["values"].items()},
        )
        for row in rows
    )


def toy_shapes(text: str) -> frozenset[Lengths]:
    """Read a list of shapes of three cards: digits and x, any, + and -."""
    found: set[Lengths] = set()
    is_any = is_less = False
    for word in text.replace("+", " + ").replace("-", " - ").split():
        if word in ("+", "-"):
            is_less = word == "-"
        elif word == "any":
            is_any = True
        else:
            some = {each for each in _toy_lengths() if _is_like(each, word, is_any=is_any)}
            found = found - some if is_less else found | some
            is_any = False
    assert found
    return frozenset(found)


def _toy_lengths() -> list[Lengths]:
    every = product(range(RANKS + 1), repeat=SUITS)
    return [(s, h, d, c) for s, h, d, c in every if s + h + d + c == RANKS]


def _is_like(lengths: Lengths, word: str, *, is_any: bool) -> bool:
    """Whether lengths are those of a word of digits and x, in its order or in any."""
    return any(
        all(wanted in ("x", str(length)) for wanted, length in zip(order, lengths, strict=True))
        for order in (permutations(word) if is_any else [tuple(word)])
    )


def with_shapes(node: Node, sets: dict[frozenset[Lengths], frozenset[Lengths]]) -> Node:
    """Return an expression with other sets of shapes; a part that is shared is changed once."""
    done: dict[int, Any] = {}

    def changed(part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple(map(changed, part))
        if not isinstance(part, Node):
            return part
        if id(part) not in done:
            if isinstance(part, syntax.InShapes):
                done[id(part)] = replace(part, shapes=sets[part.shapes])
            else:
                names = [field.name for field in fields(cast("Any", part))]
                parts = {name: changed(getattr(part, name)) for name in names}
                done[id(part)] = replace(cast("Any", part), **parts)
        return done[id(part)]

    return cast("Node", changed(node))


@cache
def toy_deals() -> Owners:
    """All 369,600 layouts of the toy deck: the owners, card by card, the highest first."""
    cards = range(RANKS * SUITS)
    rows = []
    for north in combinations(cards, RANKS):
        others = [card for card in cards if card not in north]
        for east in combinations(others, RANKS):
            rest = [card for card in others if card not in east]
            for south in combinations(rest, RANKS):
                owners = bytearray(b"\3" * len(cards))
                for seat, hand in enumerate((north, east, south)):
                    for card in hand:
                        owners[card] = seat
                rows.append(bytes(owners))
    return np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), len(cards))


class Values:
    """What expressions are worth for all layouts of the toy deck, worked out in the plain way."""

    def __init__(self) -> None:
        self.owners = toy_deals()
        self.known: dict[Node, Numbers] = {}

    def of(self, node: Node) -> Numbers:
        """The values of an expression; those of a part that stands in several places come once."""
        if node not in self.known:
            self.known[node] = np.asarray(self._worked_out(node), np.int16)
        return self.known[node]

    @cache  # noqa: B019 (it lives as long as a test)
    def held(self, seat: int, suit: int | None, worth: tuple[int, ...]) -> Numbers:
        """What the cards of a seat are worth, in a suit or in all."""
        weights = [
            worth[rank] if suit in (None, each) else 0
            for each in range(SUITS)
            for rank in range(RANKS)
        ]
        cards = [
            (self.owners[:, card] == seat) * np.int16(n) for card, n in enumerate(weights) if n
        ]
        return np.asarray(sum(cards, np.zeros(len(self.owners), np.int16)), np.int16)

    def length(self, seat: int, suit: int) -> Numbers:
        return self.held(seat, suit, (1,) * RANKS)

    def losers(self, seat: int, suit: int) -> Numbers:
        """Losers by the length and by which of ace, king and queen are there."""
        length = self.length(seat, suit)
        ace, king, queen = (
            (self.owners[:, suit * RANKS + rank] == seat) * np.int16(1) for rank in range(3)
        )
        return np.select(
            [length == 0, length == 1, length == 2],
            [np.zeros_like(length), 1 - ace, 2 - ace - king],
            3 - ace - king - queen,
        )

    def _worked_out(self, node: Node) -> object:  # noqa: PLR0911, PLR0912 (a case a node)
        of = self.of
        match node:
            case syntax.Number(value):
                return np.full(len(self.owners), value)
            case syntax.HandValue(_, seat, suit, SumOverCards(points)):
                return self.held(seat, suit, points)
            case syntax.Length(seat, suit):
                return self.length(seat, suit)
            case syntax.HandValue("losers", seat, suit):
                suits = range(SUITS) if suit is None else [suit]
                return sum(self.losers(seat, each) for each in suits)
            case syntax.InShapes(seat, shapes):
                lengths = [self.length(seat, suit) for suit in range(SUITS)]
                return sum(
                    np.logical_and.reduce(
                        [n == held for n, held in zip(shape, lengths, strict=True)]
                    )
                    for shape in shapes
                )
            case syntax.HasCard(seat, card):
                return self.owners[:, card.suit * RANKS + card.rank] == seat
            case syntax.Not(operand):
                return of(operand) == 0
            case syntax.Negate(operand):
                return -of(operand)
            case syntax.And(parts):
                return np.logical_and.reduce([of(part) != 0 for part in parts])
            case syntax.Or(parts):
                return np.logical_or.reduce([of(part) != 0 for part in parts])
            case syntax.Choice(condition, then, otherwise):
                return np.where(of(condition) != 0, of(then), of(otherwise))
            case syntax.Comparison(operator, left, right):
                return _COMPARE[operator](of(left), of(right))
            case syntax.Arithmetic(operator, left, right):
                return _OPERATE[operator](of(left), of(right))
            case _:
                raise AssertionError(node)


def _quotient(a: Numbers, b: Numbers) -> Numbers:
    """Division towards 0."""
    return np.asarray(np.sign(a) * np.sign(b) * (abs(a) // abs(b)), np.int16)


_COMPARE: dict[str, Callable[[Numbers, Numbers], object]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
_OPERATE: dict[str, Callable[[Numbers, Numbers], object]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": _quotient,
    "%": lambda a, b: a - b * _quotient(a, b),
}
