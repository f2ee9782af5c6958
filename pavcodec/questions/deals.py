"""Which deals a question is about: a condition, a script, known cards, endings, weights.

Questions and commands on conditions share these fields. A `Request` has the condition as a tree
with its script; `space_of` makes its deals by a plan.

Rule: a text that is an expression is the condition, unless a field changes it or names its
variables. Any other text with a statement or with a variable is a script of the classic dealer
program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, cast

from pavcodec.chances import plans
from pavcodec.chances.plans import is_tested, no_deals
from pavcodec.errors import PavError, TextError
from pavcodec.files.text import blocks, decode
from pavcodec.layout import Layout
from pavcodec.questions.asking import FieldTextError, Question, QuestionError, ask, note, working
from pavcodec.questions.words import layout_text, size, whole

if TYPE_CHECKING:
    from pavcodec.constraints import ConstrainedDeals, Expression
    from pavcodec.constraints.counting.condition import Condition
    from pavcodec.constraints.known import KnownCards, Position
    from pavcodec.constraints.language.script import Script
    from pavcodec.constraints.nodes.syntax import Node
    from pavcodec.constraints.spaces.deals import CountableSpace as Space
    from pavcodec.constraints.spaces.deals import Method


# Conditions and scripts.


_FEWER = {"mix": "deal and count", "weights": "deal, count and odds"}
"""The questions that have a statement of scripts; they have a field of this name."""
_STATEMENTS = {"mix": "mix", "weights": "weight"}
_IN_SCRIPTS = re.compile(
    r"\b(?:condition|produce|generate|predeal|action|dealer|vulnerable|pointcount|altcount|seed|"
    r"title|mix|weight)\b|\b[^\W\d]\w*\s*=(?![=<>])",
    re.IGNORECASE,
)
"""A statement, or the name of a variable that gets a value."""
_OF_SCRIPTS = ("level", "without", "condition_instead")
"""Fields that change a script or name its variables."""
_OF_DEAL = re.compile(r"^\s*[0-9][0-9,_ ]{13,}\s*$|^\s*[NESW]:|://")
"""A number of a deal, a deal in PBN, or a link, in place of the cards of a hand."""
_TYPED = "the script"
"""The name of a script that is given as a text."""


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
    beforehand, if any does. `memory`, `cards` and `legal` are the fields of these names.
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
        """Tell a warning about the script as a whole."""
        note(f"{self.source}: warning: {reason}")


def warn(reason: str) -> None:
    """Tell a warning about a text."""
    note(f"warning: {reason}")


def condition_of_text(text: str, field: str = "condition", script: Script | None = None) -> Node:
    """Return the tree of a condition, with warnings; raise `FieldTextError` where it is wrong.

    The variables of a script hold in the condition.
    """
    from pavcodec.constraints.language.parser import parse_condition

    try:
        return parse_condition(text, script=script, warn=warn)
    except TextError as error:
        raise FieldTextError(field, error) from None


def read_text(
    text: str, warnings: list[str], *, rather_script: bool = False
) -> tuple[Node | None, Script | None]:
    """Return the condition of a text, and its script if it is one; add its warnings.

    A condition with variables may be read as a script. Raises `TextError` with the place of the
    first fault.
    """
    from pavcodec.constraints.language.parser import parse_condition, parse_script

    is_like_script = _IN_SCRIPTS.search(text) is not None
    if not (rather_script and is_like_script):
        try:
            return parse_condition(text, warn=warnings.append), None
        except TextError:
            if not is_like_script:
                raise
    script = parse_script(text)
    warnings[:] = script.warnings
    return script.condition, script


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


def parameters() -> Any:
    """Return the field of the values of parameters of scripts."""
    return ask(
        "a value of a parameter of a script, $0 to $9 in DealerV2, as in 1=south; may be repeated",
        default=(), flag="--set", metavar="N=VALUE", local=True, most=10,
    )  # fmt: skip


def values_of(given: Iterable[str]) -> dict[str, str]:
    """Return the values of parameters by their numbers."""
    values = {}
    for text in given:
        number, is_given, value = text.partition("=")
        number = number.strip().removeprefix("$")
        if not is_given or len(number) != 1 or not number.isdecimal():
            reason = "{parameters} takes a number from 0 to 9 and a value, as in 1=south, not "
            raise QuestionError(f"{reason}{{said}}", "parameters", said=repr(text))
        values[number] = value
    return values


@dataclass(frozen=True, kw_only=True)
class Deals(Question):
    """The fields of a question that choose deals, apart from its condition."""

    script: str = ask(
        "read a script of the classic dealer program; - is stdin",
        default="", flag="-f --script", metavar="SCRIPT", local=True,
    )  # fmt: skip
    parameters: tuple[str, ...] = parameters()
    predeal: tuple[str, ...] = ask(
        "deal these cards first, as in 'north SAQ542,HKJ87'; may be repeated",
        default=(), metavar="CARDS", most=20,
    )  # fmt: skip
    template: str = ask(
        "deal these cards first, as in 'N:AKQ... .T98.. - -'",
        default="", metavar="LAYOUT", read=layout_text, most=200,
    )  # fmt: skip
    hands: tuple[str, ...] = ask(
        "cards that a seat was dealt, all or a few, as in 'S AKQ2.K85.AJ4.T63' or 'S SAK,H5', or "
        "the deal of which it has its hand, as a number, a link or PBN; may be repeated",
        default=(), flag="--hand", group="known cards", metavar="CARDS", label="Hands", most=4,
    )  # fmt: skip
    play: str = ask(
        "the leader and all cards in the order of play, as in 'W DT D3 D2 DJ SA'; the players and "
        "their voids follow",
        default="", group="known cards", metavar="CARDS", label="The play", most=200,
    )  # fmt: skip
    strain: str = ask(
        "the strain of --play, NT S H D C, for tricks with ruffs",
        default="", group="known cards", metavar="STRAIN", most=10,
    )  # fmt: skip
    played: tuple[str, ...] = ask(
        "cards that a seat played, in any order, as in 'E S93,H5'; may be repeated",
        default=(), group="known cards", metavar="CARDS", label="Played", most=4,
    )  # fmt: skip
    shown_out: tuple[str, ...] = ask(
        "suits of which a seat holds no more cards, as in 'E spades'; may be repeated",
        default=(), group="known cards", metavar="SUITS", label="Shown out", most=4,
    )  # fmt: skip
    unused: str = ask(
        "cards that are gone, without a known player",
        default="", group="known cards", metavar="CARDS", label="Gone", most=200,
    )  # fmt: skip
    memory: int | None = ask(
        "the memory limit for counting, as in 500M or 16G (default: 4G)",
        default=None, metavar="SIZE", read=size, local=True,
    )  # fmt: skip

    def request(self, text: str | None, field: str) -> Request:
        """Return the condition of all fields; `text` is that of the field of this name.

        Notes what a script warns of.
        """
        if text is not None and self.script:
            raise QuestionError("give a condition or a script with -f, not both", field)
        cards: int | None = getattr(self, "cards", None)
        legal: bool = getattr(self, "legal", False)
        if legal and cards is None:
            raise QuestionError("{legal} chooses among endings: give {cards} as well", "legal")
        predealt = [*_predealt(self.predeal), *self._template(), *self._known_parts(cards)]
        own, script, source, written = None, None, "", ""
        if self.script:
            script, source, written = _read_script(self.script, values_of(self.parameters))
        elif text is not None:
            rather_script = any(getattr(self, name, None) for name in _OF_SCRIPTS)
            own, script = _read_field(text, field, rather_script=rather_script)
            source, written = _TYPED, text
        if script is not None:
            script = self._changed(script, source, written)
            own = script.condition
            predealt += script.predeal
        else:
            self._refuse_changes()
        node = _all_of(predealt if own is None else [*predealt, own])
        request = Request(node, script, source, written, _all_of(predealt))
        return replace(request, memory=self.memory, cards=cards, legal=legal)

    def _changed(self, script: Script, source: str, text: str) -> Script:
        """Return a script with the changes of its condition; refuse other statements.

        With types to level, a part that levels by itself is left out, unless it is asked for.
        """
        _refuse_statements(script, source, [name for name in _FEWER if hasattr(self, name)])
        instead: str | None = getattr(self, "condition_instead", None)
        if instead is not None:
            node = condition_of_text(instead, "condition_instead", script)
            script = replace(script, condition=node)
        elif getattr(self, "level", ()):
            script = self._unlevelled(script, source, text)
        for name in getattr(self, "without", ()):
            script = replace(script, condition=_without(script, name))
        return script

    def _unlevelled(self, script: Script, source: str, text: str) -> Script:
        from pavcodec.constraints.mixes.levelling import own_levelling, unlevelled

        own = own_levelling(script)
        if own is None or own in getattr(self, "without", ()):
            return script
        note(f"{source}: {own!r} levels as well, and is left out: --level has the shares")
        return unlevelled(script, text, own)

    def _refuse_changes(self) -> None:
        """Raise `QuestionError` for fields that change the condition of a script."""
        for name in ("without", "condition_instead"):
            if getattr(self, name, None):
                raise QuestionError(
                    f"{{{name}}} changes the condition of a script: give the script with -f", name
                )

    @property
    def is_known(self) -> bool:
        """Whether any card is known."""
        return any((self.hands, self.play, self.played, self.shown_out, self.unused))

    @property
    def known(self) -> KnownCards:
        """The known cards, as arguments of functions of the library."""
        played: Any = self._play() if self.play else _by_seat("played", self.played)
        return {
            "hands": {
                seat: _hand_of_deal(seat, text) or text
                for seat, text in _by_seat("hands", self.hands).items()
            },
            "played": played,
            "shown_out": _by_seat("shown_out", self.shown_out),
            "unused": self.unused,
        }

    def position(self) -> Position:
        """Return the position whose gone cards are taken out of deals."""
        from pavcodec.constraints.known import position

        known: Position = position(**cast("Any", self.known))
        if not known.gone:
            raise QuestionError(
                "{remaining} needs cards that are gone: {play}, {played} or {unused}", "remaining"
            )
        return known

    def _known_parts(self, cards: int | None) -> tuple[Node, ...]:
        """Return the conditions of known cards; raise `QuestionError` if no deal has them."""
        if self.strain and not self.play:
            raise QuestionError(
                "{strain} is that of {play}: give the cards in the order of play", "strain"
            )
        if not self.is_known:
            return ()
        if self.play and self.played:
            raise QuestionError(
                "give the played cards by {play}, in order, or by {played}, not both", "played"
            )
        from pavcodec.constraints.known import position, with_known_cards
        from pavcodec.constraints.nodes.syntax import Number, parts_of

        if cards is not None:
            from pavcodec.constraints.counting.condition import ending_sizes

            cards = ending_sizes(cards)[0]
        known, field = self.known, ""
        values = cast("dict[str, Any]", known)
        try:
            for field in ("hands", "played", "shown_out"):  # each alone, for the field of its error
                position(**{field: values[field]})
            field = "hands"
            return parts_of(with_known_cards(Number(1), known, "known cards", cards))
        except PavError as error:
            raise QuestionError("known cards: {said}", field, said=_first_line(error)) from None

    def _play(self) -> object:
        from pavcodec.constraints.known import Play, seat_and_rest

        try:
            leader, cards = seat_and_rest(self.play)
            return Play(leader, cards, self.strain or None)
        except PavError as error:
            said = _first_line(error).replace("give strain=", "give --strain")
            raise QuestionError("{play}: {said}", "play", said=said) from None

    def _template(self) -> tuple[Node, ...]:
        """Return the condition that the hands hold the cards of a layout."""
        if not self.template:
            return ()
        from pavcodec.constraints.expressions import template

        return (template(Layout.from_pbn(self.template)).node,)


@dataclass(frozen=True, kw_only=True)
class Endings(Question):
    """The fields of a question that choose endings instead of deals."""

    cards: int | None = ask(
        "use endings with N cards in each hand, 1 to 12, instead of deals",
        default=None, metavar="N", read=whole, label="Cards in each hand", most=12,
    )  # fmt: skip
    legal: bool = ask(
        "with --cards: use only endings that legal play can reach, in some denomination",
        default=False, label="Only legal endings",
    )  # fmt: skip


def _by_seat(field: str, texts: Iterable[str]) -> dict[str, str]:
    """Return the texts of a field by seat."""
    from pavcodec.constraints.known import texts_by_seat

    try:
        return texts_by_seat(texts)
    except PavError as error:
        raise QuestionError(f"{{{field}}} {{said}}", field, said=error) from None


def _hand_of_deal(seat: str, text: str) -> str:
    """Return the cards of a seat in a deal: a number, a link or PBN; "" for another text."""
    if not _OF_DEAL.search(text):
        return ""
    from pavcodec.cards import Seat
    from pavcodec.numberings import numbering
    from pavcodec.questions.inputs import Problems, TypedInput, boards_of

    ranks = numbering("deal")
    try:
        typed = TypedInput.of_deal(text, 1)
        problems = Problems(strict=True)
        found = [] if typed is None else [*boards_of([typed], problems, ranks=ranks)]
    except PavError as error:
        said = _first_line(error).removeprefix("arguments:1: ")
        raise QuestionError("{hands} {said}", "hands", said=said) from None
    layouts = [board.layout for _, board in found if board.layout is not None]
    if len(layouts) != 1:
        raise QuestionError("{hands} {said} is no deal", "hands", said=repr(text))
    return str(layouts[0][Seat.parse(seat)])


def _first_line(error: PavError) -> str:
    """Return a message in one line; a text error has its source in further lines."""
    return str(error).partition("\n")[0]


def request_of_script(path: str) -> Request:
    """Return the condition of a script and its predealt cards; note its warnings."""
    script, source, text = _read_script(path)
    _refuse_statements(script, source, ())
    dealt = [*script.predeal]
    own = [] if script.condition is None else [script.condition]
    return Request(_all_of([*dealt, *own]), script, source, text, _all_of(dealt))


def _refuse_statements(script: Script, source: str, allowed: Sequence[str]) -> None:
    """Refuse a script with a mix or weights unless these are among the allowed statements."""
    for field, parts in (("mix", script.mix), ("weights", script.weights)):
        if parts and field not in allowed:
            statement, commands = _STATEMENTS[field], _FEWER[field]
            raise PavError(f"{source}: the statement '{statement}' is for the commands {commands}")


def _without(script: Script, name: str) -> Node | None:
    """Return the condition of a script without the parts of a variable."""
    from pavcodec.constraints.language.source import near
    from pavcodec.constraints.nodes.syntax import parts_of

    if name not in script.variables:
        said = near("variable", name, script.variables)
        raise QuestionError("{without}: {said}", "without", said=said)
    kept = () if script.condition is None else parts_of(script.condition)
    parts = parts_of(script.variables[name])
    if not all(part in kept for part in parts):
        raise QuestionError(
            "{without}: {named} is no part of the script's condition that && joins to the others: "
            "write the condition without it, with {condition_instead}",
            "without",
            named=repr(name),
        )
    return _all_of([part for part in kept if part not in parts])


def _all_of(parts: list[Node]) -> Node | None:
    """Join conditions by `and`; None for none."""
    if not parts:
        return None
    from pavcodec.constraints.nodes.syntax import conjunction

    return conjunction(parts)


def _predealt(texts: Sequence[str]) -> tuple[Node, ...]:
    """Return the conditions of predealt cards; raise `QuestionError` for a text that is none."""
    if not texts:
        return ()
    from pavcodec.constraints.language.parser import parse_script
    from pavcodec.constraints.language.script import Script

    for index, text in enumerate(texts):
        named = partial(QuestionError, "{predeal} {text}: {said}", "predeal", text=repr(text))
        try:
            script = parse_script("\n".join(f"predeal {text}" for text in texts[: index + 1]))
        except TextError as error:
            raise named(said=error.message) from None
        if script != Script(predeal=script.predeal):
            raise named(said="expected a seat and holdings, such as 'north SAQ5,HKJ'")
    return script.predeal


def _read_field(text: str, field: str, *, rather_script: bool) -> tuple[Node | None, Script | None]:
    """Read a text of a field and note its warnings; return its condition, and its script if any."""
    warnings: list[str] = []
    try:
        node, script = read_text(text, warnings, rather_script=rather_script)
    except TextError as error:
        raise FieldTextError(field, error) from None
    for warning in warnings:
        warn(warning)
    return node, script


def _read_script(path: str, values: Mapping[str, str] | None = None) -> tuple[Script, str, str]:
    """Read a script and note its warnings; return it with its name and its text.

    `values` are those of its parameters.
    """
    from pavcodec.constraints.language.parser import parse_script
    from pavcodec.constraints.language.script import Script
    from pavcodec.constraints.language.source import with_parameters
    from pavcodec.constraints.nodes.format import use_names
    from pavcodec.questions.inputs import name_of, open_input

    source = name_of(path)
    with open_input(path) as stream:
        text = decode(b"".join(blocks(stream)))
    try:
        text = with_parameters(text, values or {})
        script = parse_script(text)
    except TextError as error:
        raise ScriptError(source, error) from None
    use_names(script.names)
    if script == Script():
        note(f"{source}: the script is empty: it has no condition")
    for warning in script.warnings:
        line, _, reason = warning.partition(": ")
        note(f"{source}:{line.removeprefix('line ')}: warning: {reason}")
    return script, source, text


# From conditions to their deals, for all commands.


def space_of(condition: Condition, method: Method = "exact") -> Space:
    """Return the counted deals or endings of a condition; tell if that takes long."""
    from pavcodec.constraints.spaces.deals import space_of as deals_or_endings_of

    with working("counting"):
        space = deals_or_endings_of(condition, method)
        space.counted.cardinality  # noqa: B018 (builds the model)
    return space


def space_of_text(
    text: str, memory: int | None = None, cards: int | None = None
) -> ConstrainedDeals:
    """Return the deals or endings of an expression as a numbering that is not empty."""
    space = space_of(condition_of_node(condition_of_text(text, "where"), memory, cards))
    if is_tested(space):
        from pavcodec.constraints.nodes.format import show

        what = f"{show(space.tested.node)} cannot be counted"
        raise QuestionError(
            "{what}, so the deals have no indexes: {why}", "where", what=what, why=space.reasons[0]
        )
    refuse_empty(space)
    return cast("ConstrainedDeals", space)


def refuse_empty(space: Space, field: str | None = None) -> None:
    """Raise `PavError` with the reason if there are no deals of the condition of a field."""
    if not space.counted.cardinality:
        error = no_deals(space, excluding(space))
        error.field = field
        raise error


def excluding(space: Space) -> tuple[Expression, ...]:
    """Return the parts that exclude each other; tell if that takes long."""
    with working("looking for parts that exclude each other"):
        return plans.excluding(space)
