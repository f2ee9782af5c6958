"""The actions of a script, which print deals, and compute averages and frequencies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pavcodec.cards import Seat, Strain
from pavcodec.constraints.language.build import Builder, contract_of
from pavcodec.constraints.language.source import branches, elements, near, words
from pavcodec.constraints.language.words import SEATS, VULNERABLE
from pavcodec.constraints.nodes.syntax import Node, Score, Tricks
from pavcodec.errors import TextError

if TYPE_CHECKING:
    from lark import Token

    from pavcodec.constraints.language.source import Branch


Term = Node | str | tuple[Seat, ...] | tuple[Tricks, ...]
"""A column of a report: a number, a text, hands of some seats, or tricks of some declarers."""


class Action:
    """An action that a script does for every deal."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class PrintAll(Action):
    """Print the four hands side by side."""


@dataclass(frozen=True, slots=True)
class PrintSide(Action):
    """Print the two hands of a partnership side by side: South and North, or West and East."""

    left: Seat
    right: Seat


@dataclass(frozen=True, slots=True)
class PrintHands(Action):
    """At the end, print the hands of each seat in `seats`, four deals side by side."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class PrintPbn(Action):
    """Print a board in PBN."""


@dataclass(frozen=True, slots=True)
class PrintCompact(Action):
    """Print one hand in each line, and then a number if there is an expression."""

    expression: Node | None


@dataclass(frozen=True, slots=True)
class PrintOneLine(Action):
    """Print the four hands in one line, and then a number if there is an expression."""

    expression: Node | None


@dataclass(frozen=True, slots=True)
class PrintText(Action):
    r"""Print texts and numbers one after another; a line break is the text `"\n"`."""

    parts: tuple[Node | str, ...]


@dataclass(frozen=True, slots=True)
class PrintReport(Action):
    """Print a row of a report; if `is_file`, the rows are written to a separate file."""

    terms: tuple[Term, ...]
    is_file: bool


@dataclass(frozen=True, slots=True)
class Export(Action):
    """Print the hands of some seats in the notation of `predeal`, as rows of a file."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Average(Action):
    """At the end, print the average of an expression."""

    label: str | None
    expression: Node


@dataclass(frozen=True, slots=True)
class Counted:
    """An expression whose values from `low` to `high` are counted in buckets of `size` values.

    The last bucket contains `high`. All values below `low` are counted together, and so are all
    values above the last bucket.
    """

    expression: Node
    low: int
    high: int
    size: int = 1

    @property
    def buckets(self) -> int:
        """The number of buckets from low to high."""
        return 1 + (self.high - self.low) // self.size


@dataclass(frozen=True, slots=True)
class Frequency(Action):
    """At the end, print the frequency of each value of an expression, or of each pair of values.

    `has_buckets` is true for `bktfreq`, which prints the table in another layout.
    """

    label: str | None
    rows: Counted
    columns: Counted | None
    has_buckets: bool = False


@dataclass(frozen=True, slots=True)
class EvalContract(Action):
    """At the end, print the results of a contract, and the games and slams that it missed.

    South is the declarer for the side NS, West for EW.
    """

    side: str
    contract: Score


def expressions_of(action: Action) -> tuple[Node, ...]:
    """Return the expressions that an action evaluates for each deal, in order.

    >>> from pavcodec.constraints.nodes.syntax import Number
    >>> expressions_of(PrintText((Number(1), "points")))
    (Number(value=1),)
    """
    match action:
        case EvalContract(_, contract):
            return (contract.tricks,)
        case Frequency(_, rows, columns):
            return (rows.expression, *([columns.expression] if columns else []))
        case PrintReport(terms):
            parts = [
                part for each in terms for part in (each if isinstance(each, tuple) else [each])
            ]
            return tuple(each for each in parts if isinstance(each, Node))
        case PrintText(parts):
            return tuple(each for each in parts if isinstance(each, Node))
    expression = getattr(action, "expression", None)
    return () if expression is None else (expression,)


def word_of(action: Action) -> str:
    """Return the word that starts an action.

    >>> word_of(PrintAll()), word_of(PrintReport((), is_file=True))
    ('printall', 'csvrpt')
    """
    if isinstance(action, PrintReport):
        return "csvrpt" if action.is_file else "printrpt"
    if isinstance(action, PrintSide):
        return "printew" if action.left == Seat.WEST else "printns"
    is_bucketed = isinstance(action, Frequency) and action.has_buckets
    return "bktfreq" if is_bucketed else _WORDS[type(action)]


_WORDS: dict[type[Action], str] = {
    PrintAll: "printall",
    PrintHands: "print",
    PrintPbn: "printpbn",
    PrintCompact: "printcompact",
    PrintOneLine: "printoneline",
    PrintText: "printes",
    Export: "export",
    Average: "average",
    Frequency: "frequency",
    EvalContract: "evalcontract",
}


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
        elif actions and isinstance(actions[-1], PrintText):
            actions[-1] = PrintText((*actions[-1].parts, *_printed(builder, [element])))
        else:
            raise _no_action(builder, element)
    return tuple(actions)


def _no_action(builder: Builder, element: Branch | Token) -> TextError:
    """Return the error for an element that follows no `printes` and is no action."""
    start, end = builder.source.span(element)
    text = builder.source.text[start:end]
    if text.isidentifier():
        return builder.source.error_at(near("action", text, _NAMES), element)
    return builder.source.error_at("write texts and numbers after printes", element)


def _printed(builder: Builder, elements: Sequence[Branch | Token]) -> Iterator[Node | str]:
    """Yield the printed elements: texts without quotes, line breaks, and nodes of numbers."""
    for element in elements:
        if isinstance(element, str):
            yield "\n" if element == "\\n" else str(element)[1:-1]
        else:
            yield builder.expression(element)


def _print_side(builder: Builder, part: Branch) -> Action:
    side = _side(builder, part) if part.data == "printside" else str(part.data)[-2:]
    return PrintSide(*reversed(_SIDES[side]))


def _side(builder: Builder, part: Branch) -> str:
    """Return the side that is the first argument: ns or ew."""
    name = words(part)[1]
    if name.lower() not in _SIDES:
        reason = f"{part.data} takes a side, NS or EW, here, not {str(name)!r}"
        raise builder.source.error_at(reason, name)
    return name.lower()


def _export(builder: Builder, part: Branch) -> Action:
    name = words(part)[1]
    seats = _seats(name)
    if not seats:
        reason = f"export takes a seat or a side, NS or EW, here, not {str(name)!r}"
        raise builder.source.error_at(reason, name)
    return Export(seats)


def _seats(name: str) -> tuple[Seat, ...]:
    """Return the seat or the two seats of a side that a word names; otherwise ()."""
    seat = SEATS.get(name.lower())
    return _SIDES.get(name.lower(), ()) if seat is None else (seat,)


def _report(builder: Builder, part: Branch) -> Action:
    name, *_ = words(part)
    terms = tuple(_term(builder, each) for each in elements(part)[1:])
    return PrintReport(terms, is_file=name.lower() == "csvrpt")


def _term(builder: Builder, element: Branch | Token) -> Term:
    """Return a column of a report; a variable hides the side, seat or `deal` of its name."""
    if isinstance(element, str):
        return str(element)[1:-1]
    if element.data == "trix":
        name = words(element)[1]
        seats = tuple(Seat) if name.lower() == "deal" else (SEATS.get(name.lower()),)
        if None in seats:
            reason = f"trix takes a seat or deal here, not {str(name)!r}"
            raise builder.source.error_at(reason, name)
        return tuple(Tricks(seat, each) for seat in seats if seat is not None for each in _REPORTED)
    if element.data == "name" and not builder.knows(str(element.children[0])):
        name = words(element)[0]
        seats = tuple(Seat) if name.lower() == "deal" else _seats(name)
        if seats:
            return seats
    return builder.expression(element)


def _eval_contract(builder: Builder, part: Branch) -> Action:
    _, _, word, vulnerability = words(part)
    side = _side(builder, part)
    contract = contract_of(word)
    if contract is None:
        reason = f"evalcontract takes a contract, such as x4S, here, not {str(word)!r}"
        raise builder.source.error_at(reason, word)
    vulnerable = VULNERABLE.get(vulnerability.lower())
    if vulnerable is None:
        reason = f"evalcontract takes vul or nv here, not {str(vulnerability)!r}"
        raise builder.source.error_at(reason, vulnerability)
    _, declarer = _SIDES[side]
    _, strain, _ = contract
    return EvalContract(side.upper(), Score(vulnerable, *contract, Tricks(declarer, strain)))


def _print_seats(_: Builder, part: Branch) -> Action:
    return PrintHands(tuple(sorted({SEATS[word.lower()] for word in words(part)[1:]})))


def _print_hands(builder: Builder, part: Branch) -> Action:
    expressions = [builder.expression(branch) for branch in branches(part)]
    is_compact = words(part)[0].lower() == "printcompact"
    return (PrintCompact if is_compact else PrintOneLine)(expressions[0] if expressions else None)


def _print_text(builder: Builder, part: Branch) -> Action:
    return PrintText(tuple(_printed(builder, elements(part)[1:])))


def _label(part: Branch) -> str | None:
    """Return the text after the name of an action, without quotes; None if there is no text."""
    texts = words(part)[1:]
    return str(texts[0])[1:-1] if texts else None


def _average(builder: Builder, part: Branch) -> Action:
    return Average(_label(part), builder.expression(branches(part)[0]))


def _frequency(builder: Builder, part: Branch) -> Action:
    parts, has_buckets = branches(part), part.data == "bktfreq"
    width = 4 if has_buckets else 3
    most = _MOST_VALUES[len(parts) // width]
    axes = [_counted(builder, most, parts[at : at + width]) for at in range(0, len(parts), width)]
    return Frequency(_label(part), axes[0], axes[1] if len(axes) > 1 else None, has_buckets)


def _counted(builder: Builder, most: int, parts: Sequence[Branch]) -> Counted:
    expression, low, high, *sizes = parts
    first, last = builder.source.signed(low), builder.source.signed(high)
    size = builder.source.signed(sizes[0]) if sizes else 1
    if size < 1:
        raise builder.source.error_at("the size of a bucket is 1 or more", sizes[0])
    if last < first:
        reason = f"the highest value is not below the lowest, {first}"
        raise builder.source.error_at(reason, high)
    if (last - first) // size >= most:
        reason = f"at most {most} values can be counted one by one"
        raise builder.source.error_at(reason, high)
    return Counted(builder.expression(expression), first, last, size)


_READERS: dict[str, Callable[[Builder, Branch], Action]] = {
    "printall": lambda *_: PrintAll(),
    "printew": _print_side,
    "printns": _print_side,
    "printside": _print_side,
    "printpbn": lambda *_: PrintPbn(),
    "printseats": _print_seats,
    "printhands": _print_hands,
    "printes": _print_text,
    "printrpt": _report,
    "export": _export,
    "average": _average,
    "frequency": _frequency,
    "bktfreq": _frequency,
    "evalcontract": _eval_contract,
}
