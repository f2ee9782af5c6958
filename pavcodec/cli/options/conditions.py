"""The texts, scripts and options that make a condition, for all commands on conditions.

Known cards are a part of it: hands, predealt cards, plays and voids. A `Request` has the condition
as a tree with its script; `space_of` makes its deals by a plan.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from pavcodec.cli.output.progress import waiting
from pavcodec.cli.output.streams import complain, name_of, open_input
from pavcodec.cli.output.targets import UsageError
from pavcodec.cli.parsers import option_group
from pavcodec.errors import NumberError, PavError, TextError
from pavcodec.files.text import blocks, decode
from pavcodec.formats.plain.texts import parse_number
from pavcodec.layout import Layout
from pavcodec.odds import plans
from pavcodec.odds.plans import counted_of, is_tested, no_deals

if TYPE_CHECKING:
    from pavcodec.constraints import ConstrainedDeals, Expression
    from pavcodec.constraints.counting.condition import Condition
    from pavcodec.constraints.known import Position
    from pavcodec.constraints.language.script import Script
    from pavcodec.constraints.nodes.syntax import Node
    from pavcodec.constraints.spaces.deals import Method
    from pavcodec.odds.questions import Space


# The options of known cards: hands, cards that were played, voids, and cards that are gone.


_NAMES = ("hand", "played", "play", "shown_out", "unused")


def add_known(parser: argparse.ArgumentParser) -> None:
    """Add the options of known cards."""
    group = option_group(parser, "known cards")
    group.add_argument(
        "--hand",
        action="append",
        default=[],
        metavar="CARDS",
        help="cards that a seat was dealt, all or a few, as in 'S AKQ2.K85.AJ4.T63' or 'S SAK,H5'; "
        "may be repeated",
    )
    group.add_argument(
        "--play",
        metavar="CARDS",
        help="the leader and all cards in the order of play, as in 'W DT D3 D2 DJ SA'; the players "
        "and their voids follow",
    )
    group.add_argument(
        "--strain", metavar="STRAIN", help="the strain of --play, NT S H D C, for tricks with ruffs"
    )
    group.add_argument(
        "--played",
        action="append",
        default=[],
        metavar="CARDS",
        help="cards that a seat played, in any order, as in 'E S93,H5'; may be repeated",
    )
    group.add_argument(
        "--shown-out",
        action="append",
        default=[],
        metavar="SUITS",
        help="suits of which a seat holds no more cards, as in 'E spades'; may be repeated",
    )
    group.add_argument(
        "--unused", metavar="CARDS", help="cards that are gone, without a known player"
    )


def add_remaining(parser: argparse.ArgumentParser) -> None:
    """Add the option that takes the gone cards out of deals."""
    option_group(parser, "known cards").add_argument(
        "--remaining",
        action="store_true",
        help="print what remains of each deal, without the cards of --play, --played and --unused",
    )


def has_known(args: argparse.Namespace) -> bool:
    """Return whether any option of known cards is given."""
    return any(getattr(args, name, None) for name in _NAMES)


def known_parts(args: argparse.Namespace) -> tuple[Node, ...]:
    """Return the conditions of the options; raise `UsageError` for known cards that no deal has."""
    if getattr(args, "strain", None) and not args.play:
        raise UsageError("--strain is that of --play: give the cards in the order of play")
    if not has_known(args):
        return ()
    if args.play and args.played:
        raise UsageError("give the played cards by --play, in order, or by --played, not both")
    from pavcodec.constraints.known import with_known_cards
    from pavcodec.constraints.language.build import parts_of
    from pavcodec.constraints.nodes.syntax import Number

    cards = getattr(args, "cards", None)
    if cards is not None:
        from pavcodec.constraints.counting.condition import ending_sizes

        cards = ending_sizes(cards)[0]
    given = _given(args)
    try:
        return parts_of(with_known_cards(Number(1), given, "known cards", cards))
    except PavError as error:
        raise UsageError(f"known cards: {_one_line(error)}") from None


def remaining_of(args: argparse.Namespace) -> Position | None:
    """Return the position whose gone cards are taken out of deals; None without `--remaining`."""
    if not args.remaining:
        return None
    from pavcodec.constraints.known import position

    known = position(**_given(args))
    if not known.gone:
        raise UsageError("--remaining needs cards that are gone: --play, --played or --unused")
    return known


def _given(args: argparse.Namespace) -> Any:  # noqa: ANN401 (arguments by their names)
    """Return the arguments for known cards of the options."""
    return {
        "hands": _by_seat("--hand", args.hand),
        "played": _play_of(args) if args.play else _by_seat("--played", args.played),
        "shown_out": _by_seat("--shown-out", args.shown_out),
        "unused": args.unused or "",
    }


def _play_of(args: argparse.Namespace) -> object:
    """Return the play of the options."""
    from pavcodec.constraints.known import Play, seat_and_rest

    try:
        leader, cards = seat_and_rest(args.play)
        return Play(leader, cards, args.strain)
    except PavError as error:
        line = _one_line(error).replace("give strain=", "give --strain")
        raise UsageError(f"--play: {line}") from None


def _by_seat(option: str, texts: list[str]) -> dict[str, str]:
    """Return the texts of an option by seat."""
    from pavcodec.constraints.known import texts_by_seat

    try:
        return texts_by_seat(texts)
    except PavError as error:
        raise UsageError(f"{option} {error}") from None


def _one_line(error: PavError) -> str:
    """Return a message in one line; a text error has its source in further lines."""
    return str(error).partition("\n")[0]


_COMMANDS = {"mix": "deal and count", "weight": "deal and odds"}
"""The commands that have a statement of scripts; their arguments have an attribute of this name."""


_POWER = re.compile(
    r"([0-9]{1,60}(?:_[0-9]{1,60}){0,20})(?:\.([0-9]{1,60}))?(?:[eE]\+?([0-9]{1,9}))?|"
    r"([0-9]{1,60})(?:\^|\*\*)([0-9]{1,9})",
    re.ASCII,
)
"""A number with an exponent or underscores, or a power."""
_LARGEST = 60


class ExpressionError(UsageError):
    """An expression on the command line is wrong; `shown` points at the place."""

    def __init__(self, error: TextError) -> None:
        first, *shown = str(error).split("\n")
        is_blank = not error.source.strip()  # then there is nothing to point at
        self.shown = [] if is_blank else shown
        super().__init__(error.message if is_blank else first)


class ScriptError(PavError):
    """A script is wrong; `shown` points at the place."""

    def __init__(self, source: str, error: TextError) -> None:
        self.shown = str(error).split("\n")[1:]
        super().__init__(f"{source}:{error.line}: {error.message}")


@dataclass(frozen=True)
class Request:
    """A condition, and its script.

    `node` is None for all deals; `source` is the name of the script in messages, and `text` the
    text of the script. `predealt` is the part of the condition that deals cards and lengths
    beforehand, if any does. `memory`, `cards` and `legal` are the options of these names.
    """

    node: Node | None
    script: Script | None = None
    source: str = ""
    text: str = ""
    predealt: Node | None = None
    memory: int | None = None
    cards: int | None = None
    legal: bool = False

    @cached_property
    def condition(self) -> Condition:
        """The condition on the deals or endings of the options."""
        return condition_of_node(self.node, self.memory, self.cards, legal=self.legal)

    def warn(self, reason: str) -> None:
        """Print a warning about the script as a whole."""
        complain(f"{self.source}: warning: {reason}")


def add_condition(
    parser: argparse.ArgumentParser,
    *,
    without: str,
    metavar: str = "EXPR",
    meaning: str = "the condition",
) -> None:
    """Add the arguments that make a condition; `without` names the default condition."""
    parser.add_argument(
        "expression", nargs="?", metavar=metavar, help=f"{meaning} (default: {without})"
    )
    add_script(parser)
    add_predeal(parser, "deal these cards first")
    add_known(parser)
    add_memory(parser)


def add_cards(parser: argparse.ArgumentParser, title: str = "condition") -> None:
    """Add the option for endings, to the group of options with this title."""
    option_group(parser, title).add_argument(
        "--cards",
        type=whole,
        metavar="N",
        help="use endings with N cards in each hand, 1 to 12, instead of deals",
    )


def add_legal(parser: argparse.ArgumentParser, title: str = "condition") -> None:
    """Add the option for legal endings, to the group of options with this title."""
    option_group(parser, title).add_argument(
        "--legal",
        action="store_true",
        help="with --cards: use only endings that legal play can reach, in some denomination",
    )


def add_predeal(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the options of cards that are given."""
    group = option_group(parser, "condition")
    group.add_argument(
        "--predeal",
        action="append",
        default=[],
        metavar="CARDS",
        help=f"{what}, as in 'north SAQ542,HKJ87'; may be repeated",
    )
    group.add_argument(
        "--template",
        type=layout_text,
        metavar="LAYOUT",
        help=f"{what}, as in 'N:AKQ... .T98.. - -'",
    )


def add_script(parser: argparse.ArgumentParser) -> None:
    """Add the option that reads a script."""
    option_group(parser, "condition").add_argument(
        "-f",
        "--script",
        metavar="SCRIPT",
        help="read a script of the classic dealer program; - is stdin",
    )


def layout_text(text: str) -> Layout:
    """Read a layout, for argparse."""
    try:
        return Layout.from_pbn(text)
    except PavError as error:
        raise argparse.ArgumentTypeError(str(error).partition("\n")[0]) from None


def add_memory(parser: argparse.ArgumentParser, title: str = "condition") -> None:
    """Add the option that limits the counting model, to the group of options with this title."""
    option_group(parser, title).add_argument(
        "--memory",
        type=size,
        metavar="SIZE",
        help="the memory limit for counting, as in 500M or 16G (default: 4G)",
    )


def whole(text: str) -> int:
    """Read a number from 0 on, for argparse: also 1e9, 1.5e6, 10^9 and 1_000_000, exactly.

    >>> whole("1.5e3"), whole("10^9"), whole("1_000_000"), whole("1,000")
    (1500, 1000000000, 1000000, 1000)
    """
    try:
        number = _power(text.strip())
        number = parse_number(text) if number is None else number
    except NumberError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if number < 0:
        raise argparse.ArgumentTypeError(f"a number from 0 on is expected, not {text}")
    return number


def _power(text: str) -> int | None:
    """Return a number with an exponent or underscores; None for another text."""
    match = _POWER.fullmatch(text)
    if match is None:
        return None
    digits, fraction, exponent, base, power = match.groups()
    if base:
        if int(power) > _LARGEST or int(base) > 10**_LARGEST:
            raise NumberError(f"{text} is too large: a number has at most {_LARGEST} digits")
        return int(pow(int(base), int(power)))
    fraction, places = (fraction or "").rstrip("0"), int(exponent or 0)
    if places > _LARGEST:
        raise NumberError(f"{text} is too large: a number has at most {_LARGEST} digits")
    if len(fraction) > places:
        raise NumberError(f"{text} is no whole number")
    return int(digits + fraction.ljust(places, "0"))


def size(text: str) -> int:
    """Read a size in bytes, for argparse, such as 500M or 16G.

    >>> size("500M")
    524288000
    """
    from pavcodec.limits import memory_of

    try:
        return memory_of(text)
    except NumberError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def condition_of_text(text: str, script: Script | None = None) -> Node:
    """Return the tree of a condition, with warnings; raise `ExpressionError` where it is wrong.

    The variables of a script hold in the condition.
    """
    from pavcodec.constraints.language.parser import parse_condition

    try:
        return parse_condition(
            text, script=script, warn=lambda reason: complain(f"warning: {reason}")
        )
    except TextError as error:
        raise ExpressionError(error) from None


def condition_of_node(
    node: Node | None,
    memory: int | None = None,
    cards: int | None = None,
    *,
    legal: bool = False,
) -> Condition:
    """Return a condition on deals, or on endings of so many cards; None for all of them."""
    from pavcodec.constraints.counting.condition import Condition
    from pavcodec.constraints.nodes.syntax import Number
    from pavcodec.limits import MEMORY

    where, limit = Number(1) if node is None else node, memory or MEMORY
    if cards is None:
        return Condition(where, limit)
    return Condition.of_endings(where, cards, limit, legal=legal)


def read_request(args: argparse.Namespace) -> Request:
    """Return the condition of the arguments; print warnings."""
    if args.expression is not None and args.script is not None:
        raise UsageError("give a condition or a script with -f, not both")
    if getattr(args, "legal", False) and args.cards is None:
        raise UsageError("--legal chooses among endings: give --cards as well")
    predealt = (*_predealt(args.predeal), *_template(args), *known_parts(args))
    other, left_out = getattr(args, "condition", None), getattr(args, "without", [])
    if args.script is not None:
        request = request_of_script(
            args.script,
            predealt,
            statements=[each for each in _COMMANDS if hasattr(args, each)],
            condition=other,
            without=left_out,
        )
    elif other is not None or left_out:
        option = "--condition" if other is not None else "--without"
        raise UsageError(f"{option} changes the condition of a script: give the script with -f")
    else:
        own = () if args.expression is None else (condition_of_text(args.expression),)
        request = Request(_all_of([*predealt, *own]), predealt=_all_of([*predealt]))
    cards, legal = getattr(args, "cards", None), getattr(args, "legal", False)
    return replace(request, memory=args.memory, cards=cards, legal=legal)


def _template(args: argparse.Namespace) -> tuple[Node, ...]:
    """Return the condition that the hands hold the cards of a layout; None without a layout."""
    if args.template is None:
        return ()
    from pavcodec.constraints.expressions import template

    return (template(args.template).node,)


def request_of_script(
    path: str,
    predealt: tuple[Node, ...] = (),
    *,
    statements: Sequence[str] = (),
    condition: str | None = None,
    without: Sequence[str] = (),
) -> Request:
    """Return the condition of a script and other predealt cards; print its warnings.

    Refuses a script with a mix or weights unless these are among the `statements` of the command.
    `condition` is a text that replaces the script's condition; the parts of the variables `without`
    are removed from the condition.
    """
    source = name_of(path)
    script, text = _read_script(path, source)
    for statement, parts in (("mix", script.mix), ("weight", script.weights)):
        if parts and statement not in statements:
            commands = _COMMANDS[statement]
            raise PavError(f"{source}: the statement '{statement}' is for the commands {commands}")
    if condition is not None:
        script = replace(script, condition=condition_of_text(condition, script))
    for name in without:
        script = replace(script, condition=_without(script, name))
    own = () if script.condition is None else (script.condition,)
    dealt = [*predealt, *script.predeal]
    return Request(_all_of([*dealt, *own]), script, source, text, _all_of(dealt))


def _without(script: Script, name: str) -> Node | None:
    """Return the condition of a script without the parts of a variable."""
    from pavcodec.constraints.language.build import parts_of
    from pavcodec.constraints.language.source import near

    if name not in script.variables:
        raise UsageError(f"--without: {near('variable', name, script.variables)}")
    kept = () if script.condition is None else parts_of(script.condition)
    parts = parts_of(script.variables[name])
    if not all(part in kept for part in parts):
        raise UsageError(
            f"--without: {name!r} is no part of the script's condition that && joins to the "
            f"others: write the condition without it, with --condition"
        )
    return _all_of([part for part in kept if part not in parts])


def _all_of(parts: list[Node]) -> Node | None:
    """Join conditions by `and`; None for none."""
    if not parts:
        return None
    from pavcodec.constraints.language.build import conjunction

    return conjunction(parts)


def _predealt(texts: list[str]) -> tuple[Node, ...]:
    """Return the conditions of predealt cards; raise `UsageError` for a text that is none."""
    if not texts:
        return ()
    from pavcodec.constraints.language.parser import parse_script
    from pavcodec.constraints.language.script import Script

    for index in range(len(texts)):
        shown = f"--predeal {texts[index]!r}"
        try:
            script = parse_script("\n".join(f"predeal {text}" for text in texts[: index + 1]))
        except TextError as error:
            raise UsageError(f"{shown}: {error.message}") from None
        if script != Script(predeal=script.predeal):
            raise UsageError(f"{shown}: expected a seat and holdings, such as 'north SAQ5,HKJ'")
    return script.predeal


def _read_script(path: str, source: str) -> tuple[Script, str]:
    """Read a script and print its warnings; return it with its text."""
    from pavcodec.constraints.language.parser import parse_script
    from pavcodec.constraints.language.script import Script
    from pavcodec.constraints.nodes.format import use_names

    with open_input(path) as stream:
        text = decode(b"".join(blocks(stream)))
    try:
        script = parse_script(text)
    except TextError as error:
        raise ScriptError(source, error) from None
    use_names(script.names)
    if script == Script():
        complain(f"{source}: the script is empty: it has no condition")
    for warning in script.warnings:
        line, _, reason = warning.partition(": ")
        complain(f"{source}:{line.removeprefix('line ')}: warning: {reason}")
    return script, text


# From conditions to their deals, for all commands.


def space_of(condition: Condition, method: Method = "exact") -> Space:
    """Return the counted deals or endings of a condition; print a notice if that takes long."""
    from pavcodec.cards import FOUR_HANDS
    from pavcodec.constraints.spaces.constrained_endings import endings_of
    from pavcodec.constraints.spaces.deals import deals_of

    with waiting("counting"):
        is_of_deals = condition.sizes == FOUR_HANDS
        space: Space = deals_of(condition, method) if is_of_deals else endings_of(condition)
        counted_of(space).cardinality  # noqa: B018 (builds the model)
    return space


def space_of_text(
    text: str, memory: int | None = None, cards: int | None = None
) -> ConstrainedDeals:
    """Return the deals or endings of an expression as a numbering that is not empty."""
    space = space_of(condition_of_node(condition_of_text(text), memory, cards))
    if is_tested(space):
        from pavcodec.constraints.nodes.format import show

        what = f"{show(space.tested.node)} cannot be counted"
        raise UsageError(f"{what}, so the deals have no indexes: {space.reasons[0]}")
    refuse_empty(space)
    return cast("ConstrainedDeals", space)


def refuse_empty(space: Space) -> None:
    """Raise `PavError` with the reason if there are no deals."""
    if not counted_of(space).cardinality:
        raise no_deals(space, excluding(space))


def excluding(space: Space) -> tuple[Expression, ...]:
    """Return the parts that exclude each other; print a notice if that takes long."""
    with waiting("looking for parts that exclude each other"):
        return plans.excluding(space)


# The option of counting.


def add_counting(parser: argparse.ArgumentParser) -> None:
    """Add the option that chooses which parts of a condition are counted."""
    option_group(parser, "condition").add_argument(
        "--method",
        choices=["plan", "exact", "test"],
        default="plan",
        help="plan: count the largest part of the condition that is quick to count, and test the "
        "rest; exact: count all parts, however long it takes; test: test all parts (default: plan)",
    )
