"""From the tree of a script to what it says: statements and actions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING

from pavcodec.cards import SUIT_SIZE, Seat
from pavcodec.constraints.actions import Action
from pavcodec.constraints.build import Builder
from pavcodec.constraints.build_actions import read_actions
from pavcodec.constraints.mixture import Mixture, read_mixture
from pavcodec.constraints.naming import Names
from pavcodec.constraints.predeal import Predeal
from pavcodec.constraints.source import Source, branches, words
from pavcodec.constraints.syntax import Node
from pavcodec.constraints.vocabulary import ALTERNATIVES, SEATS
from pavcodec.formats import Vulnerability

if TYPE_CHECKING:
    from lark import Token, Tree

    Branch = Tree[Token]

__all__ = ["Script", "read_script"]

_VULNERABLE = {
    "none": Vulnerability.NONE,
    "ns": Vulnerability.NS,
    "ew": Vulnerability.EW,
    "all": Vulnerability.ALL,
    "both": Vulnerability.ALL,
}


@dataclass(frozen=True, slots=True)
class Script:
    """What a script says; None and () where it says nothing.

    `predeal` holds `HasCard` nodes, and comparisons of a `Length` with a number by `==`.
    `mix` holds types of deals, each a condition and its weight or None. `names` has the variables
    by their nodes, each with its line, for messages.
    `generate` is how many deals the classic program tries at most. `warnings` tell of what other
    programs swallow in silence, each with its line.
    """

    condition: Node | None = None
    predeal: tuple[Node, ...] = ()
    produce: int | None = None
    generate: int | None = None
    dealer: Seat | None = None
    vulnerable: Vulnerability | None = None
    seed: int | None = None
    actions: tuple[Action, ...] = ()
    warnings: tuple[str, ...] = ()
    mix: Mixture = ()
    names: Names = field(default_factory=dict, compare=False, repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        told = [each.name for each in fields(self) if each.compare]  # names stay where messages are
        return Script, tuple(getattr(self, name) for name in told)


def read_script(text: str) -> Script:
    """Read a script; see `pavcodec.constraints.parser.parse_script`."""
    source = Source(text)
    return _Statements(source, source.tree("script")).script()


class _Statements:
    """The statements, read one after another."""

    def __init__(self, source: Source, tree: Branch) -> None:
        self.source = source
        self.statements = branches(tree)
        self.seen: dict[str, Branch] = {}
        self.defined: dict[str, int] = {}
        self.warnings: list[tuple[int, str]] = []
        self.builder = self._builder(tree)
        self.predeal = Predeal(source)
        self.numbers: dict[str, int] = {}
        self.condition: Node | None = None
        self.mix: Mixture = ()
        self.dealer: Seat | None = None
        self.vulnerable: Vulnerability | None = None
        self.actions: tuple[Action, ...] = ()

    def _builder(self, tree: Branch) -> Builder:
        """Make the builder; points hold for the whole script, wherever they are set."""
        pointcount: list[int] | None = None
        altcount: dict[int, list[int]] = {}
        for part in self.statements:
            if part.data == "pointcount":
                self._last_counts(part, "pointcount")
                pointcount = self._points(part)
            if part.data == "altcount":
                number = self.source.integer(words(part)[1])
                if number >= len(ALTERNATIVES):
                    reason = f"altcount sets one of pt0 to pt9, not pt{number}"
                    raise self.source.error_at(reason, words(part)[1])
                self._last_counts(part, f"altcount {number}")
                altcount[number] = self._points(part)
        return Builder(self.source, tree, pointcount, altcount)

    def _points(self, part: Branch) -> list[int]:
        counts = branches(part)
        if not counts:
            self._warn(part, f"{words(part)[0].lower()} is followed by no points: nothing counts")
        if len(counts) > SUIT_SIZE:
            raise self.source.error_at(f"there are {SUIT_SIZE} ranks", counts[SUIT_SIZE])
        return [self.source.signed(count) for count in counts]

    def script(self) -> Script:
        """Read all statements."""
        for part in self.statements:
            read: Callable[[Branch], None] | None = getattr(self, f"_read_{part.data}", None)
            if read is not None:
                read(part)
        unused = self.defined.keys() - self.builder.used
        self.warnings += [(self.defined[name], f"{name!r} is never used") for name in unused]
        warnings = sorted([*self.warnings, *self.builder.warnings])
        return Script(
            self.condition,
            self.predeal.nodes,
            self.numbers.get("produce"),
            self.numbers.get("generate"),
            self.dealer,
            self.vulnerable,
            self.numbers.get("seed"),
            self.actions,
            tuple(f"line {line}: {reason}" for line, reason in warnings),
            self.mix,
            self.builder.names,
        )

    def _warn(self, part: Branch, reason: str) -> None:
        self.warnings.append((self.source.line(part), reason))

    def _last_counts(self, part: Branch, name: str) -> None:
        """Warn where a statement takes the place of an earlier one."""
        if name in self.seen:
            line = self.source.line(self.seen[name])
            self._warn(part, f"a second {name}; the one in line {line} does not count")
        self.seen[name] = part

    def _read_number(self, part: Branch) -> None:
        """Read produce or generate; as in the classic program the first one counts."""
        name = str(part.data)
        if name in self.seen:
            line = self.source.line(self.seen[name])
            self._warn(part, f"a second {name} does not count; the one in line {line} does")
            return
        self.seen[name] = part
        self.numbers[name] = self.source.integer(words(part)[1])

    _read_produce = _read_number
    _read_generate = _read_number

    def _read_seed(self, part: Branch) -> None:
        self._last_counts(part, "seed")
        self.numbers["seed"] = self.source.integer(words(part)[1])

    def _read_dealer(self, part: Branch) -> None:
        self._last_counts(part, "dealer")
        self.dealer = _seat(words(part)[1])

    def _read_vulnerable(self, part: Branch) -> None:
        self._last_counts(part, "vulnerable")
        word = words(part)[1]
        if word.lower() not in _VULNERABLE:
            reason = f"vulnerable takes none, NS, EW or all, not {str(word)!r}"
            raise self.source.error_at(reason, word)
        self.vulnerable = _VULNERABLE[word.lower()]

    def _read_predeal(self, part: Branch) -> None:
        for item in branches(part):
            self.predeal.add(item)

    def _read_assignment(self, part: Branch) -> None:
        name = self.builder.assign(part)
        if name in self.defined:
            line = self.defined[name]
            self._warn(part, f"{name!r} is defined again; the one in line {line} held up to here")
        self.defined[name] = self.source.line(part)

    def _read_condition(self, part: Branch) -> None:
        self._last_counts(part, "condition")
        self.condition = self.builder.condition(branches(part)[0])

    _read_bare = _read_condition

    def _read_mix(self, part: Branch) -> None:
        self._last_counts(part, "mix")
        self.mix = read_mixture(self.builder, part)

    def _read_action(self, part: Branch) -> None:
        self._last_counts(part, "action")
        self.actions = read_actions(self.builder, part)
        if not self.actions:
            self._warn(part, "action is followed by no action")


def _seat(word: Token) -> Seat:
    return SEATS[word.lower()]
