"""From the tree of an expression to its nodes; here words get their meaning."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from pavcodec.cards import RANK_LETTERS, SUIT_LETTERS, SUIT_SIZE, Card, Seat, Strain, Suit
from pavcodec.constraints.source import MAX_DEPTH, MAX_DIGITS, Source, branches, near, words
from pavcodec.constraints.syntax import (
    And,
    Arithmetic,
    Cccc,
    Choice,
    Comparison,
    HasCard,
    Imps,
    InShapes,
    Length,
    Losers,
    Negate,
    Node,
    Not,
    Number,
    Or,
    Quality,
    Random,
    Score,
    Tricks,
    children,
)
from pavcodec.constraints.vocabulary import (
    ALTERNATIVES,
    FUNCTIONS,
    POINTS,
    RESERVED,
    SEATS,
    STRAINS,
    SUITS,
    VULNERABLE,
    canonical,
    card_sum,
)
from pavcodec.errors import TextError
from pavcodec.shapes import parse_shapes

if TYPE_CHECKING:
    from lark import Token, Tree

    Branch = Tree[Token]

__all__ = ["Builder", "conjunction", "disjunction"]

_MAX_SIZE = 100_000
_OPERATOR_WORDS = {"/": "division", "%": "the remainder of a division"}
_CONTRACT = re.compile(r"x([1-7])(s|h|d|c|nt?)(x{0,2})", re.IGNORECASE)
_STRAIN_LETTERS = {strain.letters[0]: strain for strain in Strain}

_SEAT_AND_SUIT = "takes a seat and perhaps a suit, as in {0}(north) or {0}(north, spades)"
_USAGE = dict.fromkeys([*POINTS, *(f"pt{n}" for n in range(10)), "losers"], _SEAT_AND_SUIT) | {
    **dict.fromkeys([*SUITS, "cccc"], "takes a seat, as in {0}(north)"),
    "quality": "takes a seat and a suit, as in quality(north, spades)",
    "hascard": "takes a seat and a card, as in hascard(north, AS)",
    "tricks": "takes a seat and a strain, as in tricks(north, notrump)",
    "score": "takes vul or nv, a contract and tricks, as in score(vul, x4S, 10)",
    "imps": "takes a difference, as in imps(100)",
    "rnd": "takes a number, as in rnd(6)",
}


def conjunction(parts: Sequence[Node]) -> Node:
    """Join conditions by `and`; parts that are so joined already are taken apart.

    >>> conjunction([And((Number(1), Number(2))), Number(3)])
    And(parts=(Number(value=1), Number(value=2), Number(value=3)))
    """
    flat = [q for part in parts for q in (part.parts if isinstance(part, And) else (part,))]
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def disjunction(parts: Sequence[Node]) -> Node:
    """Join conditions by `or`; parts that are so joined already are taken apart."""
    flat = [q for part in parts for q in (part.parts if isinstance(part, Or) else (part,))]
    return flat[0] if len(flat) == 1 else Or(tuple(flat))


class Builder:
    """Makes nodes; it knows the points, and the variables that were met so far."""

    def __init__(
        self,
        source: Source,
        pointcount: Sequence[int] | None = None,
        altcount: Mapping[int, Sequence[int]] | None = None,
    ) -> None:
        self.source = source
        self.variables: dict[str, Node] = {}
        self.warnings: list[tuple[int, str]] = []
        self._points: dict[str, Sequence[int]] = dict(POINTS)
        if pointcount is not None:
            self._points["hcp"] = pointcount
        for number, points in (altcount or {}).items():
            self._points[ALTERNATIVES[number]] = points
        self._points |= {f"pt{n}": self._points[name] for n, name in enumerate(ALTERNATIVES)}
        self._measures: dict[int, tuple[int, int]] = {}
        self._kept: list[Node] = []

    def expression(self, part: Branch) -> Node:
        """Return the node of a whole expression; raise `TextError` where it makes no sense."""
        node = self._node(part)
        depth, size = self._measure(node)
        if depth > MAX_DEPTH:
            raise self.source.error_at(
                f"with its variables, more than {MAX_DEPTH} operators within one another", part
            )
        if size > _MAX_SIZE:
            raise self.source.error_at(f"with its variables, more than {_MAX_SIZE} parts", part)
        return node

    def _measure(self, node: Node) -> tuple[int, int]:
        """Return depth and size, variables written out."""
        known = self._measures.get(id(node))
        if known is None:
            below = [self._measure(child) for child in children(node)]
            depth = 1 + max((depth for depth, _ in below), default=0)
            known = self._measures[id(node)] = depth, 1 + sum(size for _, size in below)
            self._kept.append(node)  # so that its id stays its own
        return known

    def _node(self, part: Branch) -> Node:
        make: Callable[[Branch], Node] = getattr(self, f"_make_{part.data}")
        return make(part)

    def _nodes(self, parts: Sequence[Branch]) -> list[Node]:
        return [self._node(part) for part in parts]

    def _make_number(self, part: Branch) -> Node:
        return Number(self.source.integer(words(part)[0]))

    def _make_name(self, part: Branch) -> Node:
        name = str(part.children[0])
        node = self.variables.get(name)
        if node is not None:
            return node
        word = canonical(name)
        if word in SEATS:
            reason = f"{name!r} is a seat; it stands within a function, as in hcp({word})"
        elif word in FUNCTIONS and word in RESERVED:
            reason = f"{name!r} {_USAGE.get(word, 'is a function').format(word)}"
        elif word in RESERVED:
            reason = f"{name!r} is a word of the language and has no value"
        elif self.source.code[self.source.span(part)[1] :].lstrip().startswith("("):
            reason = near("function", name, FUNCTIONS)
        else:
            reason = near("variable", name, self.variables)
        raise self.source.error_at(reason, part)

    def _make_call(self, part: Branch) -> Node:
        name = canonical(str(part.children[0]))
        call = _Call(self, name, part, branches(part))
        make = _FUNCTIONS.get(name) or _FUNCTIONS["hcp"]
        return make(call)

    def points_of(self, name: str) -> Sequence[int]:
        """Return what a sum of cards counts."""
        return self._points[name]

    def _make_shape(self, part: Branch) -> Node:
        seat = _Call(self, "shape", part, branches(part)).seat(0)
        shapes = words(part)[-1]
        start, _ = self.source.span(shapes)
        try:
            return InShapes(seat, parse_shapes(str(shapes)))
        except TextError as error:
            first, last = error.span
            raise self.source.error(error.message, (start + first, start + last)) from None

    def _make_points(self, part: Branch) -> Node:
        _, seat, *suits, counts = words(part)
        points = counts.split()
        if len(points) > SUIT_SIZE:
            raise self.source.error_at(f"there are {SUIT_SIZE} ranks, not {len(points)}", counts)
        if max(map(len, points)) > MAX_DIGITS:
            raise self.source.error_at(f"points have at most {MAX_DIGITS} digits", counts)
        suit = SUITS.get(canonical(suits[0])) if suits else None
        if suits and suit is None:
            reason = f"points takes a suit here, not {str(suits[0])!r}"
            raise self.source.error_at(reason, suits[0])
        return card_sum(SEATS[seat.lower()], suit, [int(point) for point in points])

    def _make_choice(self, part: Branch) -> Node:
        return Choice(*self._nodes(branches(part)))

    def _make_disjunction(self, part: Branch) -> Node:
        return disjunction(self._nodes(branches(part)))

    def _make_conjunction(self, part: Branch) -> Node:
        return conjunction(self._nodes(branches(part)))

    def _make_relation(self, part: Branch) -> Node:
        nodes = self._nodes(branches(part))
        operators = [str(token) for token in words(part)]
        pairs = [
            Comparison(operator, left, right)
            for operator, left, right in zip(operators, nodes, nodes[1:], strict=False)
        ]
        if len(pairs) > 1:
            signs = f"a {operators[0]} b {operators[1]} c"
            meant = f"a {operators[0]} b && b {operators[1]} c"
            other = f"(a {operators[0]} b) {operators[1]} c"
            self.warn(part, f"{signs} is read as {meant}; the classic dealer reads it as {other}")
        return conjunction(pairs)

    _make_equality = _make_relation

    def _make_arithmetic(self, part: Branch) -> Node:
        left, right = self._nodes(branches(part))
        operator = str(part.children[1])
        if operator in _OPERATOR_WORDS and right == Number(0):
            raise self.source.error_at(f"{_OPERATOR_WORDS[operator]} by 0", branches(part)[1])
        return Arithmetic(operator, left, right)

    def _make_negation(self, part: Branch) -> Node:
        return Not(self._node(branches(part)[0]))

    def _make_minus(self, part: Branch) -> Node:
        operand = self._node(branches(part)[0])
        return Number(-operand.value) if isinstance(operand, Number) else Negate(operand)

    def warn(self, part: Branch | Token, reason: str) -> None:
        """Keep a warning, with the line that it is about."""
        self.warnings.append((self.source.line(part), reason))


class _Call:
    """A function with its arguments, which are asked for by kind."""

    def __init__(self, builder: Builder, name: str, part: Branch, given: Sequence[Branch]) -> None:
        self.builder = builder
        self.name = name
        self.part = part
        self.given = given

    def expect(self, *counts: int) -> None:
        """Check the number of arguments."""
        if len(self.given) not in counts:
            usage = _USAGE[self.name].format(self.name)
            many = f"{len(self.given)} argument{'s' * (len(self.given) != 1)}"
            raise self.builder.source.error_at(f"{self.name} {usage}, not {many}", self.part)

    def node(self, place: int) -> Node:
        """Return an argument that is an expression."""
        return self.builder._node(self.given[place])

    def _word(self, place: int) -> str:
        start, end = self.builder.source.span(self.given[place])
        return self.builder.source.text[start:end]

    def _wrong(self, place: int, kind: str, known: Sequence[str] = ()) -> TextError:
        from difflib import get_close_matches

        word = self._word(place)
        close = [] if canonical(word) in RESERVED else get_close_matches(word.lower(), known, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        reason = f"{self.name} takes {kind} here, not {word!r}{hint}"
        return self.builder.source.error_at(reason, self.given[place])

    def seat(self, place: int) -> Seat:
        """Return an argument that is a seat."""
        seat = SEATS.get(self._word(place).lower())
        if seat is None:
            raise self._wrong(place, "a seat (north, east, south or west)", list(SEATS))
        return seat

    def suit(self, place: int) -> Suit:
        """Return an argument that is a suit."""
        suit = SUITS.get(canonical(self._word(place)))
        if suit is None:
            raise self._wrong(place, "a suit (spades, hearts, diamonds or clubs)", list(SUITS))
        return suit

    def maybe_suit(self, place: int) -> Suit | None:
        """Return a suit, or None where there is no such argument."""
        return self.suit(place) if place < len(self.given) else None

    def strain(self, place: int) -> Strain:
        """Return an argument that is a strain."""
        strain = STRAINS.get(canonical(self._word(place)))
        if strain is None:
            raise self._wrong(place, "a suit or notrump", list(STRAINS))
        return strain

    def card(self, place: int) -> Card:
        """Return an argument that is a card, rank first or suit first."""
        letters = sorted(self._word(place).upper().replace("10", "T"), key=RANK_LETTERS.find)
        if len(letters) != 2 or letters[0] not in SUIT_LETTERS or letters[1] not in RANK_LETTERS:
            raise self._wrong(place, "a card, such as AS or SA,")
        return Card.parse("".join(letters))


def _hascard(call: _Call) -> Node:
    call.expect(2)
    return HasCard(call.seat(0), call.card(1))


def _card_sum(call: _Call) -> Node:
    call.expect(1, 2)
    return card_sum(call.seat(0), call.maybe_suit(1), call.builder.points_of(call.name))


def _length(call: _Call) -> Node:
    call.expect(1)
    return Length(call.seat(0), SUITS[call.name])


def _losers(call: _Call) -> Node:
    call.expect(1, 2)
    return Losers(call.seat(0), call.maybe_suit(1))


def _quality(call: _Call) -> Node:
    call.expect(2)
    return Quality(call.seat(0), call.suit(1))


def _cccc(call: _Call) -> Node:
    call.expect(1)
    return Cccc(call.seat(0))


def _tricks(call: _Call) -> Node:
    call.expect(2)
    return Tricks(call.seat(0), call.strain(1))


def _imps(call: _Call) -> Node:
    call.expect(1)
    return Imps(call.node(0))


def _rnd(call: _Call) -> Node:
    call.expect(1)
    return Random(call.node(0))


def _score(call: _Call) -> Node:
    call.expect(3)
    vulnerable = VULNERABLE.get(call._word(0).lower())
    if vulnerable is None:
        raise call._wrong(0, "vul or nv")
    contract = _CONTRACT.fullmatch(call._word(1))
    if contract is None:
        raise call._wrong(1, "a contract, such as x4S, x3N or x6HX,")
    level, strain, doubled = contract.groups()
    found = _STRAIN_LETTERS[strain[0].upper()]
    return Score(vulnerable, int(level), found, len(doubled), call.node(2))


_FUNCTIONS: dict[str, Callable[[_Call], Node]] = {
    **dict.fromkeys(SUITS, _length),
    "hcp": _card_sum,
    "losers": _losers,
    "quality": _quality,
    "cccc": _cccc,
    "hascard": _hascard,
    "tricks": _tricks,
    "score": _score,
    "imps": _imps,
    "rnd": _rnd,
}
