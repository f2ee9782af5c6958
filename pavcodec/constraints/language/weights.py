"""The weights of a script, from its parse tree: of values, and of the types of a mix.

A weight of a deal becomes a `Weight`: an expression, or a table of its values. A type of a mix is a
condition, and a fraction or None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pavcodec.cards import Seat, Suit
from pavcodec.constraints.functions import ALTERNATIVES
from pavcodec.constraints.language.build import Builder
from pavcodec.constraints.language.source import MAX_DIGITS, SourceText, branches, words
from pavcodec.constraints.language.words import SEAT_LETTERS, SEATS, SUITS, canonical
from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.nodes.syntax import (
    Arithmetic,
    Entry,
    Holding,
    InShapes,
    Length,
    Node,
    Number,
    OfHand,
    SmallHolding,
    Weight,
    distinct,
)
from pavcodec.errors import NumberError, PavError, TextError
from pavcodec.sampling import unweighted, weight_of
from pavcodec.shapes import parse_shapes

if TYPE_CHECKING:
    from lark import Token

    from pavcodec.constraints.language.source import Branch


_HEAD = re.compile(r"(\w+)\s*(?:\(\s*(\w+)\s*\))?")
_VALUES = re.compile(r"(-?[0-9]+)(?:\s*-\s*(-?[0-9]+)|\s*(\+))?")
_QUOTIENT = re.compile(r"([0-9]+)\s*/\s*([0-9]+)")
_LONGEST = 1000
_OTHERWISE = "else"

T = TypeVar("T")

MixTypes = tuple[tuple[Node, Fraction | None], ...]

TableRows = tuple[tuple[str, "Token", Fraction], ...]
"""The entries of a table: key, its token in the text, weight."""


def read_weights(builder: Builder, part: Branch) -> tuple[Weight, ...]:
    """Return the weights of a list; raise `TextError` for a fault."""
    seats = [
        (SEATS | SEAT_LETTERS)[word.rstrip(": \t\r\n").lower()]
        for word in words(part)
        if word.type == "SEAT_OF_WEIGHTS"
    ]
    reader = _WeightsReader(builder, seats[0] if seats else None)
    return tuple(map(reader.weight, branches(part)))


class _WeightsReader:
    """A reader of the weights of a list; `seat` is the seat before it, None if there is none."""

    def __init__(self, builder: Builder, seat: Seat | None) -> None:
        self.builder = builder
        self.source = builder.source
        self.seat = seat

    def weight(self, part: Branch) -> Weight:
        """Return the weight of a branch."""
        if part.data == "of_hand":
            return self._of_hand(words(part)[0], branches(part)[0])
        expression, *tables = branches(part)
        if expression.data == "decimal" and not tables:
            [number] = words(expression)
            return Weight.constant(self._fraction(number, number))
        quotient = _QUOTIENT.fullmatch(self.source.code, *self.source.span(expression))
        if quotient and not tables:
            return Weight.constant(self._fraction("/".join(quotient.groups()), expression))
        node = self.builder.integer(expression)
        self._check_seats(node, expression)
        return self._of_number(node, tables[0] if tables else None)

    def _check_seats(self, node: Node, part: Branch | Token) -> None:
        """Raise `TextError` for an expression that depends on another seat than `seat`."""
        if self.seat is None:
            return
        seats = {each.seat for each in distinct(node) if isinstance(each, OfHand)}
        others = sorted(seats - {self.seat})
        if others:
            reason = f"this depends on {_name(others[0])}, but it is a weight of {_name(self.seat)}"
            hint = "a weight of several seats has no seat before it"
            raise self.source.error_at(f"{reason}; {hint}", part)

    def _of_number(self, node: Node, table: Branch | None) -> Weight:
        """Return a weight that is a number, or a table of its values."""
        whole = format_node(node)
        *definitions, name = whole.split("\n")
        if table is None:
            return Weight(node, text=whole)
        rows, otherwise = self._entries(table)
        entries = tuple(
            self._values(key, token)._replace(weight=weight) for key, token, weight in rows
        )
        self._refuse_common(rows, entries, Entry.meets)
        head = name if isinstance(node, OfHand) else f"({name})"
        text = "\n".join([*definitions, _text(head, rows, otherwise)])
        return Weight(node, entries, otherwise, text)

    def _of_hand(self, head: Token, table: Branch) -> Weight:
        """Return a table of a function of the hand, such as `hcp` or `holding(spades)`."""
        assert self.seat is not None
        match = _HEAD.fullmatch(head)
        assert match is not None
        name, argument = match.groups()
        if canonical(name) == "shape" and argument is None:
            return self._of_choices(f"{_name(self.seat)}: shape", table, self._shapes)
        if canonical(name) == "holding" and canonical(argument or "") in SUITS:
            suit = SUITS[canonical(argument or "")]
            head_of = f"{_name(self.seat)}: holding({suit.name.lower()})"
            return self._of_choices(head_of, table, partial(self._holding, suit))
        if canonical(name) in SUITS and argument is None:
            return self._of_number(Length(self.seat, SUITS[canonical(name)]), table)
        return self._of_number(self._function(head, name, argument), table)

    def _function(self, head: Token, name: str, argument: str | None) -> Node:
        """Return the node of a function of the hand, from its text without the seat."""
        assert self.seat is not None
        is_whole = argument is not None and argument.lower() in SEATS | SEAT_LETTERS
        rest = f", {argument}" if argument else ""
        text = str(head) if is_whole else f"{name}({_name(self.seat)}{rest})"
        points = {n: self.builder.points_of(each) for n, each in enumerate(ALTERNATIVES)}
        source = SourceText(text)
        try:
            tree = source.tree("expression")
            node = Builder(source, tree, self.builder.points_of("hcp"), points).integer(tree)
        except TextError as error:
            raise self.source.error_at(error.message, head) from None
        self._check_seats(node, head)
        return node

    def _of_choices(
        self, head: str, table: Branch, choose: Callable[[str, Token], _Choice]
    ) -> Weight:
        """Return a table of conditions that exclude each other, such as lists of shapes.

        The number of the weight is the place of the true condition, from 1, or 0.
        """
        rows, otherwise = self._entries(table)
        choices = [choose(key, token) for key, token, _ in rows]
        self._refuse_common(rows, choices, lambda one, other: bool(one.of & other.of))
        number: Node = Number(0)
        for value, choice in enumerate(choices, start=1):
            node = Arithmetic("*", Number(value), choice.node) if value > 1 else choice.node
            number = Arithmetic("+", number, node) if value > 1 else node
        entries = tuple(Entry(value, value, row[-1]) for value, row in enumerate(rows, start=1))
        return Weight(number, entries, otherwise, _text(head, rows, otherwise))

    def _shapes(self, key: str, token: Token) -> _Choice:
        """Return the choice of a list of shapes."""
        assert self.seat is not None
        try:
            shapes = parse_shapes(key)
        except TextError as error:
            start = self.source.span(token)[0]
            span = (start + error.span[0], start + error.span[1])
            raise self.source.error(error.message, span) from None
        return _Choice(InShapes(self.seat, shapes), frozenset(shapes))

    def _holding(self, suit: Suit, key: str, token: Token) -> _Choice:
        """Return the choice of a holding in a suit."""
        assert self.seat is not None
        try:
            holding = SmallHolding.parse(key)
        except PavError as error:
            raise self.source.error_at(str(error), token) from None
        return _Choice(Holding(self.seat, suit, holding), _cards_of(holding))

    def _entries(self, table: Branch) -> tuple[TableRows, Fraction]:
        """Return (the entries of a table, the weight of all other values)."""
        rows, otherwise = [], None
        for entry in branches(table):
            token, word = words(entry)
            key = " ".join(token.split())
            weight = self._fraction(word, word)
            if key.lower() != _OTHERWISE:
                rows.append((key, token, weight))
            elif otherwise is not None:
                raise self.source.error_at("a table has one else", token)
            else:
                otherwise = weight
        return tuple(rows), Fraction(0) if otherwise is None else otherwise

    def _fraction(self, text: str, part: Token | Branch) -> Fraction:
        """Return the weight of a text such as 35, 2.5 or 1/3."""
        if len(text) > _LONGEST:
            raise self.source.error_at(f"a weight has at most {_LONGEST} characters", part)
        try:
            return Fraction(text)
        except ZeroDivisionError:
            reason = f"a weight is a number such as 35, 2.5 or 1/3, not '{text}'"
            raise self.source.error_at(reason, part) from None

    def _values(self, key: str, token: Token) -> Entry:
        """Return the values of a key, such as 12, 14-16 or 17+."""
        match = _VALUES.fullmatch(key)
        if not match:
            kinds = "a value such as 12, a range such as 14-16, 17+, or else"
            raise self.source.error_at(f"expected {kinds}, not {key!r}", token)
        if max(len(each.lstrip("-")) for each in match.groups()[:2] if each) > MAX_DIGITS:
            raise self.source.error_at(f"a number has at most {MAX_DIGITS} digits", token)
        low = int(match[1])
        high = None if match[3] else int(match[2] or low)
        if high is not None and high < low:
            raise self.source.error_at(f"a range goes up, as in {high}-{low}, not {key}", token)
        return Entry(low, high, Fraction(0))

    def _refuse_common(
        self, rows: TableRows, choices: Sequence[T], meet: Callable[[T, T], bool]
    ) -> None:
        """Raise `TextError` if two entries of a table have a value in common."""
        for one, other in combinations(range(len(rows)), 2):
            if meet(choices[one], choices[other]):
                both = f"{rows[one][0]!r} and {rows[other][0]!r}"
                reason = f"{both} have values in common: a value has one weight in a table"
                raise self.source.error_at(reason, rows[other][1])


class _Choice(NamedTuple):
    """A condition of a table, and the shapes or holdings for which it is true."""

    node: Node
    of: frozenset[object]


@cache
def _cards_of(holding: SmallHolding) -> frozenset[object]:
    """Return the holdings of a suit, as ranks, that a holding with small cards means."""
    small = combinations(holding.small_ranks, holding.small)
    return frozenset(holding.ranks + "".join(some) for some in small)


def _name(seat: Seat) -> str:
    return seat.name.lower()


def _text(head: str, rows: TableRows, otherwise: Fraction) -> str:
    """Return the text of a table."""
    entries = [f"{key}: {weight}" for key, _, weight in rows]
    if otherwise:
        entries.append(f"{_OTHERWISE}: {otherwise}")
    return f"{head} {{{', '.join(entries)}}}"


def read_mix(builder: Builder, part: Branch) -> MixTypes:
    """Return the types of a mix.

    Raises `TextError` for a wrong weight, and if some types have a weight and others have none.
    """
    kinds = branches(part)
    types = tuple(
        (builder.condition(branches(kind)[0]), _weight_of_type(builder, kind)) for kind in kinds
    )
    missing = unweighted([weight for _, weight in types])
    if missing is not None:
        reason = "this type has no weight, but other types have: give weights to all or none"
        raise builder.source.error_at(reason, kinds[missing])
    return types


def _weight_of_type(builder: Builder, kind: Branch) -> Fraction | None:
    for word in words(kind):
        try:
            return weight_of(str(word))
        except NumberError as error:
            raise builder.source.error_at(str(error), word) from None
    return None
