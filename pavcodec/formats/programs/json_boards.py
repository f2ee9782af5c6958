"""JSON: a list of objects, or an object a line; a board each.

There is no standard; docs/formats/json.md describes what pavcodec writes and reads.

Rule 1: `deal` is PBN's deal text, `tags` PBN's tags, `sections` the lines that follow them. Where
        these three are not enough, as for two tags with one name, `entries` has all tags.
Rule 2: `board`, `dealer` and `vulnerable` are for readers without a notion of tags; the reader uses
        them where the tags have no other values.
Rule 3: `endplay_json` reads the objects of endplay, which have other keys.
Rule 4: hands of other programs may have any name of the seat, and be a text or a list of cards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import BinaryIO, TypeVar

from pavcodec.boards.board import Board, Tag
from pavcodec.boards.context import Context
from pavcodec.boards.rows import board_object
from pavcodec.boards.vulnerability import Vulnerability
from pavcodec.cards import SUIT_LETTERS, Seat
from pavcodec.errors import PavError, TextError
from pavcodec.files.text import blocks, decode
from pavcodec.formats.bbo.lin_hands import layout_of_hands, parse_suits
from pavcodec.formats.plain.texts import is_text, shorten
from pavcodec.formats.programs.endplay_json import board_of_endplay, is_endplay
from pavcodec.layout import Layout

__all__ = ["read_json", "write_json", "write_json_lines"]

T = TypeVar("T")

Object = Mapping[str, object]
"""What JSON calls an object."""

_BETWEEN = re.compile(r"[\s,\[\]]*")
_CUT = 1 << 16
_NEXT_OBJECT = re.compile(r"^\s*\{", re.MULTILINE)
_SUIT_NAMES = {name: place for place, name in enumerate(("spades", "hearts", "diamonds", "clubs"))}
_SUIT_PLACES = _SUIT_NAMES | {letter.lower(): n for n, letter in enumerate(SUIT_LETTERS)}
_WORDS = {"": None, "none": "None", "ns": "NS", "ew": "EW", "all": "All", "both": "All"}
_VULNERABLE = _WORDS | {"o": "None", "-": "None", "n": "NS", "e": "EW", "b": "All"}


def read_json(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield the boards of a list of objects, or of objects one after another.

    The whole text is in memory. An object that is no board is a problem, and so is text that is no
    JSON; the reader then continues at the next line that begins with a brace.
    """
    text = decode(b"".join(blocks(stream))).rstrip("\x1a")
    if not is_text(text[:1024].replace("\n", " ").replace("\t", " ")):
        context.problem(1, "this is no text: expected JSON")
        return
    parse = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str).raw_decode
    place, line = 0, 1
    while (start := _end_of_gap(text, place)) < len(text):
        line += text.count("\n", place, start)
        try:
            value, end = parse(text, start)
        except (ValueError, RecursionError) as error:
            following = _NEXT_OBJECT.search(text, start + 1)
            end = following.start() if following else len(text)
            why = str(error).split(":")[0] if isinstance(error, ValueError) else "too deep"
            wrong = shorten(text[start : start + 60].split("\n")[0])
            context.problem(line, f"this is no JSON ({why}): {wrong}")
        else:
            yield from _board(value, line, context)
        line += text.count("\n", start, end)
        place = end
        if place > _CUT:  # json counts the lines before each fault, so the text begins near it
            text, place = text[place:], 0


def _end_of_gap(text: str, place: int) -> int:
    found = _BETWEEN.match(text, place)
    return found.end() if found else place


def _board(value: object, line: int, context: Context) -> Iterator[Board]:
    """Yield the board of a value; report other values."""
    if not isinstance(value, dict):
        context.problem(line, f"expected an object with a board, not {shorten(json.dumps(value))}")
        return
    found = {str(key).lower(): each for key, each in value.items()}
    wrong: list[str] = []
    if is_endplay(found):
        board = _attempt(lambda each: board_of_endplay(each, wrong.append, line), found, wrong)
        for reason in wrong:
            context.problem(line, reason, _text(found["board_num"]) or None)
        if board is not None:
            yield board
        return
    entries = _attempt(_entries, found, wrong) or ()
    layout = _attempt(_layout, found, wrong)
    told = _told(found, Board(layout, entries), wrong)
    if layout is None and not entries and not told and not wrong:
        wrong.append(f"this object holds no board: {shorten(json.dumps(value))}")
    for reason in wrong:
        context.problem(line, reason, _text(found.get("board")) or None)
    if layout is not None or entries or told:
        yield Board(layout, (*told, *entries), line=line)


def _attempt(make: Callable[[Object], T], found: Object, wrong: list[str]) -> T | None:
    """Return the result of `make`; if it raises `PavError`, add the reason and return None."""
    try:
        return make(found)
    except PavError as error:
        wrong.append(str(error))
        return None


def _text(value: object) -> str:
    """Return a text unchanged; empty for other values (the decoder makes texts of numbers)."""
    return value if isinstance(value, str) else ""


def _entries(found: Object) -> tuple[Tag, ...]:
    """Return the tags of an object: `entries`, or else `tags` with their `sections`."""
    if "entries" in found:
        return tuple(map(_entry, _list(found["entries"], "entries")))
    tags = found.get("tags", {})
    sections = found.get("sections", {})
    if not isinstance(tags, dict) or not isinstance(sections, dict):
        raise PavError("tags and sections are objects: names and what they have")
    made = []
    for name, value in tags.items():
        if not isinstance(value, str):
            raise PavError(f"the tag {name!r} has a text, not {shorten(json.dumps(value))}")
        made.append(Tag(name, value, _lines(sections.get(name, []))))
    for name, section in sections.items():
        if name not in tags:
            made.append(Tag(name, "", _lines(section)))
    return tuple(made)


def _entry(value: object) -> Tag:
    """Return the tag of one of `entries`: name, value and perhaps lines."""
    parts = value if isinstance(value, list) else []
    if not 2 <= len(parts) <= 3 or not all(isinstance(part, str) for part in parts[:2]):
        raise PavError(
            f"an entry is [name, value] or [name, value, lines], not {json.dumps(value)}"
        )
    return Tag(parts[0], parts[1], _lines(parts[2]) if len(parts) == 3 else ())


def _list(value: object, what: str) -> list[object]:
    if not isinstance(value, list):
        raise PavError(f"{what} are a list, not {shorten(json.dumps(value))}")
    return value


def _lines(value: object) -> tuple[str, ...]:
    """Return the lines of a section."""
    lines = value.split("\n") if isinstance(value, str) else _list(value, "the lines of a section")
    if not all(isinstance(line, str) for line in lines):
        raise PavError(f"the lines of a section are texts, not {shorten(json.dumps(value))}")
    return tuple(map(str, lines))


def _told(found: Object, board: Board, wrong: list[str]) -> tuple[Tag, ...]:
    """Return the tags of `board`, `dealer` and `vulnerable` that the other tags do not imply."""
    tags = []
    number = _text(found.get("board")) or _text(found.get("number"))
    if number and "Board" not in board.tags:
        tags.append(Tag("Board", number))
    known = Board(None, (*tags, *board.entries))
    seat = _attempt(_dealer, found, wrong)
    if seat is not None and "Dealer" not in board.tags and known.dealer != seat:
        tags.append(Tag("Dealer", seat.letter))
    side = _attempt(_vulnerability, found, wrong)
    if side is not None and "Vulnerable" not in board.tags and known.vulnerable != side:
        tags.append(Tag("Vulnerable", side.value))
    return tuple(tags)


def _dealer(found: Object) -> Seat | None:
    text = _text(found.get("dealer"))
    return Seat.parse(text) if text else None


def _vulnerability(found: Object) -> Vulnerability | None:
    word = _text(found.get("vulnerable") or found.get("vul") or found.get("vulnerability"))
    if word.lower() not in _VULNERABLE:
        raise PavError(f"vulnerability {word!r} is not one of None NS EW All")
    return Vulnerability.parse(_VULNERABLE[word.lower()] or "")


def _layout(found: Object) -> Layout | None:
    """Return the cards of an object, or None."""
    deal = found.get("deal")
    if isinstance(deal, str) and deal not in ("", "?"):
        try:
            return layout_of_deal(deal)
        except TextError as error:
            raise PavError(f"{error.message}: {shorten(deal)}") from None
    hands = next((each for each in (deal, found.get("hands")) if isinstance(each, dict)), found)
    by_seat = {}
    lower = {str(key).lower(): value for key, value in hands.items()}
    for seat in Seat:
        given = lower.get(seat.letter.lower(), lower.get(seat.name.lower()))
        # in the object itself, north may be the name of a player
        if given is not None and (hands is not found or not _is_name(given)):
            by_seat[seat] = _hand(given)
    return layout_of_hands(by_seat) if by_seat else None


def layout_of_deal(text: str) -> Layout:
    """Return the layout of a PBN deal text."""
    return Layout.from_pbn(text, lenient=True)


def _is_name(value: object) -> bool:
    """Return whether a value is a text that is no hand."""
    return isinstance(value, str) and not re.fullmatch(r"[SHDCAKQJT2-9.10\s-]*", value.upper())


def _hand(value: object) -> str:
    """Return a hand in PBN's notation: of a text, of cards, or of suits by their names."""
    if isinstance(value, dict):
        suits = [""] * len(SUIT_LETTERS)
        for name, ranks in value.items():
            place = _SUIT_PLACES.get(str(name).lower())
            if place is None:
                raise PavError(f"{name!r} is no suit; expected S H D C or their names")
            suits[place] = "".join(map(_text, ranks)) if isinstance(ranks, list) else _text(ranks)
        value = ".".join(suits)
    if isinstance(value, list):
        cards = [_text(card).upper().replace("10", "T") for card in value]
        if any(len(card) != 2 or card[0] not in SUIT_LETTERS for card in cards):
            raise PavError(
                f"a hand is a list of cards such as SA, not {shorten(json.dumps(value))}"
            )
        return parse_suits(
            "".join(suit + "".join(c[1] for c in cards if c[0] == suit) for suit in SUIT_LETTERS)
        )
    if not isinstance(value, str):
        raise PavError(f"a hand is a text such as AK.Q.32.T9, not {shorten(json.dumps(value))}")
    text = "".join(value.split())
    if text.count(".") == len(SUIT_LETTERS) - 1:
        return parse_suits("".join(map(str.__add__, SUIT_LETTERS, map(_ranks, text.split(".")))))
    return "-" if text in ("-", "") else parse_suits(text)


def _ranks(text: str) -> str:
    return text.replace("-", "")


def _dump(board: Board) -> bytes:
    return json.dumps(board_object(board), ensure_ascii=False).encode("utf-8", "backslashreplace")


def write_json(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:  # noqa: ARG001
    """Write a list with an object a line, and return how many boards there were."""
    written = 0
    for board in boards:
        stream.write((b",\n" if written else b"[\n") + _dump(board))
        written += 1
    stream.write(b"\n]\n" if written else b"[]\n")
    return written


def write_json_lines(
    boards: Iterable[Board],
    stream: BinaryIO,
    context: Context,  # noqa: ARG001 (all writers take one)
) -> int:
    """Write an object a line, and return how many boards there were."""
    written = 0
    for board in boards:
        stream.write(_dump(board) + b"\n")
        written += 1
    return written
