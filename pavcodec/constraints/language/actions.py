"""The actions of a script, which print deals, and compute averages and frequencies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pavcodec.boards.board import Vulnerability
from pavcodec.cards import Seat, Strain
from pavcodec.constraints.language.build import Builder, Call, contract_of
from pavcodec.constraints.language.source import branches, elements, near, words
from pavcodec.constraints.language.words import SEATS, VULNERABLE
from pavcodec.constraints.nodes.syntax import Node, Par, Score, Tricks
from pavcodec.errors import TextError

if TYPE_CHECKING:
    from lark import Token

    from pavcodec.constraints.language.source import Branch


@dataclass(frozen=True, slots=True)
class Hands:
    """The hands of some seats, in a layout of `pavcodec.constraints.scripts.report`."""

    layout: str
    seats: tuple[Seat, ...] = tuple(Seat)


@dataclass(frozen=True, slots=True)
class OfPar:
    """The contract of a par score, as `parcontract` of DealerV2."""

    par: Par


Part = Node | str | Hands | OfPar
"""What an action prints for a deal: a number, a text, hands or the contract of par."""


class Action:
    """An action that a script does for every deal.

    `word` starts it, and `expressions` are those that it evaluates for each deal, in order.
    """

    __slots__ = ()
    word: str
    expressions: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Print(Action):
    r"""Print texts, numbers and hands one after another; a line break is the text `"\n"`.

    >>> from pavcodec.constraints.nodes.syntax import Number
    >>> Print("printes", (Number(1), " point", "\n")).expressions
    (Number(value=1),)
    """

    word: str
    parts: tuple[Part, ...]

    @property
    def expressions(self) -> tuple[Node, ...]:  # type: ignore[override]
        """The numbers, and the par scores whose contracts are printed."""
        numbers = (each.par if isinstance(each, OfPar) else each for each in self.parts)
        return tuple(each for each in numbers if isinstance(each, Node))


@dataclass(frozen=True, slots=True)
class PrintHands(Action):
    """At the end, print the hands of each seat in `seats`, four deals side by side."""

    seats: tuple[Seat, ...]
    word = "print"


@dataclass(frozen=True, slots=True)
class Average(Action):
    """At the end, print the average of an expression."""

    label: str | None
    expression: Node
    word = "average"

    @property
    def expressions(self) -> tuple[Node, ...]:  # type: ignore[override]
        """The expression."""
        return (self.expression,)


@dataclass(frozen=True, slots=True)
class Counted:
    """An expression whose values from `low` to `high` are counted in buckets of `size` values.

    The numbers are integers in units of the last of `places` decimals.

    The last bucket contains `high`. All values below `low` are counted together, and so are all
    values above the last bucket.
    """

    expression: Node
    low: int
    high: int
    size: int = 1
    places: int = 0

    @property
    def buckets(self) -> int:
        """The number of buckets from low to high."""
        return 1 + (self.high - self.low) // self.size


@dataclass(frozen=True, slots=True)
class Frequency(Action):
    """At the end, print the frequency of each value of an expression, or of each pair of values.

    `axes` has one expression or two. The word is `frequency`, or `bktfreq` for another layout.
    """

    word: str
    label: str | None
    axes: tuple[Counted, ...]

    @property
    def expressions(self) -> tuple[Node, ...]:  # type: ignore[override]
        """The expression of each axis."""
        return tuple(axis.expression for axis in self.axes)


@dataclass(frozen=True, slots=True)
class EvalContract(Action):
    """At the end, print the results of a contract, and the games and slams that it missed.

    South is the declarer for the side NS, West for EW.
    """

    side: str
    contract: Score
    word = "evalcontract"

    @property
    def expressions(self) -> tuple[Node, ...]:  # type: ignore[override]
        """The tricks of the declarer."""
        return (self.contract.tricks,)


# From the parse tree of a list of actions to the actions.


_MOST_VALUES = {1: 100_000, 2: 1_000}
"""The greatest number of buckets, in a list and in each dimension of a table."""

_NAMES = (
    *("printall", "printew", "print", "printpbn", "printcompact", "printoneline", "printes"),
    *("average", "frequency", "bktfreq", "evalcontract"),
    *("printns", "printside", "printrpt", "csvrpt", "export"),
)
_SIDES = {"ns": (Seat.NORTH, Seat.SOUTH), "ew": (Seat.EAST, Seat.WEST)}
"""The seats of a side. The second is printed on the left, and is declarer in `evalcontract`."""
_HANDS = {
    "printall": Hands("board"),
    "printpbn": Hands("pbn"),
    "printcompact": Hands("lines"),
    "printoneline": Hands("line"),
    **{f"print{side}": Hands("columns", seats[::-1]) for side, seats in _SIDES.items()},
}
"""The hands that some actions print, and their layout."""
_REPORTED = (Strain.CLUBS, Strain.DIAMONDS, Strain.HEARTS, Strain.SPADES, Strain.NOTRUMP)
"""The strains in the order in which `trix` prints them."""


def read_actions(builder: Builder, part: Branch) -> tuple[Action, ...]:
    """Return the actions of a list; raise `TextError` for an element that is no action.

    A comma separates actions, and also the elements of `printes`, so the grammar does not decide
    where the list of `printes` ends. Here, texts and numbers after `printes` are its elements.
    """
    actions: list[Action] = []
    for element in elements(part)[1:]:
        name = str(getattr(element, "data", ""))
        if name in _READERS and not isinstance(element, str):
            actions.append(_READERS[name](builder, element))
            continue
        last = actions[-1] if actions else None
        if not isinstance(last, Print) or last.word != "printes":
            raise _no_action(builder, element)
        actions[-1] = Print(last.word, (*last.parts, _printed(builder, element)))
    return tuple(actions)


def _no_action(builder: Builder, element: Branch | Token) -> TextError:
    """Return the error for an element that follows no `printes` and is no action."""
    start, end = builder.source.span(element)
    text = builder.source.text[start:end]
    if text.isidentifier():
        return builder.source.error_at(near("action", text, _NAMES), element)
    return builder.source.error_at("write texts and numbers after printes", element)


def _printed(builder: Builder, element: Branch | Token) -> Node | str:
    """Return an element of `printes`: a text without quotes, a line break, or a number."""
    if not isinstance(element, str):
        return builder.expression(element)
    return "\n" if element == "\\n" else str(element)[1:-1]


def _print_text(builder: Builder, part: Branch) -> Action:
    return Print("printes", tuple(_printed(builder, each) for each in elements(part)[1:]))


def _print_hands(builder: Builder, part: Branch) -> Action:
    word = words(part)[0].lower()
    parts: list[Part] = [_HANDS[word], *map(builder.expression, branches(part))]
    if len(parts) > 1 or word != "printcompact":  # which ends its lines itself
        parts.append("\n")
    return Print(word, tuple(parts))


def _print_side(builder: Builder, part: Branch) -> Action:
    word = f"print{_side(builder, part)}"
    return Print(word, (_HANDS[word], "\n"))


def _side(builder: Builder, part: Branch) -> str:
    """Return the side that is the first argument: ns or ew."""
    name = words(part)[1]
    if name.lower() not in _SIDES:
        raise _wrong(builder, part, "a side, NS or EW,", name)
    return name.lower()


def _wrong(builder: Builder, part: Branch, kind: str, word: Token) -> TextError:
    """Return the error for an argument of another kind."""
    return builder.source.error_at(f"{part.data} takes {kind} here, not {str(word)!r}", word)


def _export(builder: Builder, part: Branch) -> Action:
    name = words(part)[1]
    seats = _seats(name)
    if not seats:
        raise _wrong(builder, part, "a seat or a side, NS or EW,", name)
    return Print("export", (Hands("predeal", seats), "\n"))


def _seats(name: str) -> tuple[Seat, ...]:
    """Return the seat or the two seats of a side that a word names; otherwise ()."""
    seat = SEATS.get(name.lower())
    return _SIDES.get(name.lower(), ()) if seat is None else (seat,)


def _report(builder: Builder, part: Branch) -> Action:
    """Return a row of a report: a blank, and the columns between commas."""
    parts: list[Part] = [" "]
    for element in elements(part)[1:]:
        for column in _columns(builder, element):
            parts += [column, ","]
    return Print(words(part)[0].lower(), (*parts[:-1], "\n"))


def _columns(builder: Builder, element: Branch | Token) -> Sequence[Part]:
    """Return columns of a report; a variable hides the side, seat or `deal` of its name."""
    if isinstance(element, str):
        return [f"'{str(element)[1:-1]}'"]
    if element.data == "trix":
        name = words(element)[1]
        seats = tuple(Seat) if name.lower() == "deal" else (SEATS.get(name.lower()),)
        if None in seats:
            raise _wrong(builder, element, "a seat or deal", name)
        return [Tricks(seat, each) for seat in seats if seat is not None for each in _REPORTED]
    word = str(words(element)[0]) if element.data in ("call", "name") else ""
    if word.lower() == "parcontract" and not builder.knows(word):
        return [_contract_of_par(Call(builder, "parcontract", element))]
    if element.data == "name" and not builder.knows(word):
        seats = tuple(Seat) if word.lower() == "deal" else _seats(word)
        if seats:
            return [Hands("line", seats)]
    return [builder.expression(element)]


def _contract_of_par(asked: Call) -> OfPar:
    if len(asked.given) > 1:
        raise asked.wrong(1, "none, ns, ew or both alone")
    return OfPar(Par(0, asked.vulnerable(0) if asked.given else Vulnerability.NONE))


def _eval_contract(builder: Builder, part: Branch) -> Action:
    _, _, word, vulnerability = words(part)
    side = _side(builder, part)
    contract = contract_of(word)
    if contract is None:
        raise _wrong(builder, part, "a contract, such as x4S,", word)
    vulnerable = VULNERABLE.get(vulnerability.lower())
    if vulnerable is None:
        raise _wrong(builder, part, "vul or nv", vulnerability)
    _, declarer = _SIDES[side]
    _, strain, _ = contract
    return EvalContract(side.upper(), Score(vulnerable, *contract, Tricks(declarer, strain)))


def _print_seats(_: Builder, part: Branch) -> Action:
    return PrintHands(tuple(sorted({SEATS[word.lower()] for word in words(part)[1:]})))


def _label(part: Branch) -> str | None:
    """Return the text after the name of an action, without quotes; None if there is no text."""
    texts = words(part)[1:]
    return str(texts[0])[1:-1] if texts else None


def _average(builder: Builder, part: Branch) -> Action:
    return Average(_label(part), builder.expression(branches(part)[0]))


def _frequency(builder: Builder, part: Branch) -> Action:
    parts, word = branches(part), str(part.data)
    width = 4 if word == "bktfreq" else 3
    most = _MOST_VALUES[len(parts) // width]
    axes = (_counted(builder, most, parts[at : at + width]) for at in range(0, len(parts), width))
    return Frequency(word, _label(part), tuple(axes))


def _counted(builder: Builder, most: int, parts: Sequence[Branch]) -> Counted:
    expression, low, high, *sizes = parts
    given = list(map(builder.source.signed, (low, high, *sizes)))
    node, (first, last, *size_given), places = builder.scaled_like(expression, given)
    size = size_given[0] if size_given else 1
    if size < 1:
        raise builder.source.error_at("the size of a bucket is 1 or more", sizes[0])
    if last < first:
        reason = f"the highest value is not below the lowest, {given[0]}"
        raise builder.source.error_at(reason, high)
    if (last - first) // size >= most:
        reason = f"at most {most} values can be counted one by one"
        raise builder.source.error_at(reason, high)
    return Counted(node, first, last, size, places)


_READERS: dict[str, Callable[[Builder, Branch], Action]] = {
    "printhands": _print_hands,
    "printside": _print_side,
    "printseats": _print_seats,
    "printes": _print_text,
    "printrpt": _report,
    "export": _export,
    "average": _average,
    "frequency": _frequency,
    "bktfreq": _frequency,
    "evalcontract": _eval_contract,
}
