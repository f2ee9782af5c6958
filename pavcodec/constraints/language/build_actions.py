"""From the parse tree of a list of actions to the actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from pavcodec.cards import Seat, Strain
from pavcodec.constraints.language.actions import (
    Action,
    Average,
    Counted,
    EvalContract,
    Export,
    Frequency,
    PrintAll,
    PrintCompact,
    PrintHands,
    PrintOneLine,
    PrintPbn,
    PrintReport,
    PrintSide,
    PrintText,
    Term,
)
from pavcodec.constraints.language.build import Builder, contract_of
from pavcodec.constraints.language.source import branches, elements, near, words
from pavcodec.constraints.language.words import SEATS, VULNERABLE
from pavcodec.constraints.nodes.syntax import Node, Score, Tricks
from pavcodec.errors import TextError

if TYPE_CHECKING:
    from lark import Token

    from pavcodec.constraints.language.source import Branch


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


def _print_all(_: Builder, part: Branch) -> Action:
    return PrintAll() if part.data == "printall" else PrintPbn()


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
    "printall": _print_all,
    "printew": _print_side,
    "printns": _print_side,
    "printside": _print_side,
    "printpbn": _print_all,
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
