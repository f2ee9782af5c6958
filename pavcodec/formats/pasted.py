"""What people paste: a number, a code, a deal in a format, or hands as people type them."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterator
from typing import NamedTuple

from pavcodec.boards.board import Board, Problem
from pavcodec.cards import (
    DECK_SIZE,
    RANK_LETTERS,
    SEAT_LETTERS,
    SUIT_LETTERS,
    SUIT_SIZE,
    UNUSED,
    Card,
    Seat,
    Suit,
)
from pavcodec.codes import Reading, code, code_names
from pavcodec.codes import identify as identify_codes
from pavcodec.errors import PavError, TextError, check_text
from pavcodec.formats.bbo.lin import layout_of_hands
from pavcodec.formats.registry import format_by_suffix, read, recognise, write
from pavcodec.layout import Layout

# Hands as people type them: one a line, behind their seats, with signs of the suits, with commas.
#
# Rule 1: A text has one to four hands. Each stands behind its seat, as in `North:` or `N:`; or
# hands without seats are those of N, E, S and W in this order, one a line, or with `|` or `;` or,
# if each has its dots, blanks between them. Rule 2: A hand has its suits behind their signs or
# letters, in any order; or four holdings, spades first, with dots, commas, slashes or blanks
# between them. Rule 3: The ranks of a holding come in any order and in either case; a ten is `T` or
# `10`; `-` is a void, and so is nothing where dots, commas or slashes divide the holdings. Rule 4:
# A diagram has North at the top, then West and East beside each other, then South. Rule 5: If three
# hands are full and the fourth has no card, it holds the other cards.
#
# All replacements keep the length of the text, so errors mark the place in the text as typed.


_SIGNS = {"♠": "♠♤", "♥": "♥♡", "♦": "♦♢", "♣": "♣♧"}
_PLAIN = str.maketrans(
    {other: sign for sign, all_ in _SIGNS.items() for other in all_}
    | dict.fromkeys("–—−‐‑", "-")
    | dict.fromkeys("\ufe0e\ufe0f\u00a0\u2007\u2009\u202f\u200b\t\r", " ")
)
_NAMES = "|".join(seat.name for seat in Seat)
_LABEL = re.compile(
    rf"(?<![A-Z0-9.♠♥♦♣])(?:({_NAMES})\b *[:=.]?|([{SEAT_LETTERS}]) *[:=]"
    rf"|([{SEAT_LETTERS}]) +(?=[^ \n]*\.))"
)
"""A seat: its name, its letter and a colon, or its letter before a hand with dots."""
_HEADER = re.compile(r"^ *(?:BOARD|DEAL|DEALER|DLR|VUL|VULNERABLE)\b[^\n]*", re.MULTILINE)
_RANKS = r"(?:10|[AKQJT98765432])"
_SUIT = re.compile(rf"[♠♥♦♣{SUIT_LETTERS}] *+[:=]?+ *+(?:-++|(?:{_RANKS}[ ,]*+)*+)")
"""A suit; like all patterns here it never goes back, so that no text takes long."""
_ROW = re.compile(rf" *+{_SUIT.pattern} *+(?:{_SUIT.pattern} *+)?+")
_SUITS = {sign: place for signs in (SUIT_LETTERS, "♠♥♦♣") for place, sign in enumerate(signs)}
_TOKEN = re.compile(
    rf"(?P<rank>{_RANKS})|(?P<sign>[♠♥♦♣{SUIT_LETTERS}])[ :=]*|(?P<blank>\s+)|[-,;./|]"
    r"|(?P<bad>.)"
)
_DOTTED = rf"(?<![AKQJT0-9])(?:{_RANKS})*+(?:[.,/](?:{_RANKS}|-)*+){{3}}"
_ONLY_CARDS = (
    rf"(?:(?:{_RANKS}|[-\s])*+\.)++(?:{_RANKS}|[-\s])*+"
    rf"|(?:[\s,;.|]*+{_SUIT.pattern}){{2,}}+[\s,;.|]*+"
)
_DIVIDERS = (".", ",", "/")
_MOST = 2000
"""The longest text that is read; four hands are much shorter."""


class _Typed(NamedTuple):
    """A part of the text: where it begins, and its characters."""

    start: int
    text: str


def looks_like_hands(text: str) -> bool:
    """Return whether a text looks like hands: it has signs of suits, seats, or dotted holdings."""
    if len(text) > _MOST:
        return False
    plain = _plain(text)
    return bool(
        re.search("[♠♥♦♣]", plain)
        or re.search(rf"(?:{_NAMES})\b *[:=]|(?<![A-Z])[{SEAT_LETTERS}] *[:=]", plain)
        or re.search(rf"^ *(?:{_NAMES})\b *(?:{_RANKS}|-)", plain, re.MULTILINE)
        or re.search(_DOTTED, plain)
        or re.fullmatch(_ONLY_CARDS, plain)
        or _diagram(plain)
    )


def parse_hands(text: str) -> Layout:
    r"""Return the layout of hands as people type them; raise `TextError` or `PavError`.

    >>> str(parse_hands("South: ♠AK ♥Q10 ♦- ♣2"))
    'N:- - AK.QT..2 -'
    >>> str(parse_hands("AK,Q10,-,2\nqj.3.4."))
    'N:AK.QT..2 QJ.3.4. - -'
    """
    check_text("hands", text)
    if len(text) > _MOST:
        raise PavError(f"four hands have fewer than {_MOST} characters, not {len(text)}")
    owners = bytearray([UNUSED]) * DECK_SIZE
    plain = _plain(text)
    for seat, part in _diagram(plain) or _parts(text, plain):
        for card, at in _cards(text, part):
            if owners[card] != UNUSED:
                reason = f"{Card(card)} comes twice"
                raise TextError(reason, text, (at, at + 1))
            owners[card] = seat
    if set(owners) == {UNUSED}:
        raise TextError("expected the cards of one to four hands", text, (0, len(text)))
    hands = Layout.unchecked(bytes(owners)).hands
    return layout_of_hands({seat: hands[seat].to_pbn() for seat in Seat})


def _plain(text: str) -> str:
    """Return a text in capitals with one sign for each suit; the length stays.

    Lines with the board, the dealer or the vulnerability become blank.
    """
    capitals = "".join(
        character.upper() if len(character.upper()) == 1 else character for character in text
    )
    return _HEADER.sub(lambda header: " " * len(header[0]), capitals.translate(_PLAIN))


def _parts(text: str, plain: str) -> Iterator[tuple[Seat, _Typed]]:
    """Yield the part of each hand with its seat."""
    labels = _labels(plain)
    if labels:
        first = _Typed(0, plain[: labels[0].start()])
        if first.text.strip(" \n|;"):
            raise _wrong("expected a seat before the first hand", text, first)
        ends = [*(label.start() for label in labels[1:]), len(plain)]
        seen: set[Seat] = set()
        for label, end in zip(labels, ends, strict=True):
            seat = Seat(SEAT_LETTERS.index(next(filter(None, label.groups()))[0]))
            part = _Typed(label.end(), plain[label.end() : end])
            if seat in seen:
                raise _wrong(f"{seat.name.title()} has two hands", text, part)
            seen.add(seat)
            yield seat, part
        return
    hands = _divided(plain)
    if len(hands) > len(Seat):
        raise _wrong(f"expected at most four hands, not {len(hands)}", text, hands[len(Seat)])
    yield from zip(Seat, hands, strict=False)


def _diagram(plain: str) -> list[tuple[Seat, _Typed]]:
    """Return the suits of a diagram, each with its seat; nothing for any other text.

    In a diagram four lines have a suit of North, four lines those of West and East, and four lines
    one of South. The text around it may have other lines, which are not read.
    """
    rows, start = [], 0
    for line in plain.split("\n"):
        if _ROW.fullmatch(line):
            suits = _SUIT.finditer(line)
            rows.append([_Typed(start + suit.start(), suit[0]) for suit in suits])
        start += len(line) + 1
    if [len(row) for row in rows] != [1] * 4 + [2] * 4 + [1] * 4:
        return []
    north, sides, south = rows[:4], rows[4:8], rows[8:]
    hands = [(Seat.NORTH, part) for (part,) in north] + [(Seat.SOUTH, part) for (part,) in south]
    for west, east in sides:
        hands += [(Seat.WEST, west), (Seat.EAST, east)]
    return hands


def _labels(plain: str) -> list[re.Match[str]]:
    """Return the seats in a text; the letter S directly behind a seat, or alone, is spades."""
    labels: list[re.Match[str]] = []
    for label in _LABEL.finditer(plain):
        is_spades = label[2] == "S" and (
            labels and not plain[labels[-1].end() : label.start()].strip()
        )
        if not is_spades:
            labels.append(label)
    are_suits = all(label[2] == "S" for label in labels) and re.search("[HDC] *[:=]", plain)
    return [] if are_suits else labels


def _divided(plain: str) -> list[_Typed]:
    """Return the hands of a text without seats."""
    if re.search(r"[|;\n]", plain.strip()) and not _is_column(plain):
        return [part for part in _cut(plain, r"[|;\n]+") if part.text.strip()]
    spades = "♠" if "♠" in plain else "S"
    if plain.count(spades) > 1 or _is_column(plain):
        starts = [0, *(match.start() for match in re.finditer(spades, plain))][1:]
        ends = [*starts[1:], len(plain)]
        if not plain[: starts[0]].strip():
            return [_Typed(a, plain[a:b]) for a, b in zip(starts, ends, strict=True)]
    words = [part for part in _cut(plain, r"\s+") if part.text]
    if len(words) > 1 and all(_divider(word.text) or word.text == "-" for word in words):
        return words
    return [_Typed(0, plain)]


def _is_column(plain: str) -> bool:
    """Return whether each line has one suit behind its sign or letter."""
    rows = [line.strip() for line in plain.split("\n") if line.strip()]
    return len(rows) > len(Seat) - 1 and all(_SUIT.fullmatch(row) for row in rows)


def _cut(plain: str, pattern: str) -> list[_Typed]:
    """Return the parts of a text between the matches of a pattern."""
    parts, start = [], 0
    for divider in re.finditer(pattern, plain):
        parts.append(_Typed(start, plain[start : divider.start()]))
        start = divider.end()
    return [*parts, _Typed(start, plain[start:])]


def _divider(hand: str) -> str:
    """Return the mark between the four holdings of a hand; "" if there is none."""
    return next((mark for mark in _DIVIDERS if hand.count(mark) == len(SUIT_LETTERS) - 1), "")


def _cards(text: str, part: _Typed) -> Iterator[tuple[int, int]]:
    """Yield each card of a hand with its place in the text."""
    hand = part.text
    tokens = list(_TOKEN.finditer(hand))
    for token in tokens:
        if token["bad"]:
            at = part.start + token.start()
            raise TextError(f"{text[at]!r} is no card", text, (at, at + 1))
    is_suited = re.search(f"[♠♥♦♣{SUIT_LETTERS}]", hand) is not None
    inner = hand.strip(" \n|;")
    mark = "" if is_suited else _divider(inner)
    if not is_suited and inner.strip("-."):
        count = len(inner.split(mark or None))
        if count != len(SUIT_LETTERS):
            count = len(re.split("[.,/]", inner)) if re.search("[.,/]", inner) else count
            message = (
                "a hand has its suits behind S H D C or ♠ ♥ ♦ ♣, or four holdings, spades first, "
                f"with dots between them; here are {count}"
            )
            raise _wrong(message, text, part)
    suit = -1 if is_suited else 0
    begun, named = False, set()
    for token in tokens:
        at = part.start + token.start()
        if token["rank"]:
            if suit < 0:
                raise TextError(f"expected a suit before {token[0]!r}", text, (at, at + 1))
            rank = "T" if token[0] == "10" else token[0]
            yield suit * SUIT_SIZE + RANK_LETTERS.index(rank), at
        elif token["sign"]:
            suit = _SUITS[token["sign"]]
            if suit in named:
                message = f"one hand has {Suit(suit).name.lower()} twice"
                raise TextError(message, text, (at, at + 1))
            named.add(suit)
        elif not is_suited and (token[0] == mark if mark else begun and token["blank"]):
            suit += 1
        begun = begun or token["blank"] is None


def _wrong(message: str, text: str, part: _Typed) -> TextError:
    """Return an error that marks a part of the text."""
    inner = part.text.strip()
    start = part.start + part.text.find(inner)
    return TextError(message, text, (start, max(start + 1, start + len(inner))))


# Any text that holds deals: a number, a code, boards of a format, or hands as people type them.


HANDS = "hands"
"""The scheme of hands as people type them."""
_TAG = re.compile(r"\s*(%|\[\s*\w+\s)")
_ONE_SEAT = re.compile(r"\s*[NESW]\s*:", re.IGNORECASE)
_SEATS = re.compile(r"\b[A-Z]+\s*:", re.IGNORECASE)
_HANDS_OF_LIN = re.compile(r"[1-4]S[2-9TJQKA]*+H[2-9TJQKA]*+D[2-9TJQKA]*+C[^|]*", re.IGNORECASE)
"""The part of LIN that has the cards: the dealer's number, and the hands of S, W, N and E."""
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_PARAMETERS = re.compile(r"[?&]?(lin|[nesw])=", re.IGNORECASE)
_CARDS = re.compile(r"[?&](lin|[nesw])=", re.IGNORECASE)
_LINK = re.compile(r"https?://\S*(handviewer\.html\?|[?&]lin=)", re.IGNORECASE)
_FEWEST_OF_CODE = 20
"""A shorter code, such as `event` in base 64, may be meant as the name of a file."""


def identify(
    text: str, *, one_based: bool = False, report: Callable[[Problem], None] | None = None
) -> list[Reading]:
    """Return all possible meanings of a text: of numbers, of codes, of deals in any notation.

    A number has a meaning in each numbering that contains it, and a code in each scheme whose form
    it has, as `pavcodec.codes.identify` describes. Any other text is read as a file of the format
    that its beginning shows, such as PBN, LIN, an address of a hand viewer or a diagram; then each
    board with cards is a reading, and its scheme is the format. If no format fits, the text may be
    hands as people type them, such as `North: ♠AQ10 ♥K2 …`, with the scheme `hands`; without seats
    the first hand is North's. `one_based` reads numbers that start at 1. Boards that cannot be read
    go to `report` as `Problem`, or become Python warnings. Raises `PavError`, if possible with the
    place of the error, for a text without any meaning.

    >>> for text in ("md|1SAK,,SQJ,|", "South: ♠AK ♥Q10", "AK,Q10,-,2"):
    ...     print([(one.scheme, str(one.layout)) for one in identify(text)])
    [('lin', 'N:QJ... - AK... -')]
    [('hands', 'N:- - AK.QT.. -')]
    [('hands', 'N:AK.QT..2 - - -')]
    """
    try:
        return identify_codes(text, one_based=one_based)
    except PavError as error:
        if any(code(name).fits(text.strip()) for name in code_names(rare=True)):
            raise
        no_code = error
    problems: list[Problem] = []
    readings = _boards(text, problems)
    if readings:
        for problem in problems:
            if report is None:
                warnings.warn(str(problem), stacklevel=2)
            else:
                report(problem)
        return readings
    if _ONE_SEAT.match(text) and len(_SEATS.findall(text)) == 1:
        return [Reading("lines", Layout.from_pbn(" ".join(text.split()), lenient=True))]
    try:
        if looks_like_hands(text):
            return [Reading(HANDS, parse_hands(text))]
    except PavError:
        if not problems:
            raise
    if _ADDRESS.match(text.strip()) and not _CARDS.search(text):
        raise PavError(
            "this address does not hold the cards, and pavcodec opens no addresses: paste the "
            "cards, or a link of a hand viewer with lin= or n= e= s= w="
        )
    raise PavError(problems[0].reason) if problems else no_code


def as_file(text: str) -> bytes | None:
    """Return a file with the deals of a text; None for a text that may be the name of a file.

    A number becomes decimal, and a text in a format, such as LIN, an address of a hand viewer or
    `N:… … … …`, stays as it is. Hands as people type them and codes of at least 20 characters
    become PBN. Raises `PavError` for a text that looks like a deal and is none, and for a code that
    is a different deal in two schemes.

    >>> as_file("12"), as_file("event.pbn"), as_file("event")
    (b'12', None, None)
    """
    if format_by_suffix(text) or (_ADDRESS.match(text) and not _LINK.match(text)):
        return None
    whole, name = _in_format(text)
    try:
        readings = identify(text, report=lambda _: None)
    except PavError:
        if name or looks_like_hands(text):
            raise
        return None
    first = readings[0]
    if first.number is not None:
        return str(first.number).encode()
    if first.scheme == name:
        return whole.encode(errors="replace")
    coded = [one for one in readings if one.scheme in code_names(rare=True)]
    if coded and len(text.strip()) < _FEWEST_OF_CODE:
        return None
    if len({one.layout for one in coded}) > 1:
        *others, last = (one.scheme for one in coded)
        names = f"{', '.join(others)} and {last}"
        raise PavError(f"it means different deals as {names}: 'pavcodec identify' prints them")
    stream = io.BytesIO()
    write([Board.make(first.layout, number=first.board)], stream, format="pbn")
    return stream.getvalue()


def _in_format(text: str) -> tuple[str, str | None]:
    """Return a text as a file has it, and the format that its beginning shows, or None."""
    text = text.strip()
    text = f"md|{text}|" if _HANDS_OF_LIN.fullmatch(text) else text
    if _PARAMETERS.match(text):
        return f"handviewer.html?{text.lstrip('?&')}", "handviewer"
    if not text or "\0" in text:
        return text, None
    format_, _ = recognise(io.BytesIO(text.encode(errors="replace")))
    is_shown = format_.name != "pbn" or _TAG.match(text)
    return text, format_.name if is_shown and format_.is_text and format_.is_read else None


def _boards(text: str, problems: list[Problem]) -> list[Reading]:
    """Return a reading for each board of a text in a format; collect what cannot be read."""
    whole, name = _in_format(text)
    if name is None:
        return []
    boards = read(io.BytesIO(whole.encode(errors="replace")), format=name, report=problems.append)
    cards = [(board.layout, board.number) for board in boards]
    return [Reading(name, layout, board=number) for layout, number in cards if layout is not None]
