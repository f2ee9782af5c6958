"""Hints in error messages, for frequent mistakes of newcomers to the language.

A rule is (pattern before the fault, pattern at the fault, hint). The first rule that matches gives
the hint.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pavcodec.constraints.functions import FUNCTIONS
from pavcodec.constraints.language.words import RESERVED, SEATS, canonical
from pavcodec.errors import hint


def range_hint(value: str = "hcp(north)", low: int = 15, high: int = 17) -> str:
    """Return a hint with the two comparisons of a range, such as one of `15-17`."""
    return f"a range is written {value} >= {low} && {value} <= {high}"


def at_least_hint(value: str = "spades(north)", number: str = "5") -> str:
    """Return a hint with the comparison that `5+` means."""
    return f"at least is written >=, as in {value} >= {number}"


RANGE, _AT_LEAST = range_hint(), at_least_hint()
_WEIGHTS = (
    "weights are no condition: in a command they follow --weights, in Python they are the "
    "argument joint of weighted"
)
_CHOICE = "a choice is written a ? b : c"
_SIGNS = {
    **dict.fromkeys(["exactly", "genau", "exactement", "precies", "exactamente", "is"], "=="),
    **dict.fromkeys(["least", "mindestens", "minstens", "minimum", "moins", "menos"], ">="),
    **dict.fromkeys(["most", "höchstens", "hoogstens", "maximum", "plus"], "<="),
    **dict.fromkeys(["more", "over", "mehr", "meer"], ">"),
    **dict.fromkeys(["less", "fewer", "under", "weniger", "minder"], "<"),
}
"""Words that compare, each with the sign that is written instead."""
_JOINED = "conditions are joined by && (and) or || (or)"
_NO_COMMA = f"{_JOINED}, not by a comma"
_TWO_SIDES = "a comparison has two sides, as in hcp(north) >= 15 && hcp(north) <= 17"
_CARDS = "cards are dealt as in predeal north SAK, HQ"
_HCP = "high-card points are hcp(north)"
_DEFINED = "a variable is written name = hcp(north) >= 15"
_ONE_WORD = "the name of a variable has letters, digits and _ only"
_EACH_VALUE = "each value has a comparison of its own, joined by || (or)"
_COMMENT = "a comment begins with # or //"
MISSING_AND = "is 'and' missing between them?"
_BALANCED = "any 4333 + any 4432 + any 5332"

_NAMES = {
    **dict.fromkeys(["balanced", "bal"], f"balanced is shape(north, {_BALANCED})"),
    **dict.fromkeys(["length", "len", "count", "suit"], "a length is spades(north) and so on"),
    "void": "a void is spades(north) == 0",
    "singleton": "a singleton is spades(north) == 1",
    "doubleton": "a doubleton is spades(north) == 2",
    **dict.fromkeys(
        ["pattern", "distribution", "dist", "verteilung", "verdeling"], FUNCTIONS["shape"].usage
    ),
    **dict.fromkeys(["pts", "point", "points", "punkte", "punten", "puntos", "punti"], _HCP),
    **dict.fromkeys(["pontos", "pkt", "pc", "ph", "hp", "pointsh", "highcardpoints"], _HCP),
    **dict.fromkeys(["has", "holds", "card"], FUNCTIONS["hascard"].usage),
    "ltc": "losing tricks are ltc(north), in hundredths, or losers(north)",
    **dict.fromkeys(["random", "rand"], FUNCTIONS["rnd"].usage),
    "min": "the smaller of two is a < b ? a : b",
    "max": "the greater of two is a > b ? a : b",
    "abs": "the absolute value is a < 0 ? -a : a",
    **dict.fromkeys(["true", "false"], "true is written 1, and false 0"),
    **dict.fromkeys(["between", "range", "from", "to", "zwischen", "von", "bis", "entre"], RANGE),
    **dict.fromkeys(["tussen", "tot", "fra", "od", "do"], RANGE),
    **dict.fromkeys(["if", "then", "else", "wenn", "dann", "sonst", "si", "alors"], _CHOICE),
    **dict.fromkeys(["und", "et", "en", "oder", "ou", "of", "oraz", "lub"], _JOINED),
    **dict.fromkeys(["define", "let", "var", "set"], _DEFINED),
    **dict.fromkeys(["geber", "gever", "teiler", "donneur", "dador"], "write dealer south"),
    **dict.fromkeys(["boards", "deals", "hands"], "a number of boards is written produce 10"),
    "vulnerability": "the vulnerability is written vulnerable NS",
}
"""Names that the language does not have, each with a replacement."""

_SEATS_ELSEWHERE = {
    **dict.fromkeys(["nord", "norden", "norte", "noord", "norr", "północ"], "north"),
    **dict.fromkeys(["ost", "osten", "est", "este", "oost", "leste", "öst", "wschód"], "east"),
    **dict.fromkeys(["süd", "süden", "sued", "sud", "sur", "sul", "zuid", "syd"], "south"),
    "południe": "south",
    **dict.fromkeys(["ouest", "westen", "oeste", "ovest", "väst", "zachód"], "west"),
}
"""The seats in other languages."""
_SUITS_ELSEWHERE = {
    **dict.fromkeys(["pik", "piki", "pique", "piques", "schoppen", "picas", "picche"], "spades"),
    **dict.fromkeys(["herz", "coeur", "coeurs", "cœur", "cœurs", "harten", "cuori"], "hearts"),
    **dict.fromkeys(["corazones", "kier", "kiery", "hjärter"], "hearts"),
    **dict.fromkeys(["karo", "kara", "carreau", "carreaux", "ruiten", "quadri"], "diamonds"),
    **dict.fromkeys(["diamantes", "ruter"], "diamonds"),
    **dict.fromkeys(["treff", "kreuz", "trèfle", "trefle", "trèfles", "trefles"], "clubs"),
    **dict.fromkeys(["treffles", "trefl", "klaveren", "fiori", "tréboles", "treboles"], "clubs"),
}
"""The suits in other languages."""

_ENDS_VALUE = r"[\w)]\s*"
_SEAT = r"\b(?:north|east|south|west)\s*"
_STATEMENT = (
    r"\s*(?:condition|produce|generate|predeal|action|dealer|vulnerable|pointcount|seed|weight)"
)
_DEALT = r"\bpredeal\b[\w \t,()=]*"
_FUNCTION = rf"\b(?:{'|'.join([*FUNCTIONS, *('spade', 'heart', 'diamond', 'club')])})\s*"

_SIGN = "a statement has no : or = after its first word"
_RULES = [
    (
        r"\b(?:dealer|vulnerable|produce|generate|condition|predeal|action)\s*",
        r":|=(?!=)",
        _SIGN,
    ),
    (
        rf"{_DEALT}{_SEAT}(?:spade|heart|diamond|club)s?\s+\w+\s*",
        ",",
        _CARDS,
    ),
    (rf"{_DEALT}\(\s*\w+\s*\)\s*==\s*[0-9]+\s*", ",", "write no comma between lengths"),
    (
        rf"{_DEALT}\(\s*\w+\s*\)\s*==\s*[0-9]+\s*",
        r"&&|\|\||and\b|or\b|[-+*/%?<>]",
        "after predeal, this is a length to deal, not a condition",
    ),
    (rf"{_DEALT}\(\s*\w+\s*\)\s*", r"[<>!]", "predeal takes a length; a range is a condition"),
    (
        rf"{_DEALT}{_SEAT}\b(?:spade|heart|diamond|club)s?\s*",
        "=",
        "a length is dealt as in spades(north) == 5",
    ),
    (_DEALT, r"[.;:]", _CARDS),
    (_DEALT, r"hcps?\b|shape\b", "predeal takes cards and lengths; this is a condition"),
    (
        r",\s*(?:north|east|south|west|[nesw])\s*",
        r":\s*\w+[^:]*\{",
        "a seat stands before a whole list: give the weights of another seat by themselves",
    ),
    (
        r"(?:\A|\bweight\b)\s*[a-z]\w*\s*",
        r":\s*\w+[^:]*\{",
        "a seat is north, east, south or west, as in north: hcp {12: 1, 13: 3}",
    ),
    ("", "[\u00ad\u200b-\u200f\u2060]", "this character cannot be seen: delete it"),
    (r"\bcondition\s*", '["“”„«]', "write a condition without quotes"),
    (rf"{_FUNCTION}\(\s*", "[\"'“”„‘’«»]", "write the argument without quotes"),
    (r"\bpoints\s*\(\s*\w+\s*", r"\)", f"{_HCP}; {FUNCTIONS['points'].usage}"),
    (r"(?:\A|\n)\s*", "['‘’%;]", _COMMENT),
    (r"(?:\A|\n)[ \t]*\w+(?:\s*-\s*\w+)+\s*", "=(?!=)", _ONE_WORD),
    (r"(?:\A|\n)[ \t]*[a-z]\w*[ \t]+[0-9]+[ \t]*", "=(?!=)", _ONE_WORD),
    ("", ":=", _DEFINED),
    (r"[<>]\s+", "=", "write >= and <= without a blank"),
    (r"!\s+", "=", "not equal is written !="),
    (r"[<>]=", "=", "write >= or <= with one ="),
    (r"!\s*", "[<>]", "the opposite of > is <=, and of < is >="),
    (
        r"[=<>]=?\s*\(\s*[0-9]+\s*",
        ",",
        _EACH_VALUE,
    ),
    ("", "=>|≥|⩾", "at least is written >="),
    ("", "=<|≤|⩽", "at most is written <="),
    (r"<\s*", ">", "not equal is written !="),
    ("", "≠", "not equal is written !="),
    ("", r"={1,2}\s*[0-9]+\s*[–—−-]\s*[0-9]", RANGE),
    ("", "=", "equal is written =="),
    ("", "&", "and is written &&"),
    ("", r"\|", "or is written ||"),
    ("", "[“”„‘’«»]", 'quotes are straight: "'),
    ("", "[♠♥♦♣♡♢♤♧]", "suits are words, as in spades(north), or letters, as in AS"),
    (r"[0-9]", r"[.,][0-9]{3}(?![0-9])", "a number has digits only, as in 10000"),
    (r"\bfrequency\b[^\n]*,\s*[0-9]+\s*", "[–—-]", "a comma stands between values, as in 0, 37"),
    (r"[0-9]\s*", "%", "a share has no %: shares are in proportion, so 30 and 60 are as 1 and 2"),
    (r"[0-9]\s*", "[–—−-]|\\.\\.", RANGE),
    ("", "[–—−]", "minus is written -"),
    ("", "[×·]", "a product is written *"),
    (r"\w\s*", r"[\[{]", "write arguments in ( and )"),
    (_SEAT, r"[.:]\s*\w", "write the seat in parentheses, as in hcp(north)"),
    (r"[0-9]", r",[0-9]", "decimals have a point, as in 12.5"),
    (r"[\w)]\s*", r",\s*[a-z]\w*\s*\(", _NO_COMMA),
    (
        "",
        r"\$[0-9]",
        "$1 is a parameter of DealerV2: write the value, or give it by --set 1=… to a script of -f",
    ),
    (r"\bif\b\s*", r"\w", _CHOICE),
    (r"(?:&&|\|\||\band|\bor|\bnot)\s*", "[<>=!]", _TWO_SIDES),
    (r"\A\s*(?:and|or)\s*", r"\w", "there is no condition before it to join"),
    (r"(?:&&|\|\||\band|\bor)\s*", r"\Z", "a condition is missing after 'and' or 'or'"),
    (r"(?:&&|\|\||\band|\bor)\s*", r"(?:and|or)\b|&&|\|\|", "'and' or 'or' stands twice"),
    (r"\bany\s*", "[0-9x]{4}", "write a list of shapes as in shape(north, any 4333 + 5xxx)"),
    (_ENDS_VALUE, r"(?:in|between|from|is|equals|to)\b", RANGE),
    (_FUNCTION, r"(?:north|east|south|west)\b", "write the seat in parentheses, as in hcp(north)"),
    (_ENDS_VALUE, r"[0-9]+\s*[–—−-]\s*[0-9]", RANGE),
    (_ENDS_VALUE, r"[0-9]+\s*\+", _AT_LEAST),
    (r"[0-9]+\s*\+\s*", r"\s*\Z|&&|\|\||and\b|or\b|[,);]", _AT_LEAST),
    (_ENDS_VALUE, "[0-9]", "a comparison is written hcp(north) == 15"),
]
_RULES_OF_CONDITIONS = [
    ("", r"(?::\s*\w+\s*(?:\(\s*\w+\s*\)\s*)?)?\{[^{}]*:", _WEIGHTS),
    ("", "[\"'“”„‘’«»]", "write a condition without quotes"),
    (rf"\A{_STATEMENT}\s*", r"\w", "statements are for scripts"),
    (r"\A\s*\w+\s*", r"=(?![=<>])", "equal is written ==; a variable is for scripts"),
]


def _ready(rules: list[tuple[str, str, str]]) -> list[tuple[re.Pattern[str], re.Pattern[str], str]]:
    return [
        (re.compile(rf"{before}\Z", re.IGNORECASE), re.compile(at, re.IGNORECASE), hint)
        for before, at, hint in rules
    ]


_HOLDING = re.compile(r"\bpredeal\b[^\n]*\s[SHDC][AKQJT0-9]+\s+\Z", re.IGNORECASE)
_RANGE_ALONE = re.compile(r"(\d{1,2})\s*-\s*(\d{1,2})")
_NUMBER_FIRST = re.compile(r"(not\s+|!\s*)?(\d+)\b", re.IGNORECASE)
_ONE_VALUE = r"[a-z]\w*(?:\s*\([^()]*\))?"
_VALUE_FIRST = re.compile(_ONE_VALUE, re.IGNORECASE)
_VALUE_LAST = re.compile(rf"{_VALUE_FIRST.pattern}\Z", re.IGNORECASE)
_COMPARED_LAST = re.compile(rf"({_VALUE_FIRST.pattern})\s*==\s*\d+\Z", re.IGNORECASE)
_DASHES = re.compile(r"(?:\A|\n)[ \t]*--+[ \t]*\Z")
_SECOND_WORD = re.compile(r"\w+[ \t]+\w+[ \t]*=(?!=)")
_WORD_BEFORE = re.compile(r"(\w+)\s*\Z")
_NEAR = 500
"""The number of characters before and after a fault that patterns examine.

Some patterns are slow on long texts.
"""
_OF_SCRIPTS = _ready(_RULES)
_OF_CONDITIONS = _ready([*_RULES_OF_CONDITIONS, *_RULES])


def instead_of_this(code: str, position: int, *, is_condition: bool) -> str:
    """Return a hint for the place where the parser failed; "" if there is no hint.

    `is_condition` is true for a single expression, and false for a script.

    >>> instead_of_this("hcp(north) => 12", 11, is_condition=True)
    'at least is written >='
    """
    for before, at, text in _OF_CONDITIONS if is_condition else _OF_SCRIPTS:
        if at.match(code, position) and before.search(code, max(0, position - _NEAR), position):
            return _of_this_line(text, code, position)
    rest = code[position:].strip()
    bracket = open_bracket(code, position)
    if bracket is not None:
        called = word_before(code, bracket)
        function = canonical(called[1]) if called else ""
        function = function if function in FUNCTIONS else ""
        lines = code.count("\n", 0, position) - code.count("\n", 0, bracket)
        if rest and not lines:
            named = re.match(r"[^\W\d]", rest)
            return FUNCTIONS[function].usage if function else _JOINED if named else ""
        if rest:
            line = code.count("\n", 0, bracket) + 1
            return f"the '(' in line {line} is not closed, or an operator is missing"
        return f"the '(' after {function} is not closed" if function else "a '(' is not closed"
    if rest.startswith(")"):
        return "it has no matching '('"
    joins = rest[:1] in {",", ";"} or (rest[:1].isalnum() and code[:position].strip())
    return _JOINED if is_condition and joins else ""


_VALUE = rf"(?P<value>{_ONE_VALUE}(?:\s*[+*]\s*(?:{_ONE_VALUE}|\d+))*)"
_RANGE_HERE = re.compile(
    rf"{_VALUE}[\s=]*(?:[^\W\d]+\s+)?"
    r"(?P<low>\d{1,2})\s*(?:[–—−-]|\.{2,3}|[^\W\d]+)\s*(?P<high>\d{1,2})\b",
    re.IGNORECASE,
)
_AT_LEAST_HERE = re.compile(rf"{_VALUE}[\s=]*(?P<number>\d{{1,2}})\s*\+", re.IGNORECASE)
_TWO_SIDES_HERE = re.compile(
    rf"{_VALUE}\s*(?P<first>[<>]=?\s*\d+)\s*(?P<join>&&|\|\||and|or)\s*(?P<second>[<>]=?\s*\d+)",
    re.IGNORECASE,
)
_IF_HERE = re.compile(
    r"(?:if|wenn|si)\s+(?P<when>.+?),?\s+(?:then|dann|alors)\s+(?P<then>.+?)"
    r"(?:\s+(?:else|sonst|sinon)\s+(?P<otherwise>.+?))?\s*\Z",
    re.IGNORECASE,
)
_NAME_HERE = re.compile(r"[ \t]*(\w+(?:[ \t-]+\w+)+)[ \t]*=(?!=)")
_SEATS_HERE = re.compile(r"\b(?:north|east|south|west)\b", re.IGNORECASE)


def _of_this_line(text: str, code: str, position: int) -> str:
    """Return a hint with the values, numbers and seats of the line in place of examples."""
    here, end = code.rfind("\n", 0, position) + 1, code.find("\n", position)
    start, end = max(here, position - _NEAR), end if end >= 0 else len(code)
    line = code[start : min(end, position + _NEAR)]
    if text == _ONE_WORD and (name := _NAME_HERE.match(line)):
        return f"{text}, as in {re.sub(r'[^0-9A-Za-z]+', '_', name[1])}"
    if text == _CHOICE and (asked := _IF_HERE.search(line)):
        when, then, otherwise = asked.group("when", "then", "otherwise")
        if otherwise:
            return f"a choice is written {when} ? {then} : {otherwise}"
        return f"both together are written {when} && {then}; a choice, {when} ? {then} : 1"
    if compared := _compared_here(text, line, position - start):
        return compared
    seats = {seat.lower() for seat in _SEATS_HERE.findall(line)}
    names_one = {*_SEATS_HERE.findall(text)} == {"north"}
    return text.replace("north", seats.pop()) if names_one and len(seats) == 1 else text


def _compared_here(text: str, line: str, position: int) -> str:
    """Return a hint about comparisons with those of the line; "" for other hints."""
    pattern = {RANGE: _RANGE_HERE, _AT_LEAST: _AT_LEAST_HERE, _TWO_SIDES: _TWO_SIDES_HERE}.get(text)
    for found in pattern.finditer(line) if pattern else ():
        if found.start() <= position <= found.end() + 1:
            value = found["value"].strip()
            if text == _AT_LEAST:
                return at_least_hint(value, found["number"])
            if text == RANGE:
                return range_hint(value, int(found["low"]), int(found["high"]))
            first, join, second = found.group("first", "join", "second")
            return f"a comparison has two sides, as in {value} {first} {join} {value} {second}"
    return ""


def open_bracket(code: str, position: int) -> int | None:
    """Return the position of the innermost '(' that is open at a place; None if there is none."""
    depth = 0
    for at in range(position - 1, -1, -1):
        depth += (code[at] == ")") - (code[at] == "(")
        if depth < 0:
            return at
    return None


def word_before(code: str, position: int) -> re.Match[str] | None:
    """Return the word directly before a place, such as a function before its parentheses."""
    return _WORD_BEFORE.search(code, max(0, position - _NEAR), position)


def instead_of_name(name: str, code: str = "", position: int = 0) -> str:
    """Return a hint for a name that the language does not have; "" if there is no hint.

    `code` is the text, with the name at a position.

    >>> instead_of_name("void")
    'a void is spades(north) == 0'
    """
    code = code or name
    before = code[max(0, position - _NEAR) : position]
    word = name.lower()
    if _HOLDING.search(before):
        text = "holdings are joined by commas, as in north SAQ5, HKJ"
    elif _DASHES.search(before):
        text = _COMMENT
    elif _SECOND_WORD.match(code, position):
        text = f"leave {name!r} out: {_DEFINED}" if _NAMES.get(word) == _DEFINED else _ONE_WORD
    elif word in _SUITS_ELSEWHERE:
        text = f"did you mean {_SUITS_ELSEWHERE[word]!r}?"
    elif word in _SIGNS or word == "at":
        text = _with_a_sign(code, position)
    else:
        text = _NAMES.get(word, "")
    return _of_this_line(text, code, position)


_COMPARED_BY_WORDS = re.compile(
    r"\W*(?:at\s+|au\s+)?(?P<word>\w+)(?:\s+(?:than|als|que))?(?:\s+(?P<number>\d+)\b)?\s*"
    rf"(?P<value>{_ONE_VALUE})?",
    re.IGNORECASE,
)


def _with_a_sign(code: str, position: int) -> str:
    """Return a hint for a comparison in words, such as `exactly 5 spades(south)`."""
    asked = _COMPARED_BY_WORDS.match(code, position)
    assert asked is not None, "a name stands there"
    sign = _SIGNS.get(asked["word"].lower(), "==")
    earlier = _VALUE_LAST.search(code[max(0, position - _NEAR) : position].rstrip())
    value = earlier[0] if earlier else asked["value"] or ""
    value = value if "(" in value else "spades(north)"
    return f"this comparison is written {value} {sign} {asked['number'] or 5}"


_HELD = re.compile(
    r"\w+\s+(?:has|holds|with|hat|a|heeft)?\s*(?:exactly|at\s+least)?\s*(?P<number>\d+)\s*\+?\s*"
    r"(?P<kind>spade|heart|diamond|club|hcp|point)",
    re.IGNORECASE,
)


def instead_of_seat(seat: str, code: str) -> str:
    """Return a hint for a seat that stands where a number is expected; `code` begins with it.

    >>> instead_of_seat("south", "south has 5 spades")
    'exactly 5 is spades(south) == 5, and at least 5 is spades(south) >= 5'
    """
    if held := _HELD.match(code):
        kind, number = held["kind"].lower(), held["number"]
        value = f"{'hcp' if kind in ('hcp', 'point') else f'{kind}s'}({seat})"
        return (
            f"exactly {number} is {value} == {number}, and at least {number} is {value} >= {number}"
        )
    return f"write it in a function, as in hcp({seat})"


def instead_of_function(name: str, usage: str, code: str) -> str:
    """Return a message about a function without parentheses; `code` begins with it.

    >>> instead_of_function("hcp", "hcp takes a seat, as in hcp(north)", "hcp south >= 12")
    'write the seat in parentheses: hcp(south)'
    """
    if seat := re.match(rf"\w+\s+({'|'.join(SEATS)})\b", code, re.IGNORECASE):
        return f"write the seat in parentheses: {name}({seat[1]})"
    return f"{name!r}{usage.removeprefix(canonical(name))}"


def instead_of_second(earlier: str, text: str) -> str:  # noqa: PLR0911 (kinds)
    """Return a hint for an expression that follows a whole condition, such as `5` or `not 5`.

    >>> instead_of_second("5", "spades(south)")
    'a comparison is written spades(south) == 5'
    >>> instead_of_second("hcp(south) == 12", "13")
    'another value is written || hcp(south) == 13'
    """
    if re.fullmatch(r"\d{3}", earlier) and (earlier[0] == "0" or re.fullmatch(r"\d{3}", text)):
        return "a number is written without blanks, as in 1000000"
    number, alone = _NUMBER_FIRST.match(text), _NUMBER_FIRST.match(earlier)
    value, compared = _VALUE_LAST.search(earlier), _COMPARED_LAST.search(earlier)
    if ends := _RANGE_ALONE.fullmatch(text):
        return range_hint(value[0] if value else earlier, *map(int, ends.groups()))
    if number and compared:
        return f"another value is written || {compared[1]} == {number[2]}"
    if number and alone:
        return _EACH_VALUE
    if number and value:
        return f"a comparison is written {value[0]} {'!=' if number[1] else '=='} {number[2]}"
    if alone and (named := _VALUE_FIRST.match(text)):
        return f"a comparison is written {named[0]} == {alone[2]}"
    return MISSING_AND


def instead_of_shapes(shapes: str, position: int) -> str:
    """Return a hint for a wrong list of shapes; "" if there is no hint.

    >>> instead_of_shapes("5-3-3-2", 0)
    'a shape is written in one word, as in 5332'
    >>> instead_of_shapes("any 5332 or any 4333", 9)
    'shapes are joined by +, as in any 5332 + any 4333'
    """
    if shapes[position : position + 1] in {"{", "[", "<"}:
        return f"a list of shapes has no brackets, as in {_BALANCED}"
    if parts := re.match(r"[0-9](?:\s*[-–=]\s*[0-9]\b)+", shapes[position:]):
        return f"a shape is written in one word, as in {re.sub(r'[^0-9]', '', parts[0])}"
    if re.match(r"(?:and|und|et|en|y|e|i)\b|&", shapes[position:], re.IGNORECASE):
        both = "both at once are two functions, shape(…) && shape(…)"
        return f"+ is written between shapes of which one is enough; {both}"
    if re.match(r"(?:or|oder|ou|of|lub|o)\b|[,;/|]", shapes[position:], re.IGNORECASE):
        joined = re.split(r"\s*(?:\b(?:or|oder|ou|of|lub|o)\b|[,;/|]+)\s*", shapes.strip())
        return f"shapes are joined by +, as in {' + '.join(joined)}"
    return _NAMES["balanced"] if re.match(r"bal", shapes[position:], re.IGNORECASE) else ""


def instead_of_argument(function: str, word: str, known: Sequence[str]) -> str:
    """Return a hint for a word that is no valid argument; "" if there is no hint.

    `known` has the valid words, if they can be listed.

    >>> instead_of_argument("hcp", "N", ["north", "south"])
    "did you mean 'north'?"
    >>> instead_of_argument("hcp", "north + south", ["north", "south"])
    'write a function for each seat, as in hcp(north) + hcp(south)'
    """
    for each in known:
        if word.lower() == each[0]:
            return f"did you mean {each!r}?"
    seats = _seats(word)
    if len(seats) == 1 and "north" in known:
        return f"did you mean {seats[0]!r}?"
    if seats and known:
        one, other = (*seats, "south", "north")[:2]
        two = ("north", "south") if one == other or len(seats) == 1 else (one, other)
        calls = " + ".join(f"{function}({seat})" for seat in two)
        return f"write a function for each seat, as in {calls}"
    first = re.match(r"\s*(\w+)\s*[<>=!+*/%-]", word)
    if first and first[1].lower() in known:
        return f"write the ')' after {first[1]!r}"
    return "" if canonical(word) in RESERVED else hint(word.lower(), known).removeprefix("; ")


def _seats(text: str) -> list[str]:
    """Return the seats that a text names by words or letters; [] if it has any other word."""
    letters = {seat[0]: seat for seat in SEATS}
    seats: list[str] = []
    for word in re.findall(r"\w+", text.lower()):
        if word in SEATS or word in _SEATS_ELSEWHERE:
            seats.append(_SEATS_ELSEWHERE.get(word, word))
        elif set(word) <= set(letters):
            seats += [letters[letter] for letter in word]
        else:
            return []
    return seats
