"""A script in the words of the classic dealer, with its comments and its layout.

The text stays as its author wrote it, but for the parts that other programs refuse or read
differently: these are written anew, by a rule for each kind of part of the tree. The result is
checked with the finders of `check`, so a part without an equal is refused by its name.

A levelled script has its types in one variable, a chain of choices: the first type that a deal fits
decides how many such deals stay, by a draw. Each draw stands in one place, because the programs
draw anew wherever a variable is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pavcodec.cards import RANK_LETTERS, SUIT_LETTERS, Seat, Suit
from pavcodec.constraints.functions import ALTERNATIVES, FUNCTIONS
from pavcodec.constraints.language.build import Call, is_expression
from pavcodec.constraints.language.decimals import without_hundredths
from pavcodec.constraints.language.script import Statements
from pavcodec.constraints.language.source import SourceText, branches, elements, words
from pavcodec.constraints.language.words import SEAT_LETTERS, SEATS, canonical
from pavcodec.constraints.nodes.format import format_node
from pavcodec.constraints.nodes.syntax import HandValue, Holding, Node
from pavcodec.constraints.scripts.check import (
    CONSTRUCTS,
    OF_NAMES,
    Finding,
    check_script,
    ends_actions,
    in_text,
    is_bare,
    is_in_capitals,
    mixes_products,
    names_in,
    variables_of_others,
)
from pavcodec.errors import TextError
from pavcodec.layout.hand import OfLengths, SumOverCards
from pavcodec.shapes import SHAPES, format_shapes

if TYPE_CHECKING:
    from lark import Token

    from pavcodec.constraints.language.source import Branch


Span = tuple[int, int]

_CLASSIC = {"bbo", "dealer"}
_HARMLESS = {"imps"}
"""Constructs whose other reading is a note, for they have no other words."""
_LEFT_OUT = {
    "seed": "the classic dealer takes it as an option, as in -s 7",
    "title": "the classic dealer takes it as an option, -T",
    "opener": "only DealerV2 has it",
    "startboard": "only DealerV2 has it",
}
"""Statements that choose no deals and have no equal."""
_HONOURS = ("aces", "kings", "queens", "jacks", "tens")


@dataclass(frozen=True)
class PlainScript:
    """A script in the words of the classic dealer; `notes` say what is left out or read otherwise.

    `str` is its text.
    """

    text: str
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text


def write_plain(text: str) -> PlainScript:
    r"""Return a script in the words of the classic dealer, which BBO and Dealer3 read alike.

    Comments and layout stay. Lengths that are dealt beforehand become a part of the condition.
    Raises `TextError` at the place of the first word that has no equal, and of the first fault.

    >>> from pavcodec import write_plain
    >>> print(write_plain("12 <= HCP(N) <= 14  # opens\n"), end="")
    (12 <= hcp(north) && hcp(north) <= 14)  // opens
    >>> write_plain("seed 7  hcp(north) > 12").notes
    ('line 1: seed is left out: the classic dealer takes it as an option, as in -s 7',)
    """
    return _Rewriter(text).plain()


class Edits:
    """Replacements of parts of a text; a later one swallows those within it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._made: dict[Span, str] = {}

    def replace(self, span: Span, new: str) -> None:
        """Replace a part, with all that was replaced within it."""
        start, end = span
        self._made = {
            (s, e): each for (s, e), each in self._made.items() if not (start <= s and e <= end)
        }
        self._made[span] = new

    def shown(self, span: Span) -> str:
        """Return a part with its replacements."""
        return "".join(piece for _, piece in self._pieces(*span))

    def _pieces(self, start: int, end: int) -> Iterator[tuple[int, str]]:
        """Yield the pieces of a part as it is now, each with its old place."""
        for (first, last), new in sorted(self._made.items()):
            if start <= first and last <= end:
                yield start, self.text[start:first]
                yield first, new
                start = last
        yield start, self.text[start:end]

    def old_place(self, position: int) -> int:
        """Return the place in the old text of a place in the new one."""
        at = 0
        for old, piece in self._pieces(0, len(self.text)):
            if position < at + len(piece):
                is_kept = self.text.startswith(piece, old)
                return old + position - at if is_kept else old
            at += len(piece)
        return len(self.text)


class _Rewriter:
    """A writer of a script in the words of the classic dealer."""

    def __init__(self, text: str) -> None:
        self._source = SourceText(text)
        self._tree = self._source.tree("script")
        self._statements = Statements(self._source, self._tree)
        self._statements.script()
        self._edits = Edits(text)
        self._notes: list[str] = []
        self._lengths: list[str] = []

    def plain(self) -> PlainScript:
        """Rewrite all parts, and check the result."""
        self._write_words()
        self._name_variables()
        for part in list(self._tree.iter_subtrees()):  # children before their parents
            rewrite: Callable[[Branch], None] | None = getattr(self, f"_write_{part.data}", None)
            if rewrite is not None:
                rewrite(part)
        self._add_lengths()
        text = self._edits.shown((0, len(self._edits.text)))
        if text and not text.endswith("\n"):
            text += "\n"
        self._check(text)
        return PlainScript(text, tuple(self._notes))

    def _check(self, text: str) -> None:
        """Refuse what the classic dealer still reads otherwise; note what others do."""
        lines = text.split("\n")
        for finding in check_script(text, counts=False):
            if finding.construct is None:
                continue
            new = sum(len(line) + 1 for line in lines[: finding.line - 1]) + finding.column - 1
            old = self._edits.old_place(new)
            if _CLASSIC.isdisjoint(finding.programs) or finding.construct in _HARMLESS:
                self._note(old, finding.message)
            else:
                raise self._without_equal(old, finding)

    def _without_equal(self, place: int, finding: Finding) -> TextError:
        word = re.compile(r"\w+|.", re.DOTALL).match(self._edits.text, place)
        span = word.span() if word else (place, place + 1)
        construct = CONSTRUCTS[finding.construct or ""]
        name = repr(word[0]) if word and word[0].lower() in construct.words else construct.name
        reading = construct.differs_in("dealer")
        said = f", which {reading}" if reading else ""
        return self._source.error(f"{name} has no equal in the classic dealer{said}", span)

    def _note(self, place: int, said: str) -> None:
        self._notes.append(f"line {self._source.line_at(place)}: {said}")

    def _shown(self, part: Branch) -> str:
        """Return the new text of an expression, with its parentheses."""
        return self._edits.shown(self._outer(part))

    def _outer(self, part: Branch) -> Span:
        """Return the span of an expression with the parentheses around it."""
        start, end = self._source.span(part)
        first: int = getattr(part.meta, "container_start_pos", start)
        last: int = getattr(part.meta, "container_end_pos", end)
        return first, last

    def _replace(self, part: Branch | Token, new: str) -> None:
        self._edits.replace(self._source.span(part), new)

    def _enclose(self, part: Branch) -> None:
        """Write parentheses around an expression."""
        self._replace(part, f"({self._edits.shown(self._source.span(part))})")

    # Expressions:

    def _write_relation(self, part: Branch) -> None:
        operands, signs = branches(part), words(part)
        first = operands[0]
        if is_bare(self._source, first, "negation"):
            self._enclose(first)
        if part.data == "equality":
            for each in operands:
                if is_bare(self._source, each, "relation"):
                    self._enclose(each)
        if len(operands) > 2:
            self._refuse_draws(operands[1:-1])
            texts = list(map(self._shown, operands))
            pairs = zip(texts, signs, texts[1:], strict=False)
            chain = " && ".join(f"{left} {sign} {right}" for left, sign, right in pairs)
            is_enclosed = self._source.is_in_parentheses(part)
            self._replace(part, chain if is_enclosed else f"({chain})")

    _write_equality = _write_relation

    def _refuse_draws(self, parts: Iterable[Branch]) -> None:
        """Refuse a draw in a part that is written twice."""
        for part in parts:
            for call in part.find_data("call"):
                if canonical(str(call.children[0])) == "rnd":
                    reason = "a draw in a chain of comparisons has no equal in the classic dealer"
                    raise self._source.error_at(reason, call)

    def _write_arithmetic(self, part: Branch) -> None:
        if mixes_products(self._source, part):
            self._enclose(branches(part)[0])

    def _write_minus(self, part: Branch) -> None:
        [below] = branches(part)
        if below.data != "number":
            self._replace(part, f"(0 - {self._shown(below)})")

    def _write_call(self, part: Branch) -> None:
        token = words(part)[0]
        name, word = canonical(token), token.lower()
        if name not in FUNCTIONS:  # parcontract, a column of what the classic dealer does not have
            return
        call, row = Call(self._statements.builder, name, part), FUNCTIONS[name]
        numbers = {ALTERNATIVES[number] for number in self._statements.altcount}
        numbers |= {f"pt{number}" for number in self._statements.altcount}
        if not row.is_classic or name in numbers:
            node = without_hundredths(self._statements.builder.node(part))
            self._replace(part, _in_classic_words(node))
            return
        given = [self._argument(call, index, kind) for index, kind in enumerate(call.kinds())]
        word = word if word in (name, *row.spellings) else name
        new = f"{word}({', '.join(given)})"
        if _spelt(new) != _spelt(self._source.code[slice(*self._source.span(part))]):
            self._replace(part, new)

    def _argument(self, call: Call, index: int, kind: str) -> str:
        """Return an argument of a function in the classic words."""
        if kind in _ARGUMENTS:
            return _ARGUMENTS[kind](call, index)
        return self._shown(call.given[index])

    def _write_shape(self, part: Branch) -> None:
        word, shapes = words(part)[0], words(part)[-1]
        seat = self._source.code[slice(*self._source.span(branches(part)[0]))]
        is_classic = shapes == shapes.lower() and "," not in shapes and not shapes.startswith("+")
        if part.data == "braced" or not is_classic or seat not in SEATS or word != "shape":
            self._replace(part, format_node(self._statements.builder.node(part)))

    _write_braced = _write_shape

    def _write_points(self, part: Branch) -> None:
        self._replace(part, _in_classic_words(self._statements.builder.node(part)))

    # Statements:

    def _leave_out(self, part: Branch) -> None:
        self._replace(part, "")
        name = str(part.data)
        self._note(self._source.span(part)[0], f"{name} is left out: {_LEFT_OUT[name]}")

    _write_seed = _leave_out
    _write_title = _leave_out
    _write_opener = _leave_out
    _write_startboard = _leave_out

    def _write_dealer(self, part: Branch) -> None:
        self._replace(words(part)[1], (SEATS | SEAT_LETTERS)[words(part)[1].lower()].name.lower())

    def _write_vulnerable(self, part: Branch) -> None:
        word = words(part)[1]
        known = {"ns": "NS", "ew": "EW", "both": "all"}
        if word not in ("NS", "EW"):
            self._replace(word, known.get(word.lower(), word.lower()))

    def _write_altcount(self, part: Branch) -> None:
        self._replace(part, "")

    def _write_mix(self, part: Branch) -> None:
        reason = f"{words(part)[0].lower()} has no equal in the classic dealer"
        raise self._source.error_at(reason, words(part)[0])

    _write_weight = _write_mix

    def _write_predeal(self, part: Branch) -> None:
        kept = []
        for each in branches(part):
            if each.data == "length":
                suit, seat, _, number = words(each)
                name = f"{canonical(suit)}({seat.lower()})"
                self._lengths.append(f"{name} == {number}")
                self._note(self._source.span(each)[0], f"{name} is dealt by the condition")
            else:
                seat, *holdings = words(each)
                cards = ", ".join(_holding(each) for each in holdings if len(each) > 1)
                owner = (SEATS | SEAT_LETTERS)[seat.lower()].name.lower()
                kept += [f"{owner} {cards}"] if cards else []
        new = f"predeal {' '.join(kept)}" if kept else ""
        if _spelt(new) != _spelt(self._source.code[slice(*self._source.span(part))]):
            self._replace(part, new)

    def _write_action(self, part: Branch) -> None:
        """Write `printes` with parentheses around all that it prints."""
        listed = elements(part)[1:]
        for index, each in enumerate(listed):
            if getattr(each, "data", None) != "printes":
                continue
            printed = elements(each)[1:]  # type: ignore[arg-type]
            own = len(printed)
            for after in listed[index + 1 :]:
                if not (isinstance(after, str) or is_expression(after)):
                    break
                printed.append(after)
            start = self._source.span(each)[0]
            is_open = self._source.code[start + len("printes") :].lstrip().startswith("(")
            if not is_open or len(printed) > own:
                texts = [str(one) if isinstance(one, str) else self._shown(one) for one in printed]
                end = self._source.span(printed[-1])[1] if len(printed) > own or not is_open else 0
                self._edits.replace((start, end), f"printes({', '.join(texts)})")

    # Words, names and comments:

    def _write_words(self) -> None:
        """Write words in small letters, comments after code with `//`, and no separators."""
        for token in self._source.tokens:
            span = self._source.span(token)
            if token.type == "_SEPARATOR" and not ends_actions(self._source, token):
                self._edits.replace(span, "")
            elif is_in_capitals(token):
                self._edits.replace(span, token.lower())
        for position, name in in_text(self._source):
            if name == "a comment with # after code":
                self._edits.replace((position, position + 1), "//")

    def _name_variables(self) -> None:
        """Give a variable another name where some program would not read it as one."""
        wrong = {
            place
            for place, name in variables_of_others(self._source, self._tree)
            if name in OF_NAMES
        }
        taken, new = {name.lower() for name in self._source.defined}, dict[str, str]()
        for part in branches(self._tree):
            for each in part.find_data("name"):
                token = words(each)[0]
                if token in new:
                    self._replace(token, new[token])
            if part.data == "assignment":
                token = words(part)[0]
                new.pop(token, None)
                if self._source.span(part)[0] in wrong:
                    letters = re.sub(r"[^A-Za-z0-9]", "", token)
                    name = next(n for n in _fresh(letters) if n.lower() not in taken)
                    taken.add(name.lower())
                    new[str(token)] = name
                    self._replace(token, name)
                    self._note(self._source.span(token)[0], f"{str(token)!r} is called {name!r}")

    def _add_lengths(self) -> None:
        """Add the lengths that are dealt beforehand to the condition."""
        if not self._lengths:
            return
        condition = self._statements.seen.get("condition")
        if condition is None:
            end = len(self._edits.text)
            self._edits.replace((end, end), f"\ncondition {' && '.join(self._lengths)}\n")
            return
        own = branches(condition)[0] if condition.data == "condition" else condition
        text = self._shown(own)
        text = f"({text})" if own.data in ("disjunction", "choice") else text
        self._edits.replace(self._outer(own), " && ".join([text, *self._lengths]))


def _card(call: Call, index: int) -> str:
    card = call.card(index)
    return f"{card.rank.letter}{card.suit.letter}"


def _contract(call: Call, index: int) -> str:
    level, strain, doubled = call.contract(index)
    return f"x{level}{strain.letters[0]}{'x' * doubled}"


_ARGUMENTS: dict[str, Callable[[Call, int], str]] = {
    "seat": lambda call, index: call.seat(index).name.lower(),
    "suit": lambda call, index: call.suit(index).name.lower(),
    "strain": lambda call, index: call.strain(index).name.lower(),
    "card": _card,
    "vulnerability": lambda call, index: "vul" if call.vulnerability(index) else "nv",
    "contract": _contract,
}
"""What writes an argument of each kind in the classic words."""


def _fresh(letters: str) -> Iterator[str]:
    """Yield names for a variable that has another name."""
    yield f"v_{letters}"
    number = 2
    while True:
        yield f"v{number}_{letters}"
        number += 1


def _spelt(text: str) -> str:
    return re.sub(r"\s", "", text)


def _holding(text: str) -> str:
    """Return a holding with its ranks in order."""
    ranks = text[1:].upper().replace("10", "T")
    return text[0].upper() + "".join(sorted(ranks, key=RANK_LETTERS.index))


def _in_classic_words(node: Node) -> str:
    """Return the text of a function that the classic dealer does not have, in its functions."""
    match node:
        case HandValue(_, seat, suit, SumOverCards(weights)):
            return _sum_of_points(seat, suit, weights)
        case HandValue(_, seat, None, OfLengths() as function):
            values: dict[int, set[tuple[int, int, int, int]]] = {}
            for shape in SHAPES:
                values.setdefault(function.of(shape), set()).add(shape)
            where = {value: format_shapes(frozenset(some)) for value, some in values.items()}
            name = seat.name.lower()
            terms = (f"{v} * shape({name}, {where[v]})" for v in sorted(where) if v)
            return f"({' + '.join(terms)})"
        case Holding(seat, suit, holding):
            name, letter = seat.name.lower(), suit.letter
            length = f"{suit.name.lower()}({name}) == {len(holding.ranks) + holding.small}"
            named = [rank for rank in RANK_LETTERS if rank not in holding.small_ranks]
            cards = (
                f"{'' if rank in holding.ranks else '!'}hascard({name}, {rank}{letter})"
                for rank in named
            )
            return f"({' && '.join([length, *cards])})"
    return f"({format_node(node)})"


def _sum_of_points(seat: Seat, suit: Suit | None, weights: Sequence[int]) -> str:
    """Return a sum of points as multiples of the numbers of aces, kings and so on."""
    name, text = seat.name.lower(), ""
    for rank, weight in enumerate(weights):
        if not weight:
            continue
        if rank < len(_HONOURS):
            of = "" if suit is None else f", {suit.name.lower()}"
            number = f"{_HONOURS[rank]}({name}{of})"
        else:
            letters = SUIT_LETTERS if suit is None else suit.letter
            cards = [f"hascard({name}, {RANK_LETTERS[rank]}{letter})" for letter in letters]
            number = f"({' + '.join(cards)})"
        sign = "-" if weight < 0 else "+"
        times = "" if abs(weight) == 1 else f"{abs(weight)} * "
        text += f" {sign} {times}{number}" if text or weight < 0 else f"{times}{number}"
    return f"(0{text})" if text.startswith(" -") else f"({text or 0})"


# Levels: the types of a script in one variable.


LEVELS = "levelTheDeal"
"""The variable that decides which deals of a type stay."""
_MOST = 10_000
"""The greatest denominator of a rate; the programs draw numbers below 32,768 at least."""
_RARE = Fraction(1, 1000)

Rates = Mapping[tuple[int, ...], Fraction]
"""The share of the deals of each type, or of each pair of types, that stays."""


def drawable(rate: Fraction) -> Fraction:
    """Return the nearest rate that draws of `rnd` have.

    >>> drawable(Fraction(1, 3)), drawable(Fraction(10, 999_999))
    (Fraction(1, 3), Fraction(1, 100000))
    """
    if rate < _RARE:
        return _RARE * (rate / _RARE).limit_denominator(_MOST)
    return rate.limit_denominator(_MOST)


def _rate_text(rate: Fraction) -> str:
    if rate in (0, 1):
        return str(rate)
    if rate < _RARE:
        rest = _rate_text(rate / _RARE)
        rare = f"rnd({_RARE.denominator}) == 0"
        return rare if rest == "1" else f"({rare} && {rest})"
    return f"rnd({rate.denominator}) < {rate.numerator}"


def level_text(types: Sequence[Sequence[str]], rates: Rates) -> str:
    """Return the expression of the deals that stay: a chain of choices among types.

    `types` has one list or two, each with the text of every type.

    >>> print(level_text([["weak", "strong"]], {(0,): Fraction(1, 4), (1,): Fraction(1)}))
    weak ? rnd(4) < 1 :
      (strong ? 1 : 0)
    """
    return _chain(types, rates, (), "\n  ")


def _chain(
    types: Sequence[Sequence[str]], rates: Rates, chosen: tuple[int, ...], between: str = " "
) -> str:
    if len(chosen) == len(types):
        return _rate_text(rates.get(chosen, Fraction(0)))
    text = "0"
    for index in reversed(range(len(types[len(chosen)]))):
        kept = _chain(types, rates, (*chosen, index))
        kept = f"({kept})" if "?" in kept else kept
        rest = f"({text})" if "?" in text else text
        name = types[len(chosen)][index]
        if name == "1":
            text = kept
        elif kept != rest:
            text = f"{name} ? {kept} :{between if '?' in rest else ' '}{rest}"
    return text


def with_levels(
    text: str, levels: str, used: Iterable[str], *, own: str | None, condition: str | None = None
) -> str:
    """Return a script whose condition keeps the deals of `levels`, an expression.

    `used` are the variables in it. `own` is the variable by which the script levels itself: it is
    defined anew, and what only it used is left out. `condition` replaces the script's.
    """
    return _Levelling(text, levels, set(used), own, condition).text


class _Levelling:
    """The changes of a script that give it other levels."""

    def __init__(
        self, text: str, levels: str, used: set[str], own: str | None, condition: str | None
    ) -> None:
        self._text, self._edits, self._source = text, Edits(text), SourceText(text)
        tree = self._source.tree("script")
        statements = Statements(self._source, tree)
        statements.script()
        self._written = statements.seen.get("condition")
        self._assigned = [part for part in branches(tree) if part.data == "assignment"]
        needs: dict[str, set[str]] = {}
        for part in self._assigned:
            needs.setdefault(str(words(part)[0]), set()).update(names_in(part))
        others = (part for part in branches(tree) if part.data != "assignment")
        roots = {name for part in others for name in names_in(part)}
        is_joined = own is not None and condition is None
        if self._written is not None and own is not None:
            is_joined &= own in _reached(names_in(self._written), needs)
        free = own or LEVELS
        while free != own and free in _reached(roots, needs):
            free += "_"
        self._name, self._definition = free, f"{free} = {levels}"
        self._last = max(
            (self._end(part) for part in self._assigned if self._of(part) in used), default=0
        )
        for part in self._assigned:
            if self._of(part) in _dead(roots, needs, free, used):
                self._leave_out(part)
        for part in tree.find_data("mix"):
            self._leave_out(part)
        if not (is_joined and self._redefined()):
            self._add(condition, is_joined=is_joined)
        self.text = self._edits.shown((0, len(text)))

    def _of(self, part: Branch) -> str:
        return str(words(part)[0])

    def _end(self, part: Branch) -> int:
        return self._source.span(part)[1]

    def _leave_out(self, part: Branch) -> None:
        self._edits.replace(_whole_lines(self._text, self._source.span(part)), "")

    def _redefined(self) -> bool:
        """Define the variable anew in its place; return whether the types are defined before."""
        places = [part for part in self._assigned if self._of(part) == self._name]
        if not places or self._last > self._source.span(places[-1])[0]:
            return False
        self._edits.replace(self._source.span(places[-1]), self._definition)
        return True

    def _add(self, condition: str | None, *, is_joined: bool) -> None:
        """Define the variable before the condition, and join it to the condition."""
        for part in self._assigned:
            if self._of(part) == self._name:
                self._leave_out(part)
        written = self._written
        start = end = max([self._last, *map(self._end, self._assigned)], default=0)
        if written is not None:
            start, end = self._source.span(written)
            own = branches(written)[0] if written.data == "condition" else written
            condition = condition or self._edits.shown(self._source.span(own))
        joined = f"({condition})" if condition else ""
        if not is_joined:
            joined = " && ".join(filter(None, [joined, self._name]))
        new = f"{self._definition}\ncondition {joined}"
        if self._last > start:
            self._edits.replace((start, end), "")
            start = end = self._last
        if self._text[self._text.rfind("\n", 0, start) + 1 : start].strip():
            new = f"\n{new}"
        self._edits.replace((start, end), new + "\n" * (start == end))


def _dead(roots: set[str], needs: Mapping[str, set[str]], own: str, used: set[str]) -> set[str]:
    """Return the variables that only `own` needs, if it is defined by the variables in `used`."""
    after = dict(needs) | {own: used}
    live = _reached(roots | used | {own}, after)
    dead = _reached(roots, needs) - live
    grown: set[str] = set()
    while grown != dead:  # what nobody needs goes with all that it consists of
        grown = set(dead)
        dead |= {name for name, of in needs.items() if of and of <= dead and name not in live}
    return dead - _reached(after.keys() - dead, after)


def _reached(roots: Iterable[str], needs: Mapping[str, set[str]]) -> set[str]:
    """Return all variables that some variables need."""
    reached: set[str] = set()
    left = list(roots)
    while left:
        name = left.pop()
        if name not in reached:
            reached.add(name)
            left += needs.get(name, ())
    return reached


def _whole_lines(text: str, span: Span) -> Span:
    """Return a span with the rest of its lines, if nothing else but a comment is there."""
    start, end = span
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    rest = text[end:last].strip()
    if text[first:start].strip() or (rest and not rest.startswith(("#", "//"))):
        return span
    return first, min(last + 1, len(text))
