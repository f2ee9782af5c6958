"""LIN, the files of Bridge Base Online: a stream of bytes to boards.

    file = { tag "|" value "|" }        tags have two characters, line breaks are free

Rule 1: a board has one `md`. The tags between the previous board and `md`, such as `qx`, `pn` and
        `st`, belong to it, and so do the tags after it, up to the tag that begins the next board.
        All tags after the last board belong to it.
Rule 2: the tags before a `pg` in front of the first board are the header, which applies to all
        later boards up to the next `vg`.
Rule 3: `_BOARD` finds a board. The reader parses its hands, auction and play at that time, since
        they may have problems. The other tags cannot have problems; it parses them when a caller
        reads the tags.
Rule 4: text that is no tag is a problem, and the reader continues at the next tag.
Rule 5: the reader scans each part of the file a bounded number of times, whatever its contents.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import islice, takewhile
from typing import BinaryIO

from pavcodec.boards.board import Board, Context, Tag
from pavcodec.boards.play import (
    CARDS,
    Auction,
    Call,
    Contract,
    auction_tags,
    call_of,
    card_names,
    contract_of,
    contract_tags,
    declarer_tricks,
    passes_to_end,
    play_tag,
)
from pavcodec.cards import HAND_SIZE, RANK_LETTERS, SUIT_LETTERS, UNUSED, Seat
from pavcodec.errors import PavError, TextError
from pavcodec.files.text import blocks, decode, first_control
from pavcodec.formats.plain.texts import shorten
from pavcodec.layout import Layout
from pavcodec.layout.layout import describe_sizes, layout_from_owners
from pavcodec.layout.notation import parse_owners

# Hands as LIN and the hand viewer write them: suit letters with ranks, as in SAK4HQDJT5C2.
#
# Ranks come in any order and in either case, a ten is `T` or `10`, and a suit may be missing.


_RANKS = f"[{RANK_LETTERS}]*+"
_HAND = re.compile("".join(rf"(?:{suit}({_RANKS}))?+" for suit in SUIT_LETTERS))
_LETTERS = re.compile(rf"[{SUIT_LETTERS}]{_RANKS}")
_FULL = tuple(HAND_SIZE if place < 3 else 0 for place in range(4))


class _Descending(dict[str, str]):
    """Ranks of a suit in any order -> the same ranks from the ace down; filled on demand."""

    def __missing__(self, ranks: str) -> str:
        ordered = "".join(sorted(ranks, key=RANK_LETTERS.index))
        if len(ranks) <= len(RANK_LETTERS):
            self[ranks] = ordered
        return ordered


_DESCENDING = _Descending()


def parse_suits(text: str) -> str:
    """Return a hand in PBN's notation; raise `PavError` for a wrong hand.

    >>> parse_suits("s47qh10d2"), parse_suits("")
    ('Q74.T.2.', '...')
    """
    hand = "".join(text.split()).upper().replace("10", "T")
    if match := _HAND.fullmatch(hand):
        spades, hearts, diamonds, clubs = map(_DESCENDING.__getitem__, match.groups(""))
        return f"{spades}.{hearts}.{diamonds}.{clubs}"
    suits = dict.fromkeys(SUIT_LETTERS, "")
    rest = hand
    while match := _LETTERS.match(rest):
        suits[match[0][0]] += match[0][1:]
        rest = rest[match.end() :]
    if rest:
        expected = "a suit S H D C" if rest == hand else f"a suit, or one of {RANK_LETTERS}"
        raise PavError(f"expected {expected} at {rest[:8]!r} in the hand {text[:40]!r}")
    return ".".join(_DESCENDING[ranks] for ranks in suits.values())


def layout_of_hands(hands: Mapping[Seat, str]) -> Layout:
    """Return the layout of hands in PBN's notation; seats without a hand hold no cards.

    If three hands are full and the fourth has no card, it holds the remaining cards. Raises
    `PavError` for wrong hands.
    """
    texts = (hands.get(Seat(seat), "-") for seat in range(4))
    text = f"N:{' '.join(hand if hand != '...' else '-' for hand in texts)}"
    try:
        owners = parse_owners(text)
    except TextError as error:
        raise PavError(error.message) from None
    layout = layout_from_owners(owners)
    if layout.is_deal:
        return layout
    sizes = layout.sizes
    if max(sizes) > HAND_SIZE:
        raise PavError(f"a hand has at most {HAND_SIZE} cards; {describe_sizes(layout)}")
    if sorted(sizes, reverse=True) == list(_FULL):
        return layout_from_owners(owners.replace(bytes([UNUSED]), bytes([sizes.index(0)])))
    return layout


def format_hands(layout: Layout) -> str:
    """Return the hands of S, W, N and E, each with the letters of all suits.

    A hand without cards is empty. Common readers read wrong cards if a letter is missing.

    >>> format_hands(Layout.from_pbn("N:AK.Q.. - .32.4. -"))
    'SH32D4C,,SAKHQDC,'
    """
    hands = layout.to_pbn(first=Seat.SOUTH)[2:].split(" ")
    return ",".join(
        "" if hand == "-" else "".join(map(str.__add__, SUIT_LETTERS, hand.split(".")))
        for hand in hands
    )


# The tags of a LIN board, pairs of a tag and its value, as tags of PBN.
#
# Rule 1: the readable part of an auction or a play is in the sections of PBN. If a part is
#         unreadable, its first item is a fault, and the tags LinAuction and LinPlay have the whole
#         text.
# Rule 2: LinHeader is the header of a match where it has more than PBN's tags of the event.
# Rule 3: LinComments has the comments at the table, each after the number of calls and cards before
#         it.


AUCTION_TAG = "LinAuction"
PLAY_TAG = "LinPlay"
HEADER_TAG = "LinHeader"
COMMENTS_TAG = "LinComments"
SEATS = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
"""The order of hands and names; the number of the dealer counts in it from 1."""
VULNERABILITIES = {"": None, "?": None, "o": "None", "0": "None", "-": "None"} | {
    "n": "NS",
    "e": "EW",
    "b": "All",
}
SCORINGS = {"I": "IMP", "P": "MP", "B": "BAM"}
EVENT_TAGS = ("Event", "Stage", "Scoring", "", "", "HomeTeam", "", "VisitTeam")
"""What the fields of `vg` mean; first and last board and what the teams brought in have no tags."""
PAIR = re.compile(r"([A-Za-z0-9+]{2})\|([^|]*+)\|")

Pairs = Sequence[tuple[str, str]]
"""Tags and their values, in the order of the file."""
Fault = tuple[int, str]
"""A fault: the place of its pair among those after the hands, and the reason."""

_HOME_BROUGHT_IN, _TO_VISITORS = 6, 2
_NOT_OF_HEADER = ("pn", "pg", "qx", "st", "rh", "ah", "mn", "sv")
_ROOM = re.compile(r"([oc])(\d+)\s*(,?)", re.IGNORECASE)
_BOARD_TITLE = re.compile(r"Board\s+(\S.*)", re.IGNORECASE)
_CALLS = re.compile(
    r"(ALLPASS|AP|[1-7](?:NT?|[SHDC])|PASS|P|DBL|D|XX|X|RDBL|R)([!*]*)", re.IGNORECASE
)
_ALL_PASS = Call("")
_CARD_NAMES = card_names()


@dataclass(frozen=True, slots=True)
class Standing:
    """The values of a header for all later boards."""

    event: str = ""
    names: str = ""
    header: str = ""


@dataclass(slots=True)
class _Heard:
    """The readable calls and cards of a board, and the faults."""

    calls: list[Call] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    is_whole: bool = True
    faults: list[Fault] = field(default_factory=list)


def header_of(pairs: Pairs) -> str:
    """Return the value of LinHeader for a header; empty if PBN's tags suffice."""
    kept = [
        (tag, _in_one_line(value))
        for tag, value in pairs
        if tag not in _NOT_OF_HEADER and value.strip(" ,\n")
    ]
    for tag, value in kept:
        brought_in = value.split(",")[_HOME_BROUGHT_IN::_TO_VISITORS]
        if tag != "vg" or any(map(str.strip, brought_in)):
            return "|".join(f"{tag}|{value}" for tag, value in kept)
    return ""


def board_tags(
    layout: Layout | None, dealer: str, lead: Pairs, rest: Pairs, standing: Standing
) -> tuple[tuple[Tag, ...], list[Fault]]:
    """Return the tags of a board, and the faults of its auction and its play."""
    about = dict([*lead, *rest])
    tags = _event_tags(standing.event) | numbers_of(about)
    tags |= _names(about.get("pn", standing.names), tags.get("Room", "Open"))
    tags |= {"Dealer": dealer} if dealer else {}
    vulnerable = VULNERABILITIES.get(about.get("sv", "").strip().lower())
    tags |= {"Vulnerable": vulnerable} if vulnerable else {}
    tags |= {HEADER_TAG: standing.header} if standing.header else {}
    heard = _heard(dealer, rest)
    played = tuple(_played(layout, dealer, rest, heard, about.get("mc", "").strip()))
    comments = _comments(lead, rest, heard)
    entries = (*(Tag(name, value) for name, value in tags.items()), *played, *comments)
    return entries, heard.faults


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _in_one_line(text: str) -> str:
    return text.replace("\n", " ").strip()


def _event_tags(value: str) -> dict[str, str]:
    """Return the tags of a `vg`."""
    fields = zip(EVENT_TAGS, value.split(","), strict=False)
    tags = {name: _tidy(text) for name, text in fields if name and text.strip()}
    if "Scoring" in tags:
        tags["Scoring"] = SCORINGS.get(tags["Scoring"], tags["Scoring"])
    return tags


def numbers_of(about: dict[str, str]) -> dict[str, str]:
    """Return the tags Board and Room, by `ah` and `qx`."""
    tags: dict[str, str] = {}
    title = _BOARD_TITLE.fullmatch(_tidy(about.get("ah", "")))
    room = _ROOM.match(about.get("qx", "").strip())
    if title:
        tags["Board"] = title[1]
    elif room:
        tags["Board"] = room[2]
    if room:
        is_closed = room[1].lower() == "c"
        if is_closed or not room[3]:  # "o7,BOARD 7" is also written where the room is unknown
            tags["Room"] = "Closed" if is_closed else "Open"
    return tags


def _names(value: str, room: str) -> dict[str, str]:
    """Return the names of the players; eight are those of two rooms."""
    names = [_tidy(name) for name in value.split(",")]
    if len(names) > len(SEATS) and room == "Closed":
        names = names[len(SEATS) :]
    by_seat = {seat: name for seat, name in zip(SEATS, names, strict=False) if name}
    order = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
    return {seat.name.title(): by_seat[seat] for seat in order if seat in by_seat}


def calls_of(pairs: Pairs) -> tuple[list[Call], list[Fault]]:
    """Return the calls of `mb` with the explanations of `an`, up to the first invalid call."""
    calls: list[Call] = []
    faults: list[Fault] = []
    for position, (tag, value) in enumerate(pairs):
        if tag == "mb":
            said = _calls_of(value)
            if not said:
                what = shorten(f"mb|{_tidy(value)}|")
                reason = f"expected a call as in 'mb|1C|' or 'mb|p|': {what}"
                faults.append(
                    (position, f"{reason}; this and what follows it is in the tag {AUCTION_TAG}")
                )
                break
            for call in said:
                calls += passes_to_end(calls) if call is _ALL_PASS else (call,)
        elif tag == "an" and calls:
            note = " ".join(filter(None, (calls[-1].note, _tidy(value))))
            calls[-1] = replace(calls[-1], note=note)
        elif tag == "an" and not faults:
            what = shorten(f"an|{_tidy(value)}|")
            reason = f"{what} explains no call, as none stands before it"
            faults.append((position, f"{reason}; it is in the tag {AUCTION_TAG}"))
    return calls, faults


@lru_cache(maxsize=1024)
def _calls_of(value: str) -> tuple[Call, ...]:
    """Return the calls of an `mb`, one in most files; empty for invalid text."""
    text = "".join(value.split())
    matches = list(_CALLS.finditer(text))
    if "".join(match[0] for match in matches) != text:
        return ()
    return tuple(
        _ALL_PASS if word is None else Call(word, bool(match[2]))
        for match, word in ((match, call_of(match[1])) for match in matches)
    )


def _heard(dealer: str, rest: Pairs) -> _Heard:
    """Read the calls and the cards of a board."""
    heard = _Heard()
    heard.calls, heard.faults = calls_of(rest)
    first = next((position for position, (tag, _) in enumerate(rest) if tag == "mb"), None)
    if first is not None and not dealer:
        reason = "the auction has no dealer, as in 'md|1…|'"
        heard.faults.insert(0, (first, f"{reason}; it is in the tag {AUCTION_TAG}"))
    heard.is_whole = not heard.faults
    for position, (tag, value) in enumerate(rest):
        if tag == "pc":
            card = _CARD_NAMES.get(value.strip())
            if card is None:
                what = shorten(f"pc|{_tidy(value)}|")
                reason = f"expected a card as in 'pc|SA|': {what}"
                heard.faults.append((position, _rest_of_play(reason)))
                break
            heard.cards.append(card)
    return heard


def _rest_of_play(reason: str) -> str:
    return f"{reason}; this and what follows it is in the tag {PLAY_TAG}"


def _played(
    layout: Layout | None, dealer: str, rest: Pairs, heard: _Heard, claim: str
) -> Iterator[Tag]:
    """Yield contract and result, the auction with its notes, and the play."""
    auction = Auction(Seat.parse(dealer), tuple(heard.calls)) if heard.calls and dealer else None
    contract = contract_of(auction) if auction and heard.is_whole else None
    cards = [value.strip() for tag, value in rest if tag == "pc"]
    play, is_whole = _play(layout, cards, rest, heard, contract, is_over=bool(claim))
    if contract is not None:
        for name, value in contract_tags(contract).items():
            yield Tag(name, value)
    result = _result(layout, heard.cards if is_whole else [], contract, claim)
    if result:
        yield Tag("Result", result)
    if auction is not None:
        yield from auction_tags(auction)
    if not heard.is_whole:
        bids = (f"{tag}|{_tidy(value)}" for tag, value in rest if tag in ("mb", "an"))
        yield Tag(AUCTION_TAG, "|".join(bids))
    if play is not None:
        yield play
    if cards and not is_whole:
        yield Tag(PLAY_TAG, _tidy(" ".join(cards)))


def _play(  # noqa: PLR0913
    layout: Layout | None,
    cards: list[str],
    rest: Pairs,
    heard: _Heard,
    contract: Contract | None,
    *,
    is_over: bool,
) -> tuple[Tag | None, bool]:
    """Return the play up to the first card that does not fit the hands, and whether it is whole."""
    names = heard.cards
    strain = contract.strain if contract else ""
    is_whole = len(names) == len(cards)
    play = play_tag(layout, names, strain, is_over=is_over and is_whole)
    if play is not None or not names or layout is None:
        return play, is_whole and play is not None
    fitting = bisect_left(
        range(min(len(names), len(CARDS) + 1)),
        1,
        lo=1,
        key=lambda count: play_tag(layout, names[: count + 1], strain) is None,
    )
    fitting = fitting if play_tag(layout, names[:fitting], strain) else 0
    last = names[max(0, fitting - len(SEATS)) : fitting]
    played = f"{fitting} card{'' if fitting == 1 else 's'}"
    reason = f"the play cannot be {names[fitting]} after {played}"
    if not strain and fitting % len(SEATS) == 0 and len({card[0] for card in last}) > 1:
        reason = f"who leads after {played} is not known without a contract"
    positions = [position for position, (tag, _) in enumerate(rest) if tag == "pc"]
    heard.faults = [fault for fault in heard.faults if fault[0] not in positions]
    heard.faults.append((positions[fitting], _rest_of_play(reason)))
    return play_tag(layout, names[:fitting], strain), False


def _result(
    layout: Layout | None, cards: list[str], contract: Contract | None, claim: str
) -> str | None:
    """Return the tricks of declarer: the claimed tricks, or the played tricks."""
    if claim:
        is_number = claim.isascii() and claim.isdigit() and len(claim) <= 2
        return str(int(claim)) if is_number and int(claim) <= HAND_SIZE else None
    if contract is None or contract.declarer is None or layout is None:
        return None
    tricks = declarer_tricks(layout, cards, contract.declarer, contract.strain)
    return None if tricks is None else str(tricks)


def _comments(lead: Pairs, rest: Pairs, heard: _Heard) -> Iterable[Tag]:
    """Yield the comments at the table, each with the numbers of calls and cards before it."""
    comments = [(0, value) for tag, value in lead if tag == "nt"]
    if any(tag == "nt" for tag, _ in rest):
        comments += _said(rest, is_whole=heard.is_whole)
    texts = ((count, _in_one_line(value)) for count, value in comments)
    value = "|".join(f"{count}|{text}" for count, text in texts if text)
    return (Tag(COMMENTS_TAG, value),) if value else ()


def _said(rest: Pairs, *, is_whole: bool) -> Iterator[tuple[int, str]]:
    """Yield the comments of a board; an `mb` counts as one call where not all can be read."""
    calls: list[Call] = []
    done = 0
    for tag, value in rest:
        if tag == "nt":
            yield done, value
        elif tag == "pc":
            done += 1
        elif tag == "mb" and is_whole:
            before = len(calls)
            for call in _calls_of(value):
                calls += passes_to_end(calls) if call is _ALL_PASS else (call,)
            done += len(calls) - before
        elif tag == "mb":
            done += 1


_LARGEST = 1 << 22
"""The bytes after which a board ends, so that a file without boards does not fill the memory."""

_TAG = rb"[A-Za-z0-9+]{2}\|[^|]*+\|\s*+"
_HEADS = rb"(?:(?:pn|st|rh|ah|mn)\|[^|]*+\|\s*+){1,20}+md\|"
_BOARD = re.compile(
    rb"(?P<lead>\s*+(?:(?!md\|)" + _TAG + rb")*+)md\|(?P<hands>[^|]*+)\|\s*+"
    rb"(?P<rest>"
    rb"(?:(?!(?:qx|md|vg|mb|pc|pg|mc|nt)\||" + _HEADS + rb")" + _TAG + rb")*+"
    rb"(?:(?!(?:qx|md|vg|rs|pw|mp|bn|pn|st|rh|ah|mn)\|)" + _TAG + rb")*+)"
)
_ONE_TAG = re.compile(_TAG)
_CHAIN = re.compile(rb"\s*+(?:" + _TAG + rb")*+")
_NEXT_TAG = re.compile(rb"(?<![A-Za-z0-9+])[a-z]{2}\|")
_HANDS = re.compile(r"\s*([1-4]?)\s*([^,]*)((?:,[^,]*){0,3}?),?\s*")
_SNIFFED = 1 << 10
_OF_HEADER = ("vg", "rs", "pw", "mp", "bn")
_NO_HANDS = "expected the hands of a board, as in 'md|1S…|'"


def read_lin(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield the boards of a LIN stream; report problems and continue."""
    return boards_of_stream(stream, context, LinReader(context))


def boards_of_stream(stream: BinaryIO, context: Context, reader: LinReader) -> Iterator[Board]:
    """Yield the boards of a LIN stream that a reader reads."""
    parts: list[bytes] = []
    size = 0
    tail = b""
    is_first = True
    for data in blocks(stream):
        if is_first:
            offset = first_control(data[:_SNIFFED])
            if offset is not None:
                line = data.count(b"\n", 0, offset) + 1
                reason = f"byte 0x{data[offset]:02x}: this is no text, expected tags as in 'pn|'"
                context.problem(line, reason)
                return
            is_first = False
        may_begin = b"md|" in tail + data
        tail = (tail + data)[-2:]
        parts.append(data)
        size += len(data)
        if may_begin or size > _LARGEST:
            rest = b"".join(parts)
            end = len(rest) if size > _LARGEST else rest.rfind(b"md|")
            done = yield from reader.read(rest, end)
            parts = [rest[done:]]
            size = len(parts[0])
    rest = b"".join(parts).rstrip(b"\x1a \t\n")
    yield from reader.read(rest, len(rest) + 1)


def boards_of_text(text: str, context: Context, line: int) -> Iterator[Board]:
    """Yield the boards of a text in one line of a file."""
    reader = LinReader(context, line)
    data = text.encode("utf-8", "replace").replace(b"\n", b" ").strip()
    yield from reader.read(data, len(data) + 1)


class LinReader:
    """Reads board after board; remembers the header, which is `standing` after the first board."""

    def __init__(self, context: Context, line: int = 1, standing: Standing | None = None) -> None:
        self._context = context
        self._line = line
        self._standing = standing or Standing()
        self._has_boards = standing is not None

    def read(self, data: bytes, end: int) -> Generator[Board, None, int]:
        """Yield the boards that end before an offset; return where the next one begins.

        With the offset of the end, all of the text is processed; the offset after it means that
        nothing follows.
        """
        offset, last = 0, data.rfind(b"md|")
        while offset < len(data):
            if self._has_boards:
                offset = self._after_plain(data, offset, last)
            board = _BOARD.match(data, offset)
            if board is None or board.end() > end:
                at = _end_of_tags(data, offset)
                if board is None and at >= len(data) <= end:
                    self._leave(data[offset:], is_last=end > len(data))
                    return len(data)
                if at >= end or (board is not None and at >= board.end()):
                    break
                offset = self._pass_over(data, offset, at)
                continue
            offset = after = board.end()
            if end > len(data) and after > last:
                offset = _end_of_tags(data, after)
            yield self._board(board, PAIR.findall(decode(data[after:offset])))
            self._line += data.count(b"\n", board.start(), offset)
            if offset < min(end, len(data)) and not _ONE_TAG.match(data, offset):
                offset = self._pass_over(data, offset, offset)
        return offset

    def _after_plain(self, data: bytes, offset: int, last: int) -> int:  # noqa: ARG002
        """Return where to read on; `last` is where the last hands of the text begin."""
        return offset

    def _leave(self, tags: bytes, *, is_last: bool) -> None:
        """Store the tags without a board that apply to later boards, and skip them."""
        if is_last and not self._has_boards:
            self._context.problem(self._line, _NO_HANDS)
        self._remember(tags, is_header=True)
        self._line += tags.count(b"\n")

    def _pass_over(self, data: bytes, offset: int, at: int) -> int:
        """Report text that is no tag, and return the offset of the next tag."""
        following = _NEXT_TAG.search(data, at + 1)
        after = following.start() if following else len(data)
        self._line += data.count(b"\n", offset, at)
        wrong = shorten(decode(data[at : min(after, at + 80)]).strip().split("\n")[0])
        self._context.problem(self._line, f"expected a tag and its value, as in 'mb|1C|': {wrong}")
        self._line += data.count(b"\n", at, after)
        return after

    def _board(self, match: re.Match[bytes], trailing: Pairs) -> Board:
        """Return the board of a match; `trailing` is the text after the last board of a file."""
        lead, hands, rest = match.groups()
        if not self._has_boards or b"pg|" in lead or b"vg|" in lead:
            lead = self._remember(lead, is_header=not self._has_boards)
        self._has_boards = True
        line = self._line + match.string.count(b"\n", match.start(), match.start("hands"))
        dealer, layout = "", None
        try:
            dealer, layout = _deal(decode(hands))
        except PavError as error:
            text = shorten(decode(hands).replace("\n", " "))
            self._context.problem(line, f"{error}: {text}", _number(lead, rest))
        if b"sv|" in match[0]:
            self._check_vulnerability(lead + rest, line)
        read = partial(_tags, layout, dealer, lead, rest, trailing, self._standing)
        if b"mb|" not in rest and b"pc|" not in rest:
            board = Board(layout, line=line, parse=lambda: read()[0])
        else:
            tags, faults = read()
            if faults:
                begin = line + match.string.count(b"\n", match.start("hands"), match.start("rest"))
                self._report(faults, decode(rest), begin, _number(lead, rest))
            board = Board(layout, tags, line=line)
        if any(tag in ("qx", "mb", "pc") for tag, _ in trailing):
            self._context.problem(self._line + match[0].count(b"\n"), _NO_HANDS)
        return board

    def _report(self, faults: list[Fault], text: str, line: int, board: str | None) -> None:
        """Report the faults of the tags after the hands; these tags begin in `line`."""
        for position, reason in sorted(faults):
            pair = next(islice(PAIR.finditer(text), position, None))
            self._context.problem(line + text.count("\n", 0, pair.start()), reason, board)

    def _remember(self, lead: bytes, *, is_header: bool) -> bytes:
        """Store a header, and return the first tags of the board itself."""
        cut = max(0, lead.rfind(b"pg|"))
        before, own = PAIR.findall(decode(lead[:cut])), PAIR.findall(decode(lead[cut:]))
        event, names, header = self._standing.event, self._standing.names, self._standing.header
        events = [value for tag, value in (*before, *own) if tag == "vg"]
        if events or is_header:
            header = header_of([*before, *(pair for pair in own if pair[0] in _OF_HEADER)])
        names = next((value for tag, value in reversed(before) if tag == "pn"), names)
        self._standing = Standing(events[-1] if events else event, names, header)
        return "".join(f"{tag}|{value}|" for tag, value in own).encode()

    def _check_vulnerability(self, tags: bytes, line: int) -> None:
        for tag, value in PAIR.findall(decode(tags)):
            if tag == "sv" and value.strip().lower() not in VULNERABILITIES:
                reason = f"vulnerability {shorten(value.strip())} is not one of o n e b"
                self._context.problem(line, reason.replace("\n", " "))


def _tags(  # noqa: PLR0913, PLR0917 (what is kept of a board until somebody asks for its tags)
    layout: Layout | None,
    dealer: str,
    lead: bytes,
    rest: bytes,
    trailing: Pairs,
    standing: Standing,
) -> tuple[tuple[Tag, ...], list[Fault]]:
    """Return the tags of a board, and their faults."""
    before, after = PAIR.findall(decode(lead)), PAIR.findall(decode(rest))
    if trailing:
        names = [value for tag, value in (*before, *after) if tag == "pn"]
        is_known = "".join(names or [standing.names]).strip(" ,\n")
        own = takewhile(lambda pair: pair[0] not in ("qx", "vg"), trailing)
        after += [pair for pair in own if pair[0] == "nt" or (pair[0] == "pn" and not is_known)]
    return board_tags(layout, dealer, before, after, standing)


def _end_of_tags(data: bytes, offset: int) -> int:
    chain = _CHAIN.match(data, offset)
    return chain.end() if chain else offset


def _number(lead: bytes, rest: bytes) -> str | None:
    """Return the board number, for a message."""
    return numbers_of(dict(PAIR.findall(decode(rest + lead)))).get("Board")


def _deal(value: str) -> tuple[str, Layout | None]:
    """Return the dealer's letter, if any, and the cards of an `md`."""
    match = _HANDS.fullmatch(value)
    if match is None:
        raise PavError("a deal has 4 hands, South first, after the dealer's number 1 to 4")
    dealer, first, others = match.groups()
    letter = SEATS[int(dealer) - 1].letter if dealer else ""
    if not first and not others:
        return letter, None
    hands = [first, *others.split(",")[1:]]
    parsed = {seat: parse_suits(hand) for seat, hand in zip(SEATS, hands, strict=False)}
    return letter, layout_of_hands(parsed)
