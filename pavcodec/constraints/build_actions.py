"""From the tree of an action list to its actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from pavcodec.constraints.actions import (
    Action,
    Average,
    Counted,
    Frequency,
    PrintAll,
    PrintCompact,
    PrintEW,
    PrintHands,
    PrintOneLine,
    PrintPbn,
    PrintText,
)
from pavcodec.constraints.build import Builder
from pavcodec.constraints.source import branches, elements, near, words
from pavcodec.constraints.syntax import Node
from pavcodec.constraints.vocabulary import SEATS
from pavcodec.errors import TextError

if TYPE_CHECKING:
    from lark import Token, Tree

    Branch = Tree[Token]

__all__ = ["read_actions"]

_MOST_VALUES = {1: 100_000, 2: 1_000}
"""How many values are counted one by one, in a list and on each side of a table."""

_NAMES = (
    *("printall", "printew", "print", "printpbn", "printcompact", "printoneline", "printes"),
    *("average", "frequency"),
)


def read_actions(builder: Builder, part: Branch) -> tuple[Action, ...]:
    """Return the actions of a list.

    The grammar cannot know where the list of `printes` ends, since commas go on with either. Texts
    and numbers that follow it are its own.
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
    """Say that an element belongs to no `printes`, and names no action."""
    start, end = builder.source.span(element)
    text = builder.source.text[start:end]
    if text.isidentifier():
        return builder.source.error_at(near("action", text, _NAMES), element)
    return builder.source.error_at("texts and numbers are printed by printes", element)


def _printed(builder: Builder, elements: Sequence[Branch | Token]) -> Iterator[Node | str]:
    """Yield what is printed: a text without its quotes, a new line, a number."""
    for element in elements:
        if isinstance(element, str):
            yield "\n" if element == "\\n" else str(element)[1:-1]
        else:
            yield builder.expression(element)


def _print_all(_: Builder, part: Branch) -> Action:
    return {"printall": PrintAll, "printew": PrintEW, "printpbn": PrintPbn}[str(part.data)]()


def _print_seats(_: Builder, part: Branch) -> Action:
    return PrintHands(tuple(sorted({SEATS[word.lower()] for word in words(part)[1:]})))


def _print_hands(builder: Builder, part: Branch) -> Action:
    expressions = [builder.expression(branch) for branch in branches(part)]
    is_compact = words(part)[0].lower() == "printcompact"
    return (PrintCompact if is_compact else PrintOneLine)(expressions[0] if expressions else None)


def _print_text(builder: Builder, part: Branch) -> Action:
    return PrintText(tuple(_printed(builder, elements(part)[1:])))


def _label(part: Branch) -> str | None:
    """Return the text after the name of an action, without its quotes."""
    texts = words(part)[1:]
    return str(texts[0])[1:-1] if texts else None


def _average(builder: Builder, part: Branch) -> Action:
    return Average(_label(part), builder.expression(branches(part)[0]))


def _frequency(builder: Builder, part: Branch) -> Action:
    parts = branches(part)
    most = _MOST_VALUES[len(parts) // 3]
    counted = [_counted(builder, most, parts[at : at + 3]) for at in range(0, len(parts), 3)]
    return Frequency(_label(part), counted[0], counted[1] if len(counted) > 1 else None)


def _counted(builder: Builder, most: int, parts: Sequence[Branch]) -> Counted:
    expression, low, high = parts
    first, last = builder.source.signed(low), builder.source.signed(high)
    if last < first:
        reason = f"the highest value is not below the lowest, {first}"
        raise builder.source.error_at(reason, high)
    if last - first >= most:
        reason = f"at most {most} values are counted one by one"
        raise builder.source.error_at(reason, high)
    return Counted(builder.expression(expression), first, last)


_READERS: dict[str, Callable[[Builder, Branch], Action]] = {
    "printall": _print_all,
    "printew": _print_all,
    "printpbn": _print_all,
    "printseats": _print_seats,
    "printhands": _print_hands,
    "printes": _print_text,
    "average": _average,
    "frequency": _frequency,
}
