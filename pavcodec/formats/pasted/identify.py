"""Any text that holds deals: a number, a code, boards of a format, or hands as people type them."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable

from pavcodec.boards.board import Board
from pavcodec.boards.context import Problem
from pavcodec.codes import Reading, code, code_names
from pavcodec.codes import identify as identify_codes
from pavcodec.errors import PavError, check_text
from pavcodec.formats.pasted.hands import looks_like_hands, parse_hands
from pavcodec.formats.recognition import format_by_suffix, recognise
from pavcodec.formats.registry import read, write
from pavcodec.layout import Layout

__all__ = ["HANDS", "as_file", "identify"]

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
    check_text("a number, a code or a deal", text)
    try:
        return identify_codes(text, one_based=one_based)
    except PavError as error:
        if any(code(name).fits(text.strip()) for name in code_names()):
            raise
        no_code = error
    problems: list[Problem] = []
    readings = _boards(text, problems)
    if readings:
        for problem in problems:
            (report or _warn)(problem)
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
    coded = [one for one in readings if one.scheme in code_names()]
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
    return text, _format_of(text)


def _boards(text: str, problems: list[Problem]) -> list[Reading]:
    """Return a reading for each board of a text in a format; collect what cannot be read."""
    whole, name = _in_format(text)
    if name is None:
        return []
    boards = read(io.BytesIO(whole.encode(errors="replace")), format=name, report=problems.append)
    found = [(board.layout, board.number) for board in boards]
    return [Reading(name, layout, board=number) for layout, number in found if layout is not None]


def _format_of(text: str) -> str | None:
    """Return the format that the beginning of a text shows; None if it shows none."""
    if not text or "\0" in text:
        return None
    found, _ = recognise(io.BytesIO(text.encode(errors="replace")))
    is_shown = found.name != "pbn" or _TAG.match(text)
    return found.name if is_shown and found.is_text and found.is_read else None


def _warn(problem: Problem) -> None:
    warnings.warn(str(problem), stacklevel=3)
