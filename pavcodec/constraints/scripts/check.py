"""The faults of a script, and the parts that other programs refuse or read differently.

`dialects.csv` has the reading of each program, and `FINDERS` find the constructs in a script. The
programs are DealerV2, Dealer3 and Debian's `dealer` of 2021, which shares its source with the
dealer of Bridge Base Online. The readings of the classic program were tested with it; those of the
other programs follow from their grammars.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING

from pavcodec.constraints.counting.compile import NotCountableError
from pavcodec.constraints.counting.condition import Condition
from pavcodec.constraints.functions import FUNCTIONS, PROGRAMS
from pavcodec.constraints.language.build import is_expression
from pavcodec.constraints.language.script import MARKS, SHARE, Script, Statements
from pavcodec.constraints.language.source import (
    STATEMENT_TERMINALS,
    SourceText,
    branches,
    elements,
    words,
)
from pavcodec.constraints.language.words import (
    ACTIONS,
    CLASSIC_STATEMENTS,
    SEATS,
    STRAINS,
    SUITS,
    VULNERABLE,
    WORDS,
    canonical,
)
from pavcodec.constraints.nodes.syntax import conjunction, parts_of
from pavcodec.errors import ModelTooLarge, PavError, TextError
from pavcodec.limits import TimeIsUp, time_limited

if TYPE_CHECKING:
    from lark import Token

    from pavcodec.constraints.language.source import Branch
    from pavcodec.constraints.nodes.syntax import Node


REFUSED, UNKNOWN, SAME = "refused", "not known", ""


@dataclass(frozen=True, slots=True)
class Construct:
    """A construct of scripts, and its readings in the programs.

    `words` are those that are always this construct. `readings` has for each program the empty text
    if it reads the construct as pavcodec does, or else `refused`, `not known`, or a sentence
    without its subject. `here` says what pavcodec does. If `is_refused`, pavcodec refuses the
    construct, and the empty text is for programs that accept it.
    """

    name: str
    words: tuple[str, ...]
    example: str
    readings: dict[str, str]
    here: str

    @property
    def is_refused(self) -> bool:
        """Whether pavcodec refuses the construct."""
        return self.here.startswith(REFUSED)

    def refused_by(self, program: str) -> bool:
        """Return whether a program refuses a script with this construct."""
        return self.readings[program] == REFUSED

    def differs_in(self, program: str) -> str:
        """Return the reading of a program if it is a different one."""
        reading = self.readings[program]
        return SAME if reading in (REFUSED, UNKNOWN) else reading


def _constructs() -> Iterator[Construct]:
    """Yield the rows of the table of dialects, and the functions that some programs lack."""
    table = files("pavcodec.constraints.scripts").joinpath("dialects.csv")
    for row in csv.DictReader(table.read_text(encoding="utf-8").splitlines()):
        row["bbo"] = row["dealer"]
        readings = {program: row[program] for program in PROGRAMS}
        known = tuple(row["words"].split())
        yield Construct(row["construct"], known, row["example"], readings, row["pavcodec"])
    for function in FUNCTIONS.values():
        if len(function.programs) < len(PROGRAMS):
            readings = {p: SAME if p in function.programs else REFUSED for p in PROGRAMS}
            example, *_ = function.example.split(" or ")
            name = function.name
            yield Construct(name, (name,), example, readings, function.meaning)


CONSTRUCTS = {construct.name: construct for construct in _constructs()}
"""All constructs that programs read differently, by name."""


# The places in a script that other programs refuse or read differently.
#
# Each finder yields places in the text, and the name of a construct in `CONSTRUCTS`.


Occurrence = tuple[int, str]
"""A place in the text, and the name of the construct there."""


def in_text(source: SourceText) -> Iterator[Occurrence]:
    """Find constructs that need no parsing: comments, and texts of several lines."""
    for start, end in source.comments:
        line = source.text[source.text.rfind("\n", 0, start) + 1 : start]
        if source.text[start] == "#" and line:
            yield start, "a comment with # after code"
        if source.text[start : start + 2] != "/*" and end == len(source.text):
            yield start, "a comment that ends the file"
    for match in re.finditer(r'"[^"]*"', source.code):
        if "\n" in match[0]:
            yield match.start(), "a text of several lines"


_CASELESS = {"NS", "EW"}
_FREE = {"NAME", "HOLDING", "STRING", "NEWLINE", "SHAPES", "SHAPES_IN_BRACES", "COUNTS"}
_FUNCTIONS = {"FUNCTION", "SUIT_OF", "SHAPE", "BRACED", "POINTS"}
_BY_WORD = {word: each.name for each in CONSTRUCTS.values() for word in each.words}
_BY_TERMINAL = {
    "BRACED": "shape in braces",
    "SEAT_BEFORE_CARDS": "a letter for a seat",
    "LETTER": "a letter for a seat",
}
_MOST_DECIMALS = 2
_MOST_OF_32_BITS = "2147483647"


def _words(source: SourceText, _: Branch) -> Iterator[Occurrence]:
    """Find words that some programs lack, words in capitals, and numbers that are too large."""
    for before, token in pairwise([None, *source.tokens]):
        assert token is not None
        position, word = token.start_pos or 0, str(token)
        if token.type == "NUMBER":
            digits = word.lstrip("0")  # numbers of one length compare as their texts do
            if (len(digits), digits) > (len(_MOST_OF_32_BITS), _MOST_OF_32_BITS):
                yield position, "a number above 2147483647"
        if token.type == "DECIMAL" or (token.type == "COUNTS" and "." in token):
            if before is None or before.type != "DECIMAL":  # once for the points of a statement
                yield position, "a number with decimals"
            if max(map(len, word.split("."))) > _MOST_DECIMALS:
                yield position, "a decimal of more than two digits before or after the point"
        if token.type in _BY_TERMINAL:
            yield position, _BY_TERMINAL[token.type]
        if token.type not in {*_FREE, "FUNCTION_OF_HAND"} and word.lower() in _BY_WORD:
            yield position, _BY_WORD[word.lower()]
        if is_in_capitals(token):
            in_capitals = "a function" if token.type in _FUNCTIONS else "a word"
            yield position, f"{in_capitals} in capitals"


def is_in_capitals(token: Token) -> bool:
    """Return whether a token is a word of the language that has a capital letter."""
    is_word = token.type not in _FREE and token[:1].isalpha() and len(token) > 1
    return is_word and token != token.lower() and token not in _CASELESS


OF_NAMES = {
    "a variable like a holding, a card or a contract",
    "a variable with letters beyond a to z, or with _ first",
    "a variable that is a word of DealerV2",
    "a variable that is a word of Dealer3",
    "a variable defined twice",
}
"""The constructs that another name of the variable mends."""
_LIKE_CARDS = re.compile(
    r"[CDHS]A?K?Q?J?T?9?8?7?6?5?4?3?2?|[TJQKA][CDHS]|x[1-7][CDHSN]|x{4}|x[0-9x]{3}"
)
_OF_DEALERV2 = {
    *("opc", "ltc", "dds", "par", "trix", "usereval", "deal", "export", "csvrpt", "printrpt"),
    *("bktfreq", "parcontract", "printns", "printside", "both"),
}
_OF_DEALER3 = {
    *(*CLASSIC_STATEMENTS, *ACTIONS, *SEATS, *SUITS, "title", "seed", "csvrpt", "printrpt"),
    *("printns", "printside", "and", "or", "not", "notrump", "notrumps"),
}


def variables_of_others(source: SourceText, tree: Branch) -> Iterator[Occurrence]:
    """Find names of variables that other programs read differently or define twice."""
    seen: set[str] = set()
    for part in branches(tree):
        if part.data != "assignment":
            continue
        name, position = str(words(part)[0]), source.span(part)[0]
        if name in seen:
            yield position, "a variable defined twice"
        seen.add(name)
        if _LIKE_CARDS.fullmatch(name):
            yield position, "a variable like a holding, a card or a contract"
        if not name.isascii() or name.startswith("_"):
            yield position, "a variable with letters beyond a to z, or with _ first"
        if name in _OF_DEALERV2:
            yield position, "a variable that is a word of DealerV2"
        if name.lower() in _OF_DEALER3 and name not in WORDS:
            yield position, "a variable that is a word of Dealer3"


_HOLDING = re.compile(r"[CDHS][AKQJT2-9]*")
_ORDERED = re.compile(r"[CDHS]A?K?Q?J?T?9?8?7?6?5?4?3?2?")


def _statements(source: SourceText, tree: Branch) -> Iterator[Occurrence]:
    """Find statements, and forms of statements, that some programs lack."""
    for token in source.tokens:
        if token.type == "_SEPARATOR" and not ends_actions(source, token):
            yield token.start_pos or 0, "a ; or a comma after a statement"
    for part in tree.iter_subtrees():
        position = source.span(part)[0]
        if part.data == "length":
            yield position, "predeal of a length"
        if part.data == "holdings":
            yield from _holdings(source, part)
        if part.data == "altcount":
            yield position, "altcount"
        if part.data == "vulnerable":
            word = words(part)[1]
            if word.lower() == "both":
                yield source.span(word)[0], "vulnerable both"
            elif word not in {"ns", "NS", "ew", "EW", "all", "none"}:
                yield source.span(word)[0], "a word in capitals"


def _holdings(source: SourceText, part: Branch) -> Iterator[Occurrence]:
    """Find forms of predealt cards that some programs lack."""
    seat, *holdings = words(part)
    before, after = source.span(seat)[1], source.span(holdings[0])[0]
    if "," in source.code[before:after]:
        yield before + source.code[before:after].index(","), "predeal with a comma after the seat"
    for holding in holdings:
        position = source.span(holding)[0]
        if not _HOLDING.fullmatch(holding):
            yield position, "predeal with small letters or 10"
        elif not _ORDERED.fullmatch(holding):
            yield position, "predeal with ranks in another order"


def ends_actions(source: SourceText, comma: Token) -> bool:
    """Return whether a comma ends a list of actions that is not empty: all programs accept it."""
    before = [t for t in source.tokens if (t.start_pos or 0) < (comma.start_pos or 0)]
    since = [t for t in before if t.type in STATEMENT_TERMINALS | {"EQUAL"}]
    return (
        comma == "," and bool(since) and since[-1].type == "ACTION" and before[-1] is not since[-1]
    )


_LEVELS = {"*": 0, "/": 1, "%": 2}


def _operators(source: SourceText, tree: Branch) -> Iterator[Occurrence]:
    """Find operators that programs read in different orders."""
    for part in tree.iter_subtrees():
        position = source.span(part)[0]
        below = branches(part)
        if part.data in ("relation", "equality"):
            if len(below) > 2:
                is_mixed = len(set(words(part))) > 1
                yield position, f"a chain of {'different ' * is_mixed}comparisons"
            if part.data == "equality" and any(is_bare(source, each, "relation") for each in below):
                yield position, "== or != beside < or >"
            if is_bare(source, below[0], "negation"):
                yield position, "! before a comparison"
        if mixes_products(source, part):
            yield position, "*, / and % in a row"
        if part.data == "minus" and below[0].data != "number":
            yield position, "the negative of what is no number"


def mixes_products(source: SourceText, part: Branch) -> bool:
    """Return whether a part has `/` after `*`, or `%` after one of them, without parentheses."""
    below = branches(part)
    if part.data != "arithmetic" or not is_bare(source, below[0], "arithmetic"):
        return False
    first, second = str(below[0].children[1]), str(part.children[1])
    return _LEVELS.get(second, -1) > _LEVELS.get(first, 3)


def is_bare(source: SourceText, part: Branch, rule: str) -> bool:
    """Return whether a rule made a part, without parentheses around it."""
    return part.data == rule and not source.is_in_parentheses(part)


_CARD = re.compile(r"[2-9TJQKA][CDHS]")
_CONTRACTS = (re.compile(r"x[1-7][CDHSN]"), re.compile(r"[xz][1-7][CDHSN]x{0,2}"))
_SEATS = {"n", "e", "s", "w"}
_NAMES = {*STRAINS, *VULNERABLE}


def _arguments(source: SourceText, tree: Branch) -> Iterator[Occurrence]:
    """Find arguments of functions that some programs refuse."""
    for part in tree.find_data("call"):
        name, given = canonical(str(part.children[0])), branches(part)
        shown = [source.text[slice(*source.span(each))] for each in given]
        places = [source.span(each)[0] for each in given]
        if shown and shown[0].lower() in _SEATS:
            yield places[0], "a letter for a seat"
        for position, word in zip(places, shown, strict=True):
            if word != word.lower() and canonical(word) in _NAMES:
                yield position, "a word in capitals"
        if name == "rnd" and len(given) > 1:
            yield source.span(part)[0], "a numbered draw"
        if name == "hascard" and len(given) > 1 and not _CARD.fullmatch(shown[1]):
            yield places[1], "a card with the suit first, with 10 or in small letters"
        is_numbered = "a number for a strain, a contract or a vulnerability"
        if name in ("tricks", "score"):
            for position, each in list(zip(places, given, strict=True))[:2]:
                if each.data == "number":
                    yield position, is_numbered
        if name == "score" and len(given) > 1 and given[1].data != "number":
            classic, other = _CONTRACTS
            if not other.fullmatch(shown[1]):
                yield places[1], "a contract in other letters"
            elif not classic.fullmatch(shown[1]):
                yield places[1], "a contract that is doubled, or with z"


_MOST_SHAPES = 31


def _shapes(source: SourceText, tree: Branch) -> Iterator[Occurrence]:
    """Find lists of shapes that some programs refuse, and too many shapes for some programs."""
    calls = sorted(source.span(part)[0] for part in tree.find_data("shape"))
    if len(calls) > _MOST_SHAPES:
        yield calls[_MOST_SHAPES], "more than 31 shapes"
    for part in tree.find_data("shape"):
        shapes = words(part)[-1]
        if shapes != shapes.lower():
            yield source.span(shapes)[0], "a list of shapes in capitals"
        if "," in shapes or shapes.startswith("+"):
            yield source.span(shapes)[0], "a list of shapes with a comma, or with + first"


def names_in(part: Branch) -> set[str]:
    """Return the names that a part of a tree uses."""
    return {str(words(name)[0]) for name in part.find_data("name")}


def _draws(source: SourceText, tree: Branch) -> Iterator[Occurrence]:
    """Find variables with a draw that are used in several places."""
    names = Counter(str(token) for part in tree.find_data("name") for token in words(part))
    drawn: set[str] = set()
    for part in branches(tree):
        if part.data != "assignment":
            continue
        calls = (canonical(str(call.children[0])) for call in part.find_data("call"))
        if "rnd" in calls or names_in(part) & drawn:
            name = str(words(part)[0])
            drawn.add(name)
            if names[name] > 1:
                yield source.span(part)[0], "a draw that a variable carries to several places"


def _actions(source: SourceText, tree: Branch) -> Iterator[Occurrence]:
    """Find actions that some programs lack."""
    for part in tree.find_data("printes"):
        if source.code[source.span(words(part)[0])[1] :].lstrip()[:1] != "(":
            yield source.span(part)[0], "printes without parentheses"
    for part in tree.find_data("printhands"):
        if branches(part):
            word = words(part)[0]
            is_open = source.code[source.span(word)[1] :].lstrip()[:1] == "("
            with_or = "with parentheses" if is_open else "before an expression"
            yield source.span(part)[0], f"printcompact or printoneline {with_or}"
    for part in tree.find_data("frequency"):
        if len(branches(part)) > 3:
            yield source.span(part)[0], "frequency of two numbers"
    for part in tree.find_data("action"):
        for before, after in pairwise(elements(part)):
            is_printed = isinstance(after, str) or is_expression(after)
            if getattr(before, "data", None) == "printes" and is_printed:
                yield source.span(after)[0], "something after the parentheses of printes"


FINDERS = (
    _words,
    variables_of_others,
    _statements,
    _operators,
    _arguments,
    _shapes,
    _draws,
    _actions,
)


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """A finding of `check` about a script.

    `line` and `column` count from 1. `kind` is `error` if pavcodec itself refuses the script or
    ignores a condition, `warning` for a construct whose meaning may surprise its author, `refused`
    for a construct that a program refuses, and `differs` for a construct that a program reads
    differently. `programs` are these programs.
    """

    line: int
    column: int
    message: str
    kind: str
    construct: str | None = None
    programs: tuple[str, ...] = ()


def check_script(
    text: str, programs: Sequence[str] = tuple(PROGRAMS), *, counts: bool = True
) -> list[Finding]:
    """Return the findings about a script, in the order of its text.

    `programs` are those whose reading matters, by the names in `PROGRAMS`. A condition that no deal
    satisfies, and types that no deal can have, are found by counting, unless `counts` is false.

    >>> for finding in check_script("5 <= hcp(north) <= 7  predeal spades(west) == 9"):
    ...     print(finding.column, finding.message)
    1 a chain of comparisons: BBO, the classic dealer and DealerV2 read (a <= b) <= c
    31 predeal of a length: BBO, the classic dealer and DealerV2 read it and deal as if it were \
not there; Dealer3 refuses it
    """
    try:
        source = SourceText(text)
    except TextError as error:
        return [_finding(text, error.span[0], error.message, "error")]
    findings: list[Finding] = []
    faults: set[int] = set()
    places = list(in_text(source))
    try:
        tree = source.tree("script")
        places += [position for find in FINDERS for position in find(source, tree)]
        statements = Statements(source, tree)
        script = statements.script()
        faults = statements.faults
        places += [(place, "a decimal beside an integer") for place in statements.builder.unscaled]
        remarks = [*statements.remarks, *_one_order(source, tree)]
        said = {position for position, _ in remarks}  # a remark that says why is enough
        never = _never(source, statements, script, tree) if counts else ()
        remarks += [each for each in never if each[0] not in said]
    except TextError as error:
        findings.append(_finding(text, error.span[0], error.message, "error"))
        # what other programs say of the same place helps nobody before it is mended
        remarks, places = [], [each for each in places if each[0] != error.span[0]]
    known = {position for position, name in places if name in _WARNED_OF}
    findings += [
        _finding(text, position, reason, "error" if position in faults else "warning")
        for position, reason in remarks
        if position not in known
    ]
    for position, name in sorted(set(places)):
        findings += _of_construct(text, position, CONSTRUCTS[name], programs)
    return sorted(findings)


def _one_order(source: SourceText, tree: Branch) -> Iterator[Occurrence]:
    """Find lists of balanced shapes, the longest suit first, without `any`: few mean one order."""
    for part in tree.find_data("shape"):
        shapes = words(part)[-1].split("+")
        if {shape.strip() for shape in shapes} <= {"4333", "4432", "5332"}:
            one = shapes[0].strip()
            meant = f"{one[0]} spades, {one[1]} hearts, {one[2]} diamonds and {one[3]} clubs"
            yield source.span(words(part)[-1])[0], f"{one} is {meant}; any order is any {one}"


_SECONDS, _MEMORY = 1, 1 << 26
"""The most seconds and memory for counting the condition, or a type of deals."""


def _never(
    source: SourceText, statements: Statements, script: Script, tree: Branch
) -> Iterator[Occurrence]:
    """Find what no deal can satisfy: the condition, or types, by their names or in `mix`."""
    given = [*script.predeal, *([] if script.condition is None else [script.condition])]
    if script.condition is not None and _is_never(given):
        yield source.span(statements.seen["condition"])[0], "no deal satisfies the condition"
        return
    marked = [
        (source.span(part)[0], str(words(part)[0]), script.variables[words(part)[0]])
        for part in tree.find_data("assignment")
        if words(part)[0].startswith(MARKS) and not words(part)[0].endswith(SHARE)
    ]
    mixed = [
        (source.span(part)[0], source.shown(branches(part)[0]), kind)
        for part, (kind, _) in zip(tree.find_data("mixed"), script.mix, strict=False)
    ]
    for place, name, node in [*marked, *mixed]:
        if _is_never([*given, node]):
            yield place, f"no deal can be of the type {name!r}"


def _is_never(nodes: list[Node]) -> bool:
    """Tell whether counting shows that no deal satisfies all of some conditions."""
    parts = [part for each in nodes for part in parts_of(each)]
    with suppress(NotCountableError, ModelTooLarge, TimeIsUp, PavError), time_limited(_SECONDS):
        return not Condition(conjunction(parts), _MEMORY).cardinality
    return False


_WARNED_OF = {"altcount", "a chain of comparisons", "a chain of different comparisons"}
"""The constructs that also have a warning; the finding has more detail."""


def _finding(text: str, position: int, message: str, kind: str) -> Finding:
    line = text.count("\n", 0, position) + 1
    return Finding(line, position - text.rfind("\n", 0, position), message, kind)


def _of_construct(
    text: str, position: int, construct: Construct, programs: Sequence[str]
) -> Iterator[Finding]:
    """Yield a finding where one of the programs refuses a construct or reads it differently."""
    refusing = [program for program in programs if construct.refused_by(program)]
    readings: dict[str, list[str]] = {}
    for program in programs:
        if construct.differs_in(program):
            readings.setdefault(construct.differs_in(program), []).append(program)
    said = [_said(reading, of) for reading, of in readings.items()]
    said += [_said("refuses it", refusing)] if refusing else []
    if said:
        kind = "refused" if refusing else "differs"
        concerned = tuple(p for p in programs if p in refusing or construct.differs_in(p))
        message = f"{construct.name}: {'; '.join(said)}"
        finding = _finding(text, position, message, kind)
        yield replace(finding, construct=construct.name, programs=concerned)


def _said(reading: str, programs: Sequence[str]) -> str:
    """Return a phrase about some programs, in the plural if there are several.

    >>> _said("reads a chain, and takes no more", ["bbo", "dealer3"])
    'BBO and Dealer3 read a chain, and take no more'
    """
    names = [PROGRAMS[program] for program in programs]
    if len(names) == 1:
        return f"{names[0]} {reading}"
    return f"{', '.join(names[:-1])} and {names[-1]} {_VERB.sub(_plural, reading)}"


_VERB = re.compile(r"(^|and )(read|deal|take|draw|count|give|print|refuse|doe)s\b")


def _plural(match: re.Match[str]) -> str:
    return match[1] + match[2].removesuffix("e" if match[2] == "doe" else "")
