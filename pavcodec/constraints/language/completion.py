"""Completion: the words and signs that may stand at a place in a condition or a script.

Rule 1: The grammar decides which kinds of words may follow the text before the place; the
        vocabulary has the words.
Rule 2: Each completion can be continued: some text that starts with the text before the place and
        the completion is a script. Only names of functions and variables may still be wrong, as
        arguments are checked after parsing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pavcodec.constraints.functions import FUNCTIONS
from pavcodec.constraints.language.hints import open_bracket, word_before
from pavcodec.constraints.language.source import SourceText
from pavcodec.constraints.language.words import (
    ACTIONS,
    SEATS,
    STATEMENTS,
    STRAINS,
    SUITS,
    canonical,
)
from pavcodec.constraints.nodes.syntax import OPERATORS
from pavcodec.errors import TextError

_WORD_TO = re.compile(r"[^\W\d]\w*\Z")
_WORD_FROM = re.compile(r"\w*")
_OPERATORS = {
    **{sign: row.meaning for sign, row in OPERATORS.items()},
    "?": "if: a ? b : c is b if a is true, otherwise c",
}
_STARTS = {"!": "not: true if what follows is false", "(": "a group"}
_SHAPES = {
    "any 4333 + any 4432 + any 5332": "balanced",
    "any 4333 + any 4432 + any 5332 + any 5422 + any 6322": "balanced or semi-balanced",
    "any 4441 + any 5440": "three-suiters",
    "5xxx": "five spades",
    "x5xx": "five hearts",
    "any 55xx": "two suits of five cards or more",
    "any 6322 + any 6331": "one suit of six cards",
}
_CARDS = {"SA": "the ace of spades", "HK": "the king of hearts", "DQ": "the queen of diamonds"}
_CONTRACTS = {"x3N": "three notrump", "x4S": "four spades", "x6HX": "six hearts, doubled"}
_HOLDINGS = {"AKxx": "ace, king and two small cards", "QTxx": "", "void": "no card of the suit"}
_POINTS = {"4 3 2 1": "ace 4, king 3, queen 2, jack 1", "6 4 2 1": "ace 6, king 4, queen 2, jack 1"}
_VULNERABLE = {"none": "neither side", "NS": "North and South", "EW": "East and West",
               "all": "both sides"}  # fmt: skip
_WORDS_OF = {
    "seat": dict.fromkeys(SEATS, "seat"),
    "suit": dict.fromkeys(SUITS, "suit"),
    "strain": dict.fromkeys(STRAINS, "strain"),
    "shapes": _SHAPES,
    "card": _CARDS,
    "cards": _HOLDINGS,
    "points": _POINTS,
    "side": {"NS": "North and South", "EW": "East and West"},
    "vulnerable": _VULNERABLE,
    "vulnerability": {"nv": "not vulnerable", "vul": "vulnerable"},
    "contract": _CONTRACTS,
}
"""The words of each kind of argument; some are examples."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A text that may stand at a place: its kind, and its meaning in a few words."""

    text: str
    kind: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Completions:
    """The completions at a place, and the part of the text that each of them replaces.

    `starts_expression` is true where an expression may start, so that a whole condition fits.
    """

    start: int
    end: int
    items: tuple[Completion, ...]
    starts_expression: bool = False


def completions(text: str, caret: int) -> Completions:
    """Return what may stand at a place of a condition or a script, by its text so far.

    >>> offered = completions("hcp(so", 6)
    >>> offered.start, offered.end, [each.text for each in offered.items]
    (4, 6, ['south'])
    >>> [each.text for each in completions("hcp(south) > 12 && spa", 22).items]
    ['spades(']
    """
    before = text[: max(0, caret)]
    word = _WORD_TO.search(before)
    start = word.start() if word else len(before)
    rest = _WORD_FROM.match(text, len(before)) if word else None
    end = rest.end() if rest else len(before)
    typed = word[0].lower() if word else ""
    try:
        source = SourceText(text[:start])
        defined = SourceText(text).defined
    except TextError:  # in a comment or a text in quotes that does not end
        return Completions(start, end, ())
    if any(low < len(before) <= high for low, high in SourceText(f"{before}\n").comments):
        return Completions(start, end, ())
    is_glued = not typed and text[:start][-1:].isalnum()
    items = [
        each
        for each in _Caret(source, typed, defined).items()
        if each.text.lower().startswith(typed) and not (is_glued and each.text[0].isalnum())
    ]
    accepted = source.following("script")
    is_start = "_NOT" in accepted and "PLUS" not in accepted and not _call(source.unquoted)
    return Completions(start, end, tuple(items), is_start)


@dataclass(frozen=True)
class _Caret:
    """A place: the text before its word, the typed letters of the word, and all variables."""

    source: SourceText
    typed: str
    defined: frozenset[str]

    def items(self) -> Iterator[Completion]:
        """Yield what may stand there, whatever the typed letters."""
        called = _call(self.source.unquoted)
        if called is not None:
            kind, is_blank, is_last = called
            if kind in _WORDS_OF and is_blank:
                yield from (Completion(word, kind, said) for word, said in _WORDS_OF[kind].items())
                return
            if kind in _WORDS_OF:
                yield Completion(")", "sign", "the end of the arguments")
                if not is_last:
                    yield Completion(", ", "sign", "one more argument")
                return
        yield from self._by_grammar(self.source.following("script"))

    def _by_grammar(self, accepted: set[str]) -> Iterator[Completion]:
        if self.source.code.rstrip()[-1:] == "," and "CONDITION" in accepted:
            return  # the text after it decides whether the comma ends a statement
        if "PLUS" in accepted:
            yield from (Completion(sign, "operator", said) for sign, said in _OPERATORS.items())
        if "_NOT" in accepted and ("PLUS" not in accepted or self._is_new_line):
            names = sorted(self.defined)
            yield from (Completion(name, "variable", "defined in the script") for name in names)
            yield from (
                Completion(f"{name}(", "function", row.meaning) for name, row in FUNCTIONS.items()
            )
            yield from (Completion(sign, "sign", said) for sign, said in _STARTS.items())
        if "RPAR" in accepted and "PLUS" in accepted:
            yield Completion(")", "sign", "the end of the group")
        if "CONDITION" in accepted and ("PLUS" not in accepted or self._is_new_line):
            yield from (Completion(name, "statement", said) for name, said in STATEMENTS.items())
        if "PRINTALL" in accepted:
            yield from (Completion(name, "action", "action of a script") for name in ACTIONS)
        if "SEAT" in accepted and "_NOT" not in accepted:
            yield from (Completion(seat, "seat", "seat") for seat in SEATS)
        if accepted == {"NAME"} and self.source.code.split()[-1].lower() == "vulnerable":
            yield from (Completion(word, "word", said) for word, said in _VULNERABLE.items())

    @property
    def _is_new_line(self) -> bool:
        code = self.source.code
        return "\n" in code[len(code.rstrip()) :]


def _call(code: str) -> tuple[str, bool, bool] | None:
    """Return the kind of the argument at the end of a text, if it is that of a function.

    Also returns whether the argument has no character yet, and whether it is the last.
    """
    bracket = open_bracket(code, len(code))
    called = None if bracket is None else word_before(code, bracket)
    name = canonical(called[1]) if called else ""
    if bracket is None or name not in FUNCTIONS:
        return None
    kinds, index = FUNCTIONS[name].arguments, code.count(",", bracket)
    if index >= len(kinds):
        return None
    return kinds[index], not code[bracket + 1 :].rpartition(",")[2].strip(), index + 1 == len(kinds)
