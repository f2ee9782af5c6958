"""The places in a script that other programs refuse or read differently.

Each finder yields places in the text, and the name of a construct of the table in `dialects`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from pavcodec.constraints.language.source import SourceText, branches, elements, words
from pavcodec.constraints.nodes.vocabulary import STRAINS, VULNERABLE, WORDS, canonical

if TYPE_CHECKING:
    from lark import Token, Tree

    Branch = Tree[Token]

__all__ = ["FINDERS", "in_text"]

Found = tuple[int, str]
"""A place in the text, and the name of the construct there."""


def in_text(source: SourceText) -> Iterator[Found]:
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
_WORDS_ALONE = {
    "SEED": "seed",
    "TITLE": "title",
    "OPENER": "opener or startboard",
    "STARTBOARD": "opener or startboard",
    "MIX": "mix",
    "WEIGHT_OF": "weight",
    "POINTS": "points",
    "BRACED": "shape in braces",
    "SEAT_BEFORE_CARDS": "a letter for a seat",
    "LETTER": "a letter for a seat",
}
_FUNCTIONS_ALONE = {
    "holding": "holding",
    "ltc": "ltc",
    "dds": "dds",
    "imp": "imps",
    "imps": "imps",
    **dict.fromkeys(["opc", "par", "usereval"], "opc, par or usereval"),
}
_ACTIONS = {
    "evalcontract": "evalcontract",
    **dict.fromkeys(["printns", "printside"], "printns or printside"),
    **dict.fromkeys(["csvrpt", "printrpt", "trix"], "csvrpt, printrpt or trix"),
    **dict.fromkeys(["bktfreq", "export"], "bktfreq or export"),
}
_MOST_OF_32_BITS = "2147483647"


def _words(source: SourceText, _: Branch) -> Iterator[Found]:
    """Find words that some programs lack, words in capitals, and numbers that are too large."""
    for token in source.tokens:
        place, word = token.start_pos or 0, str(token)
        if token.type == "NUMBER":
            digits = word.lstrip("0")  # numbers of one length compare as their texts do
            if (len(digits), digits) > (len(_MOST_OF_32_BITS), _MOST_OF_32_BITS):
                yield place, "a number above 2147483647"
        if token.type in _WORDS_ALONE:
            yield place, _WORDS_ALONE[token.type]
        if token.type == "FUNCTION" and word.lower() in _FUNCTIONS_ALONE:
            yield place, _FUNCTIONS_ALONE[word.lower()]
        if token.type not in _FREE and word.lower() in _ACTIONS:
            yield place, _ACTIONS[word.lower()]
        is_word = token.type not in _FREE and word[:1].isalpha() and len(word) > 1
        if is_word and word != word.lower() and word not in _CASELESS:
            in_capitals = "a function" if token.type in _FUNCTIONS else "a word"
            yield place, f"{in_capitals} in capitals"


_LIKE_CARDS = re.compile(
    r"[CDHS]A?K?Q?J?T?9?8?7?6?5?4?3?2?|[TJQKA][CDHS]|x[1-7][CDHSN]|x{4}|x[0-9x]{3}"
)
_OF_DEALERV2 = {
    *("opc", "ltc", "dds", "par", "trix", "usereval", "deal", "export", "csvrpt", "printrpt"),
    *("bktfreq", "parcontract", "printns", "printside", "both"),
}
_OF_DEALER3 = {
    *("generate", "produce", "dealer", "vulnerable", "predeal", "pointcount", "altcount"),
    *("condition", "action", "print", "printall", "printpbn", "printew", "printcompact"),
    *("printoneline", "printes", "average", "frequency", "evalcontract", "title", "seed"),
    *("csvrpt", "printrpt", "printns", "printside", "and", "or", "not", "notrump", "notrumps"),
    *("north", "east", "south", "west", "spades", "hearts", "diamonds", "clubs"),
}


def _variables(source: SourceText, tree: Branch) -> Iterator[Found]:
    """Find names of variables that other programs read differently or define twice."""
    seen: set[str] = set()
    for part in branches(tree):
        if part.data != "assignment":
            continue
        name, place = str(words(part)[0]), source.span(part)[0]
        if name in seen:
            yield place, "a variable defined twice"
        seen.add(name)
        if _LIKE_CARDS.fullmatch(name):
            yield place, "a variable like a holding, a card or a contract"
        if not name.isascii() or name.startswith("_"):
            yield place, "a variable with letters beyond a to z, or with _ first"
        if name in _OF_DEALERV2:
            yield place, "a variable that is a word of DealerV2"
        if name.lower() in _OF_DEALER3 and name not in WORDS:
            yield place, "a variable that is a word of Dealer3"


_HOLDING = re.compile(r"[CDHS][AKQJT2-9]*")
_ORDERED = re.compile(r"[CDHS]A?K?Q?J?T?9?8?7?6?5?4?3?2?")


def _statements(source: SourceText, tree: Branch) -> Iterator[Found]:
    """Find statements, and forms of statements, that some programs lack."""
    for token in source.tokens:
        if token.type == "_SEPARATOR" and not _ends_actions(source, token):
            yield token.start_pos or 0, "a ; or a comma after a statement"
    for part in tree.iter_subtrees():
        place = source.span(part)[0]
        if part.data == "length":
            yield place, "predeal of a length"
        if part.data == "holdings":
            yield from _holdings(source, part)
        if part.data == "altcount":
            yield place, "altcount"
        if part.data == "vulnerable":
            word = words(part)[1]
            if word.lower() == "both":
                yield source.span(word)[0], "vulnerable both"
            elif word not in {"ns", "NS", "ew", "EW", "all", "none"}:
                yield source.span(word)[0], "a word in capitals"


def _holdings(source: SourceText, part: Branch) -> Iterator[Found]:
    """Find forms of predealt cards that some programs lack."""
    seat, *holdings = words(part)
    before, after = source.span(seat)[1], source.span(holdings[0])[0]
    if "," in source.code[before:after]:
        yield before + source.code[before:after].index(","), "predeal with a comma after the seat"
    for holding in holdings:
        place = source.span(holding)[0]
        if not _HOLDING.fullmatch(holding):
            yield place, "predeal with small letters or 10"
        elif not _ORDERED.fullmatch(holding):
            yield place, "predeal with ranks in another order"


def _ends_actions(source: SourceText, comma: Token) -> bool:
    """Return whether a comma ends a list of actions that is not empty: all programs accept it."""
    before = [t for t in source.tokens if (t.start_pos or 0) < (comma.start_pos or 0)]
    since = [t for t in before if t.type in _STARTS]
    return (
        comma == "," and bool(since) and since[-1].type == "ACTION" and before[-1] is not since[-1]
    )


_STARTS = {
    *("GENERATE", "PRODUCE", "SEED", "TITLE", "OPENER", "STARTBOARD", "DEALER", "VULNERABLE"),
    *("PREDEAL", "POINTCOUNT", "ALTCOUNT", "CONDITION", "MIX", "WEIGHT_OF", "ACTION", "EQUAL"),
}
_LEVELS = {"*": 0, "/": 1, "%": 2}


def _operators(source: SourceText, tree: Branch) -> Iterator[Found]:
    """Find operators that programs read in different orders."""
    for part in tree.iter_subtrees():
        place = source.span(part)[0]
        below = branches(part)
        if part.data in ("relation", "equality"):
            if len(below) > 2:
                is_mixed = len(set(words(part))) > 1
                yield place, f"a chain of {'different ' * is_mixed}comparisons"
            if part.data == "equality" and any(
                _is_bare(source, each, "relation") for each in below
            ):
                yield place, "== or != beside < or >"
            if _is_bare(source, below[0], "negation"):
                yield place, "! before a comparison"
        if part.data == "arithmetic" and _is_bare(source, below[0], "arithmetic"):
            first, second = _operator_of(below[0]), _operator_of(part)
            if _LEVELS.get(second, -1) > _LEVELS.get(first, 3):
                yield place, "*, / and % in a row"
        if part.data == "minus" and below[0].data != "number":
            yield place, "the negative of what is no number"


def _operator_of(part: Branch) -> str:
    return str(part.children[1])


def _is_bare(source: SourceText, part: Branch, rule: str) -> bool:
    """Return whether a rule made a part, without parentheses around it."""
    return part.data == rule and not source.is_in_parentheses(part)


_CARD = re.compile(r"[2-9TJQKA][CDHS]")
_CONTRACTS = (re.compile(r"x[1-7][CDHSN]"), re.compile(r"[xz][1-7][CDHSN]x{0,2}"))
_SEATS = {"n", "e", "s", "w"}
_NAMES = {*STRAINS, *VULNERABLE}


def _arguments(source: SourceText, tree: Branch) -> Iterator[Found]:
    """Find arguments of functions that some programs refuse."""
    for part in tree.find_data("call"):
        name, given = canonical(str(part.children[0])), branches(part)
        shown = [source.text[slice(*source.span(each))] for each in given]
        places = [source.span(each)[0] for each in given]
        if shown and shown[0].lower() in _SEATS:
            yield places[0], "a letter for a seat"
        for place, word in zip(places, shown, strict=True):
            if word != word.lower() and canonical(word) in _NAMES:
                yield place, "a word in capitals"
        if name == "rnd" and len(given) > 1:
            yield source.span(part)[0], "a numbered draw"
        if name == "hascard" and len(given) > 1 and not _CARD.fullmatch(shown[1]):
            yield places[1], "a card with the suit first, with 10 or in small letters"
        is_numbered = "a number for a strain, a contract or a vulnerability"
        if name in ("tricks", "score"):
            for place, each in list(zip(places, given, strict=True))[:2]:
                if each.data == "number":
                    yield place, is_numbered
        if name == "score" and len(given) > 1 and given[1].data != "number":
            classic, other = _CONTRACTS
            if not other.fullmatch(shown[1]):
                yield places[1], "a contract in other letters"
            elif not classic.fullmatch(shown[1]):
                yield places[1], "a contract that is doubled, or with z"


_MOST_SHAPES = 31


def _shapes(source: SourceText, tree: Branch) -> Iterator[Found]:
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


def _draws(source: SourceText, tree: Branch) -> Iterator[Found]:
    """Find variables with a draw that are used in several places."""
    names = Counter(str(token) for part in tree.find_data("name") for token in words(part))
    drawn: set[str] = set()
    for part in branches(tree):
        if part.data != "assignment":
            continue
        calls = (canonical(str(call.children[0])) for call in part.find_data("call"))
        used = {str(token) for name in part.find_data("name") for token in words(name)}
        if "rnd" in calls or used & drawn:
            name = str(words(part)[0])
            drawn.add(name)
            if names[name] > 1:
                yield source.span(part)[0], "a draw that a variable carries to several places"


def _actions(source: SourceText, tree: Branch) -> Iterator[Found]:
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
            rule = getattr(after, "data", None)
            if getattr(before, "data", None) == "printes" and (rule is None or rule in _PRINTED):
                yield source.span(after)[0], "something after the parentheses of printes"


_PRINTED = {
    *("disjunction", "conjunction", "equality", "relation", "arithmetic", "choice", "negation"),
    *("minus", "call", "shape", "braced", "points", "number", "name"),
}
FINDERS: tuple[Callable[[SourceText, Branch], Iterator[Found]], ...] = (
    *(_words, _variables, _statements, _operators, _arguments, _shapes, _draws, _actions),
)
