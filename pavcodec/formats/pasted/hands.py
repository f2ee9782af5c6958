"""Hands as people type them: one a line, behind their seats, with signs of the suits, with commas.

Rule 1: A text has one to four hands. Each stands behind its seat, as in `North:` or `N:`; or hands
        without seats are those of N, E, S and W in this order, one a line, or with `|` or `;` or,
        if each has its dots, blanks between them.
Rule 2: A hand has its suits behind their signs or letters, in any order; or four holdings, spades
        first, with dots, commas, slashes or blanks between them.
Rule 3: The ranks of a holding come in any order and in either case; a ten is `T` or `10`; `-` is a
        void, and so is nothing where dots, commas or slashes divide the holdings.
Rule 4: A diagram has North at the top, then West and East beside each other, then South.
Rule 5: If three hands are full and the fourth has no card, it holds the other cards.

All replacements keep the length of the text, so errors mark the place in the text as typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

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
from pavcodec.errors import PavError, TextError, check_text
from pavcodec.formats.bbo.lin_hands import layout_of_hands
from pavcodec.layout import Layout

__all__ = ["looks_like_hands", "parse_hands"]

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
    return _HEADER.sub(lambda found: " " * len(found[0]), capitals.translate(_PLAIN))


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
            suits = [(start + found.start(), found[0]) for found in _SUIT.finditer(line)]
            rows.append([_Typed(*suit) for suit in suits])
        start += len(line) + 1
    if [len(row) for row in rows] != [1] * 4 + [2] * 4 + [1] * 4:
        return []
    north, sides, south = rows[:4], rows[4:8], rows[8:]
    found = [(Seat.NORTH, part) for (part,) in north] + [(Seat.SOUTH, part) for (part,) in south]
    for west, east in sides:
        found += [(Seat.WEST, west), (Seat.EAST, east)]
    return found


def _labels(plain: str) -> list[re.Match[str]]:
    """Return the seats in a text; the letter S directly behind a seat, or alone, is spades."""
    found: list[re.Match[str]] = []
    for label in _LABEL.finditer(plain):
        is_spades = label[2] == "S" and (
            found and not plain[found[-1].end() : label.start()].strip()
        )
        if not is_spades:
            found.append(label)
    is_suits = all(label[2] == "S" for label in found) and re.search("[HDC] *[:=]", plain)
    return [] if is_suits else found


def _divided(plain: str) -> list[_Typed]:
    """Return the hands of a text without seats."""
    if re.search(r"[|;\n]", plain.strip()) and not _is_column(plain):
        return [part for part in _cut(plain, r"[|;\n]+") if part.text.strip()]
    spades = "♠" if "♠" in plain else "S"
    if plain.count(spades) > 1 or _is_column(plain):
        starts = [0, *(found.start() for found in re.finditer(spades, plain))][1:]
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
    """Return the parts of a text between the places of a pattern."""
    found, start = [], 0
    for place in re.finditer(pattern, plain):
        found.append(_Typed(start, plain[start : place.start()]))
        start = place.end()
    return [*found, _Typed(start, plain[start:])]


def _divider(hand: str) -> str:
    """Return the mark between the four holdings of a hand; "" if there is none."""
    return next((mark for mark in _DIVIDERS if hand.count(mark) == len(SUIT_LETTERS) - 1), "")


def _cards(text: str, part: _Typed) -> Iterator[tuple[int, int]]:
    """Yield each card of a hand with its place in the text."""
    hand = part.text
    tokens = list(_TOKEN.finditer(hand))
    for found in tokens:
        if found["bad"]:
            at = part.start + found.start()
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
    for found in tokens:
        at = part.start + found.start()
        if found["rank"]:
            if suit < 0:
                raise TextError(f"expected a suit before {found[0]!r}", text, (at, at + 1))
            rank = "T" if found[0] == "10" else found[0]
            yield suit * SUIT_SIZE + RANK_LETTERS.index(rank), at
        elif found["sign"]:
            suit = _SUITS[found["sign"]]
            if suit in named:
                message = f"one hand has {Suit(suit).name.lower()} twice"
                raise TextError(message, text, (at, at + 1))
            named.add(suit)
        elif not is_suited and (found[0] == mark if mark else begun and found["blank"]):
            suit += 1
        begun = begun or found["blank"] is None


def _wrong(message: str, text: str, part: _Typed) -> TextError:
    """Return an error that marks a part of the text."""
    inner = part.text.strip()
    start = part.start + part.text.find(inner)
    return TextError(message, text, (start, max(start + 1, start + len(inner))))
