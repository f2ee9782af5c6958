"""LIN, the files of Bridge Base Online: a stream of bytes to boards.

    file = { tag "|" value "|" }        tags have two characters, line breaks are free

Rule 1: a board has one `md`. What stands before it since the board before, such as `qx`, `pn` and
        `st`, belongs to it; so does what follows, up to the tag that begins the next one.
Rule 2: what stands before a `pg` in front of the first board is the header: `vg` and `pn` there
        hold for all boards that follow.
Rule 3: `_BOARD` finds a board, and its hands are read at once; the other tags are read when they
        are asked for, and there is nothing in them that can be wrong: what PBN cannot say of the
        auction or the play stays as it is, in the tags LinAuction and LinPlay.
Rule 4: what is no tag is a problem, and reading goes on at the next tag.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import BinaryIO

from pavcodec.cards import HAND_SIZE, Seat
from pavcodec.errors import PavError
from pavcodec.formats.auctions import (
    Auction,
    Call,
    Contract,
    auction_tags,
    call_of,
    contract_of,
    contract_tags,
)
from pavcodec.formats.board import Board, Context, Tag
from pavcodec.formats.lin_hands import layout_of_hands, parse_suits
from pavcodec.formats.plain import shorten
from pavcodec.formats.plays import card_names, declarer_tricks, play_tag
from pavcodec.formats.text import blocks, decode, first_control
from pavcodec.layout import Layout

__all__ = [
    "AUCTION_TAG",
    "PLAY_TAG",
    "SCORINGS",
    "SEATS",
    "VULNERABILITIES",
    "boards_of_text",
    "read_lin",
]

AUCTION_TAG = "LinAuction"
PLAY_TAG = "LinPlay"
SEATS = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
"""The order of hands and names; the dealer is counted in it from 1."""
VULNERABILITIES = {"": None, "?": None, "o": "None", "0": "None", "-": "None"} | {
    "n": "NS",
    "e": "EW",
    "b": "All",
}
SCORINGS = {"I": "IMP", "P": "MP", "B": "BAM"}
EVENT_TAGS = ("Event", "Stage", "Scoring", "", "", "HomeTeam", "", "VisitTeam")
"""What the fields of `vg` mean; first and last board and what the teams brought in stay out."""

_LARGEST = 1 << 22
"""The bytes after which a board counts as ended, lest a file without boards fill the memory."""

_TAG = rb"[A-Za-z0-9+]{2}\|[^|]*+\|\s*+"
_HEADS = rb"(?:pn|st|rh|ah|mn)\|"
_BOARD = re.compile(
    rb"(?P<lead>\s*+(?:(?!md\|)" + _TAG + rb")*+)md\|(?P<hands>[^|]*+)\|\s*+"
    rb"(?P<rest>"
    rb"(?:(?!(?:qx|md|vg|mb|pc|pg|mc|nt)\||(?:" + _HEADS + rb"[^|]*+\|\s*+)++md\|)" + _TAG + rb")*+"
    rb"(?:(?!(?:qx|md|vg|rs|pw|mp|bn|pn|st|rh|ah|mn)\|)" + _TAG + rb")*+)"
)
_CHAIN = re.compile(rb"\s*+(?:" + _TAG + rb")*+")
_NEXT_TAG = re.compile(rb"(?<![A-Za-z0-9+])[a-z]{2}\|")
_PAIR = re.compile(r"([A-Za-z0-9+]{2})\|([^|]*+)\|")
_HANDS = re.compile(r"\s*([1-4]?)\s*([^,]*)((?:,[^,]*){0,3}?),?\s*")
_ROOM = re.compile(r"([oc])(\d+)\s*(,?)", re.IGNORECASE)
_BOARD_TITLE = re.compile(r"Board\s+(\S.*)", re.IGNORECASE)
_CALLS = re.compile(r"([1-7](?:NT?|[SHDC])|PASS|P|DBL|D|XX|X|RDBL|R)([!*]?)", re.IGNORECASE)
_CARDS = card_names()
_SNIFFED = 1 << 10


def read_lin(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield the boards of a LIN stream; problems are reported and reading goes on after them."""
    reader = _Reader(context)
    rest = b""
    is_first = True
    for data in blocks(stream):
        rest += data
        if is_first:
            offset = first_control(rest[:_SNIFFED])
            if offset is not None:
                line = rest.count(b"\n", 0, offset) + 1
                reason = f"byte 0x{rest[offset]:02x}: this is no text, expected tags as in 'pn|'"
                context.problem(line, reason)
                return
            is_first = False
        end = len(rest) if len(rest) > _LARGEST else max(0, rest.rfind(b"md|"))
        done = yield from reader.read(rest, end)
        rest = rest[done:]
    yield from reader.read(rest.rstrip(b"\x1a \t\n"), len(rest) + 1)


def boards_of_text(text: str, context: Context, line: int) -> Iterator[Board]:
    """Yield the boards of a text that stands in one line of a file."""
    reader = _Reader(context, line)
    data = text.encode("utf-8", "replace").replace(b"\n", b" ").strip()
    yield from reader.read(data, len(data) + 1)


@dataclass(frozen=True, slots=True)
class _Standing:
    """What the header says for all boards that follow."""

    event: str = ""
    names: str = ""


class _Reader:
    """Reads board after board; remembers the header."""

    def __init__(self, context: Context, line: int = 1) -> None:
        self._context = context
        self._line = line
        self._standing = _Standing()

    def read(self, data: bytes, end: int) -> Generator[Board, None, int]:
        """Yield the boards that end before an offset; return where the next one begins."""
        place = 0
        while place < len(data):
            found = _BOARD.match(data, place)
            if found is None or found.end() > end:
                chain = _CHAIN.match(data, place)
                at = chain.end() if chain else place
                if at >= end or (found is not None and at >= found.end()):
                    break
                place = self._pass_over(data, place, at)
                continue
            yield self._board(data, found)
            self._line += data.count(b"\n", place, found.end())
            place = found.end()
            chain = _CHAIN.match(data, place)
            if chain is not None and chain.end() == place < min(end, len(data)):
                place = self._pass_over(data, place, place)
        return place

    def _pass_over(self, data: bytes, place: int, at: int) -> int:
        """Report what is no tag, and return where the next one begins."""
        following = _NEXT_TAG.search(data, at + 1)
        after = following.start() if following else len(data)
        self._line += data.count(b"\n", place, at)
        wrong = shorten(decode(data[at : min(after, at + 80)]).strip().split("\n")[0])
        self._context.problem(self._line, f"expected a tag and its value, as in 'mb|1C|': {wrong}")
        self._line += data.count(b"\n", at, after)
        return after

    def _board(self, data: bytes, found: re.Match[bytes]) -> Board:
        lead, hands, rest = found.groups()
        if b"pg|" in lead or b"vg|" in lead:
            lead = self._remember(lead)
        line = self._line + data.count(b"\n", found.start(), found.start("hands"))
        dealer, layout = "", None
        try:
            dealer, layout = _deal(decode(hands))
        except PavError as error:
            text = shorten(decode(hands).replace("\n", " "))
            self._context.problem(line, f"{error}: {text}", _number(lead, rest))
        if b"sv|" in found[0]:
            self._check_vulnerability(lead + rest, line)
        read = partial(_entries, layout, dealer, lead, rest, self._standing)
        return Board(layout, line=line, parse=read)

    def _remember(self, lead: bytes) -> bytes:
        """Keep what the header says, and return what the board itself begins with."""
        event, names, own = self._standing.event, self._standing.names, []
        cut = lead.rfind(b"pg|")
        for tag, value in _PAIR.findall(decode(lead[: max(0, cut)])):
            event, names = (value if tag == "vg" else event), (value if tag == "pn" else names)
        for tag, value in _PAIR.findall(decode(lead[max(0, cut) :])):
            event = value if tag == "vg" else event
            own.append(f"{tag}|{value}|")
        self._standing = _Standing(event, names)
        return "".join(own).encode()

    def _check_vulnerability(self, tags: bytes, line: int) -> None:
        """Report a vulnerability that says nothing."""
        for tag, value in _PAIR.findall(decode(tags)):
            if tag == "sv" and value.strip().lower() not in VULNERABILITIES:
                reason = f"vulnerability {shorten(value.strip())} is not one of o n e b"
                self._context.problem(line, reason.replace("\n", " "))


def _number(lead: bytes, rest: bytes) -> str | None:
    """Return the board number, for a message."""
    return _numbers(dict(_PAIR.findall(decode(rest + lead)))).get("Board")


def _deal(value: str) -> tuple[str, Layout | None]:
    """Return the dealer's letter, if it is told, and the cards of an `md`."""
    found = _HANDS.fullmatch(value)
    if found is None:
        raise PavError("a deal has 4 hands, South first, after the dealer's number 1 to 4")
    dealer, first, others = found.groups()
    letter = SEATS[int(dealer) - 1].letter if dealer else ""
    if not first and not others:
        return letter, None
    hands = [first, *others.split(",")[1:]]
    parsed = {seat: parse_suits(hand) for seat, hand in zip(SEATS, hands, strict=False)}
    return letter, layout_of_hands(parsed)


def _tidy(text: str) -> str:
    """Return a text in one line."""
    return " ".join(text.split())


def _entries(
    layout: Layout | None, dealer: str, lead: bytes, rest: bytes, standing: _Standing
) -> tuple[Tag, ...]:
    """Return the tags of a board."""
    pairs = _PAIR.findall(decode(lead + rest))
    about = dict(pairs)
    tags = _event_tags(standing.event) | _numbers(about)
    tags |= _names(about.get("pn", standing.names), tags.get("Room", "Open"))
    tags |= {"Dealer": dealer} if dealer else {}
    vulnerable = VULNERABILITIES.get(about.get("sv", "").strip().lower())
    tags |= {"Vulnerable": vulnerable} if vulnerable else {}
    played = _played(layout, dealer, pairs[lead.count(b"|") // 2 :], about.get("mc", ""))
    return (*(Tag(name, value) for name, value in tags.items()), *played)


def _event_tags(value: str) -> dict[str, str]:
    """Return what a `vg` says of the event."""
    fields = zip(EVENT_TAGS, value.split(","), strict=False)
    tags = {name: _tidy(text) for name, text in fields if name and text.strip()}
    if "Scoring" in tags:
        tags["Scoring"] = SCORINGS.get(tags["Scoring"], tags["Scoring"])
    return tags


def _numbers(about: dict[str, str]) -> dict[str, str]:
    """Return the tags Board and Room, by `ah` and `qx`."""
    tags: dict[str, str] = {}
    title = _BOARD_TITLE.fullmatch(_tidy(about.get("ah", "")))
    room = _ROOM.match(about.get("qx", "").strip())
    if title:
        tags["Board"] = title[1]
    elif room:
        tags["Board"] = room[2]
    if room and not room[3]:  # with a title after a comma, as in "o7,BOARD 7", it means no room
        tags["Room"] = "Open" if room[1].lower() == "o" else "Closed"
    return tags


def _names(value: str, room: str) -> dict[str, str]:
    """Return the names of the players; eight are those of two rooms."""
    names = [_tidy(name) for name in value.split(",")]
    if len(names) > len(SEATS) and room == "Closed":
        names = names[len(SEATS) :]
    by_seat = {seat: name for seat, name in zip(SEATS, names, strict=False) if name}
    order = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
    return {seat.name.title(): by_seat[seat] for seat in order if seat in by_seat}


def _played(
    layout: Layout | None, dealer: str, pairs: list[tuple[str, str]], claim: str
) -> Iterator[Tag]:
    """Yield contract and result, the auction with its notes, and the play."""
    bids = [(tag, value) for tag, value in pairs if tag in ("mb", "an")]
    calls = _calls(bids)
    cards = [value.strip() for tag, value in pairs if tag == "pc"]
    names = [_CARDS[card] for card in cards if card in _CARDS]
    auction = Auction(Seat.parse(dealer), calls) if calls and dealer else None
    contract = contract_of(auction) if auction else None
    strain = contract.strain if contract else ""
    is_whole = len(names) == len(cards)
    play = play_tag(layout, names, strain, is_over=bool(claim)) if is_whole else None
    if contract is not None:
        for name, value in contract_tags(contract).items():
            yield Tag(name, value)
    result = _result(layout, names if play else [], contract, claim.strip())
    if result:
        yield Tag("Result", result)
    if auction is not None:
        yield from auction_tags(auction)
    elif bids:
        yield Tag(AUCTION_TAG, "|".join(f"{tag}|{_tidy(value)}" for tag, value in bids))
    if play is not None:
        yield play
    elif cards:
        yield Tag(PLAY_TAG, _tidy(" ".join(cards)))


def _calls(bids: list[tuple[str, str]]) -> tuple[Call, ...] | None:
    """Return the calls of `mb` and what `an` says of them; None where one is no call."""
    calls: list[Call] = []
    for tag, value in bids:
        if tag == "an":
            if not calls:
                return None
            last = calls[-1]
            note = " ".join(filter(None, (last.note, _tidy(value))))
            calls[-1] = Call(last.word, last.alert, note)
            continue
        found = _calls_of(value)
        if not found:
            return None
        calls += found
    return tuple(calls)


@lru_cache(maxsize=1024)
def _calls_of(value: str) -> tuple[Call, ...]:
    """Return the calls of an `mb`, which is one in most files; none where it is something else."""
    text = "".join(value.split())
    found = list(_CALLS.finditer(text))
    if "".join(call[0] for call in found) != text:
        return ()
    return tuple(Call(call_of(call[1]) or "", bool(call[2])) for call in found)


def _result(
    layout: Layout | None, cards: list[str], contract: Contract | None, claim: str
) -> str | None:
    """Return the tricks of declarer: those claimed, or those that were played."""
    if claim:
        is_number = claim.isascii() and claim.isdigit() and len(claim) <= 2
        return str(int(claim)) if is_number and int(claim) <= HAND_SIZE else None
    if contract is None or contract.declarer is None or layout is None:
        return None
    tricks = declarer_tricks(layout, cards, contract.declarer, contract.strain)
    return None if tricks is None else str(tricks)
