"""From the parse tree of a script to a `Script`: its statements and actions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from pavcodec.boards import Vulnerability
from pavcodec.cards import HAND_SIZE, RANK_LETTERS, SUIT_LETTERS, SUIT_SIZE, Card, Seat, Suit
from pavcodec.constraints.functions import ALTERNATIVES
from pavcodec.constraints.language.actions import Action, read_actions
from pavcodec.constraints.language.build import Builder, Points, is_expression
from pavcodec.constraints.language.hints import MISSING_AND, instead_of_second
from pavcodec.constraints.language.source import SourceText, branches, elements, words
from pavcodec.constraints.language.weights import MixTypes, read_mix, read_weights
from pavcodec.constraints.language.words import (
    SEAT_LETTERS,
    SEATS,
    SUITS,
    VULNERABLE_SIDES,
    canonical,
)
from pavcodec.constraints.nodes.format import Names
from pavcodec.constraints.nodes.syntax import Comparison, HasCard, Length, Node, Number, Weight

if TYPE_CHECKING:
    from lark import Token

    from pavcodec.constraints.language.source import Branch


_IMPORTED = re.compile(
    r"[#/*\s]*(?P<ends>end\s+of\s+)?(?:the\s+)?import(?:ed|s|ing)?\b", re.IGNORECASE
)
"""A comment that begins or ends a block of another file, as collections of scripts mark them."""
_RANK = re.compile(r"10|.", re.DOTALL)

MARKS, SHARE = ("HandType", "LevelType"), "_Share"
"""The first letters of variables that are types for `--level`; the last letters of their shares."""


@dataclass(frozen=True, slots=True)
class Script:
    """The contents of a script; None and () for statements that the script does not have.

    `predeal` has `HasCard` nodes, and comparisons of a `Length` with a number by `==`. `mix` has
    the types of deals, each a condition and its weight or None. `weights` are those of all
    statements `weight`, which multiply. `generate` is the greatest number
    of deals that the classic program tries. `title` is the title of the run in DealerV2 and
    Dealer3. Each of the `warnings` starts with its line; they are about faults that other programs
    accept without a message.

    The other fields do not count in comparisons. `variables` has the last expression of each
    variable, in the order of the first definitions. `pointcount` and `altcount` are the points in
    use. `names` has the variable and its line for each node, for messages.
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
    mix: MixTypes = ()
    title: str | None = None
    weights: tuple[Weight, ...] = ()
    variables: Mapping[str, Node] = field(default_factory=dict, compare=False, repr=False)
    pointcount: Points | None = field(default=None, compare=False, repr=False)
    altcount: Mapping[int, Points] = field(default_factory=dict, compare=False, repr=False)
    names: Names = field(default_factory=dict, compare=False, repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        compared = [each.name for each in fields(self) if each.compare]  # no names for messages
        return Script, tuple(getattr(self, name) for name in compared)


class Predeal:
    """The cards and lengths that were dealt beforehand so far.

    Each new card or length is checked: some deal must contain everything that was read so far.
    `empty` has the tokens of holdings without a card, such as `S`.
    """

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.empty: list[Token] = []
        self.nodes: list[Node] = []
        """The conditions: `HasCard` for each card, and a comparison by `==` for each length."""
        self._holder: dict[Card, Seat] = {}
        self._lengths: dict[tuple[Seat, Suit], int] = {}

    def add(self, item: Branch) -> None:
        """Add holdings or a length; raise `TextError` if no deal can have them."""
        if item.data == "length":
            self._add_length(item)
        else:
            seat, *holdings = words(item)
            for holding in holdings:
                self._add_holding((SEATS | SEAT_LETTERS)[seat.lower()], holding)

    def _add_holding(self, seat: Seat, holding: Token) -> None:
        if canonical(holding) in SEATS:
            reason = f"{str(holding)!r} is a seat: leave out the comma before it"
            raise self.source.error_at(reason, holding)
        start, end = self.source.span(holding)
        suit = SUIT_LETTERS.find(holding[0].upper())
        if suit < 0:
            reason = "a holding is the letter of a suit and its cards, such as SAQ5"
            hint = "; the suit comes first" if holding[1:].upper() in tuple(SUIT_LETTERS) else ""
            raise self.source.error_at(f"{reason}, not {str(holding)!r}{hint}", holding)
        if canonical(holding) in SUITS:
            length = f"a length is dealt as in {canonical(holding)}({seat.name.lower()}) == 5"
            raise self.source.error_at(f"{length}, and cards as in north SAQ5", holding)
        if len(holding) == 1:
            self.empty.append(holding)
        for match in _RANK.finditer(self.source.code, start + 1, end):
            letter = match[0].upper().replace("10", "T")
            rank = RANK_LETTERS.find(letter)
            if rank < 0:
                reason = f"{match[0]!r} is no rank; expected one of {RANK_LETTERS}"
                raise self.source.error(reason, match.span())
            self._add_card(seat, Card(suit * SUIT_SIZE + rank), match.span())

    def _add_card(self, seat: Seat, card: Card, span: tuple[int, int]) -> None:
        other = self._holder.get(card)
        if other is not None:
            twice = f"twice to {seat.name.title()}"
            both = f"to {other.name.title()} and to {seat.name.title()}"
            given = twice if other == seat else both
            raise self.source.error(f"{card} is dealt beforehand {given}", span)
        self._holder[card] = seat
        self.nodes.append(HasCard(seat, card))
        self._check(seat, card.suit, span)

    def _add_length(self, item: Branch) -> None:
        suit_word, seat_word, _, number = words(item)
        seat, suit = SEATS[seat_word.lower()], SUITS[canonical(str(suit_word))]
        length = self.source.integer(number)
        known = self._lengths.setdefault((seat, suit), length)
        if known != length:
            reason = f"{suit.name.lower()}({seat.name.lower()}) is {known} already"
            raise self.source.error_at(reason, number)
        self.nodes.append(Comparison("==", Length(seat, suit), Number(length)))
        self._check(seat, suit, self.source.span(number))

    def _check(self, seat: Seat, suit: Suit, span: tuple[int, int]) -> None:
        """Check a hand and a suit after a card or a length was added to them."""
        hand, length_of_hand = seat.name.title(), [self._at_least(seat, other) for other in Suit]
        length = self._lengths.get((seat, suit))
        dealt = self._at_least(seat, suit)
        if length is not None and dealt > length:
            reason = f"{hand} is dealt {dealt} {suit.name.lower()} beforehand, more than {length}"
            raise self.source.error(reason, span)
        known = all((seat, other) in self._lengths for other in Suit)
        self._check_sum(hand, sum(length_of_hand), span, is_final=known)
        known = all((other, suit) in self._lengths for other in Seat)
        total = sum(self._at_least(other, suit) for other in Seat)
        self._check_sum(f"the suit of {suit.name.lower()}", total, span, is_final=known)

    def _at_least(self, seat: Seat, suit: Suit) -> int:
        """Return the least number of cards of a suit that a hand has."""
        held = sum(1 for card, owner in self._holder.items() if (owner, card.suit) == (seat, suit))
        return max(held, self._lengths.get((seat, suit), 0))

    def _check_sum(self, what: str, total: int, span: tuple[int, int], *, is_final: bool) -> None:
        if total > HAND_SIZE or (is_final and total < HAND_SIZE):
            raise self.source.error(f"{what} has {HAND_SIZE} cards, not {total}", span)


class Statements:
    """A reader of the statements of a script, in their order."""

    def __init__(self, source: SourceText, tree: Branch) -> None:
        self.source = source
        self.statements = branches(tree)
        self.seen: dict[str, Branch] = {}
        self.defined: dict[str, int] = {}
        self.warnings: list[tuple[int, str]] = []
        self.faults: set[int] = set()
        """The places of the warnings that `check` reports as errors."""
        self.pointcount: Points | None = None
        self.altcount: dict[int, Points] = {}
        self.builder = self._builder(tree)
        self.predeal = Predeal(source)
        self.read: dict[str, Any] = {}
        """The fields of the script that were read so far."""

    def _builder(self, tree: Branch) -> Builder:
        """Return the builder; points are valid in the whole script, also before their statement."""
        for part in self.statements:
            if part.data == "pointcount":
                self._last_counts(part, "pointcount")
                self.pointcount = self._points(part)
            if part.data == "altcount":
                number = self.source.integer(words(part)[1])
                if number >= len(ALTERNATIVES):
                    reason = f"altcount sets one of pt0 to pt9, not pt{number}"
                    raise self.source.error_at(reason, words(part)[1])
                self._last_counts(part, f"altcount {number}")
                self._warn(part, _altcount_warning(number))
                self.altcount[number] = self._points(part)
        return Builder(self.source, tree, self.pointcount, self.altcount)

    def _points(self, part: Branch) -> Points:
        counts = branches(part)
        if not counts:
            self._warn(part, f"{words(part)[0].lower()} has no points: every card counts 0")
        if len(counts) > SUIT_SIZE:
            raise self.source.error_at(f"there are {SUIT_SIZE} ranks", counts[SUIT_SIZE])
        points = [self.source.signed(count) for count in counts]
        whole = [each for each in points if isinstance(each, int) and each]
        if whole and len(whole) < sum(map(bool, points)):
            reason = (
                f"{whole[0]} is {whole[0]} here; DealerV2 reads it as hundredths beside decimals"
            )
            self._warn(part, f"{reason}: write {whole[0]}.0")
        return points

    def script(self) -> Script:
        """Read all statements and return the script."""
        for part in self.statements:
            read: Callable[[Branch], None] | None = getattr(self, f"_read_{part.data}", None)
            if read is not None:
                read(part)
        told = [*self.warnings, *self.builder.warnings, *self.builder.unclear[:1]]
        pairs = ((self.source.line_at(position), reason) for position, reason in told)
        return Script(
            **self.read,
            predeal=tuple(self.predeal.nodes),
            warnings=tuple(f"line {line}: {reason}" for line, reason in sorted(pairs)),
            variables=self.builder.variables,
            pointcount=self.pointcount,
            altcount=self.altcount,
            names=self.builder.names,
        )

    @property
    def remarks(self) -> list[tuple[int, str]]:
        """All that may not be meant, each with its place, also what scripts do not warn of."""
        unclear = self.builder.unclear
        return sorted([*self.warnings, *self.builder.warnings, *unclear, *self._unused()])

    def _warn(self, part: Branch | Token, reason: str) -> None:
        self.warnings.append((self.source.span(part)[0], reason))

    def _unused(self) -> list[tuple[int, str]]:
        """Return one remark about all variables that no expression uses, if there are any.

        Variables of an imported block, and the rungs of a ladder, are none of these: a block
        defines more than a script needs.
        """
        used = self.builder.used  # --level uses the variables that start with MARKS
        unused = [
            name
            for name, place in self.defined.items()
            if name not in used
            and not name.startswith((*MARKS, "keep"))
            and not self._is_imported(place)
        ]
        if not unused:
            return []
        first = min(self.defined[name] for name in unused)
        if len(unused) == 1:
            return [(first, f"{unused[0]!r} is never used")]
        lines = ", ".join(str(self.source.line_at(self.defined[name])) for name in unused)
        return [(first, f"never used: {', '.join(unused)} (lines {lines})")]

    def _is_imported(self, place: int) -> bool:
        """Return whether a comment about an imported block begins before a place, and none ends."""
        marks = (self.source.text[slice(*span)] for span in self.source.comments if span[0] < place)
        known = [match for match in map(_IMPORTED.match, marks) if match]
        return bool(known) and not known[-1]["ends"]

    def _last_counts(self, part: Branch, name: str) -> None:
        """Warn if a statement replaces an earlier statement of the same kind."""
        if name in self.seen:
            line = self.source.line(self.seen[name])
            self._warn(part, f"a second {name}: the one in line {line} is ignored")
        self.seen[name] = part

    def _read_number(self, part: Branch) -> None:
        """Read produce or generate; the first statement counts, as in the classic program."""
        name = str(part.data)
        if name in self.seen:
            line = self.source.line(self.seen[name])
            self._warn(part, f"a second {name} is ignored: the one in line {line} applies")
            return
        self.seen[name] = part
        self.read[name] = self.source.integer(words(part)[1])

    _read_produce = _read_number
    _read_generate = _read_number

    def _read_seed(self, part: Branch) -> None:
        self._last_counts(part, "seed")
        self.read["seed"] = self.source.integer(words(part)[1])

    def _read_dealer(self, part: Branch) -> None:
        self._last_counts(part, "dealer")
        self.read["dealer"] = (SEATS | SEAT_LETTERS)[words(part)[1].lower()]

    def _read_vulnerable(self, part: Branch) -> None:
        self._last_counts(part, "vulnerable")
        word = words(part)[1]
        if word.lower() not in VULNERABLE_SIDES:
            reason = f"vulnerable takes none, NS, EW or all, not {str(word)!r}"
            raise self.source.error_at(reason, word)
        self.read["vulnerable"] = VULNERABLE_SIDES[word.lower()]

    def _read_title(self, part: Branch) -> None:
        self._last_counts(part, "title")
        title = words(part)[1]
        self.read["title"] = str(title)[1:-1]
        end = self.source.span(title)[1]
        if self.source.text[end - 1] != '"':
            self._warn(title, 'the closing " is missing: the title ends with its line')

    def _read_opener(self, part: Branch) -> None:
        self._warn(part, "opener is for opc of DealerV2 and is ignored")

    def _read_startboard(self, part: Branch) -> None:
        self._warn(part, "startboard is ignored; boards are numbered from 1")

    def _read_predeal(self, part: Branch) -> None:
        for item in branches(part):
            self.predeal.add(item)
        for holding in self.predeal.empty:
            suit = next(suit for suit in SUITS if suit[0] == holding.lower())
            void = f"a void is dealt as in {suit}(north) == 0"
            self._warn(holding, f"{str(holding)!r} deals no card beforehand; {void}")
        self.predeal.empty.clear()

    def _read_assignment(self, part: Branch) -> None:
        name = self.builder.assign(part)
        if name in self.defined:
            line = self.source.line_at(self.defined[name])
            self._warn(part, f"{name!r} is defined again; line {line} is valid up to here")
        self.defined[name] = self.source.span(part)[0]

    def _read_condition(self, part: Branch) -> None:
        self._last_counts(part, "condition")
        self.read["condition"] = self.builder.condition(branches(part)[0])

    def _take_bare(self, expression: Branch) -> None:
        """Read an expression that stands by itself; a second one is often a line without `and`."""
        read = self.builder.condition
        if "condition" in self.seen:
            self.faults.add(self.source.span(expression)[0])
            earlier, text = self.seen["condition"], self.source.shown(expression)
            meant = instead_of_second(self.source.shown(earlier).removeprefix("condition "), text)
            if meant != MISSING_AND:
                read = self.builder.expression  # that it is always true is not the fault
            reason = (
                f"'{text}' stands by itself and is read as the condition: "
                f"the one in line {self.source.line(earlier)} is ignored; {meant}"
            )
            self._warn(expression, reason)
        self.seen["condition"] = expression
        self.read["condition"] = read(expression)

    def _read_bare(self, part: Branch) -> None:
        self._take_bare(branches(part)[0])

    def _read_mix(self, part: Branch) -> None:
        self._last_counts(part, "mix")
        self.read["mix"] = read_mix(self.builder, part)

    def _read_weight(self, part: Branch) -> None:
        self.read["weights"] = self.read.get("weights", ()) + read_weights(self.builder, part)

    def _read_action(self, part: Branch) -> None:
        self._last_counts(part, "action")
        condition = self._condition_after(part)
        if condition is not None:
            part.children = [child for child in part.children if child is not condition]
        self.read["actions"] = read_actions(self.builder, part)
        if condition is not None:
            self._take_bare(condition)
        if not self.read["actions"]:
            self._warn(part, "the list of actions is empty")

    def _condition_after(self, part: Branch) -> Branch | None:
        """Return the condition after the last comma of a list of actions; None if there is none.

        A comma may end the list, and a condition without the word `condition` may follow. But an
        expression after `printes`, or after its texts and numbers, is an element that it prints.
        """
        listed = elements(part)[1:]
        last = listed[-1] if len(listed) > 1 else None
        if last is None or not is_expression(last):
            return None
        before = listed[-2]
        is_printed = getattr(before, "data", "printes") == "printes" or is_expression(before)
        is_misspelt = last.data == "name" and not self.builder.knows(words(last)[0])
        return None if is_printed or is_misspelt else last


def _altcount_warning(number: int) -> str:
    """Return a warning: the function that altcount sets here and in the classic program.

    The classic program numbers the rows of its table of points, which starts with hcp and controls.
    """
    meant = f"altcount {number} sets pt{number} ({ALTERNATIVES[number]}), as the manual says"
    row = ["hcp", "controls", *(f"pt{n} ({name})" for n, name in enumerate(ALTERNATIVES))][number]
    losers = " and losers" if row == "controls" or "top3" in row else ""
    return f"{meant}; the classic dealer and Dealer3 set {row}{losers}"
