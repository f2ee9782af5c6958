"""The tags of a LIN board, pairs of a tag and its value, as tags of PBN.

Rule 1: the readable part of an auction or a play is in the sections of PBN. If a part is
        unreadable, its first item is a fault, and the tags LinAuction and LinPlay have the whole
        text.
Rule 2: LinHeader is the header of a match where it has more than PBN's tags of the event.
Rule 3: LinComments has the comments at the table, each after the number of calls and cards before
        it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pavcodec.boards.auction import (
    Auction,
    Call,
    Contract,
    auction_tags,
    call_of,
    contract_of,
    contract_tags,
    passes_to_end,
)
from pavcodec.boards.board import Tag
from pavcodec.boards.play import CARDS, card_names, declarer_tricks, play_tag
from pavcodec.cards import HAND_SIZE, Seat
from pavcodec.formats.plain.texts import shorten
from pavcodec.layout import Layout

__all__ = [
    "AUCTION_TAG",
    "COMMENTS_TAG",
    "EVENT_TAGS",
    "HEADER_TAG",
    "PAIR",
    "PLAY_TAG",
    "SCORINGS",
    "SEATS",
    "VULNERABILITIES",
    "Fault",
    "Pairs",
    "Standing",
    "board_tags",
    "calls_of",
    "header_of",
    "numbers_of",
]

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
    said = _comments(lead, rest, heard)
    made = (*(Tag(name, value) for name, value in tags.items()), *played, *said)
    return made, heard.faults


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
    for place, (tag, value) in enumerate(pairs):
        if tag == "mb":
            found = _calls_of(value)
            if not found:
                what = shorten(f"mb|{_tidy(value)}|")
                reason = f"expected a call as in 'mb|1C|' or 'mb|p|': {what}"
                faults.append(
                    (place, f"{reason}; this and what follows it is in the tag {AUCTION_TAG}")
                )
                break
            for call in found:
                calls += passes_to_end(calls) if call is _ALL_PASS else (call,)
        elif tag == "an" and calls:
            note = " ".join(filter(None, (calls[-1].note, _tidy(value))))
            calls[-1] = replace(calls[-1], note=note)
        elif tag == "an" and not faults:
            what = shorten(f"an|{_tidy(value)}|")
            reason = f"{what} explains no call, as none stands before it"
            faults.append((place, f"{reason}; it is in the tag {AUCTION_TAG}"))
    return calls, faults


@lru_cache(maxsize=1024)
def _calls_of(value: str) -> tuple[Call, ...]:
    """Return the calls of an `mb`, one in most files; empty for invalid text."""
    text = "".join(value.split())
    found = list(_CALLS.finditer(text))
    if "".join(call[0] for call in found) != text:
        return ()
    return tuple(
        _ALL_PASS if word is None else Call(word, bool(call[2]))
        for call, word in ((call, call_of(call[1])) for call in found)
    )


def _heard(dealer: str, rest: Pairs) -> _Heard:
    """Read the calls and the cards of a board."""
    heard = _Heard()
    heard.calls, heard.faults = calls_of(rest)
    first = next((place for place, (tag, _) in enumerate(rest) if tag == "mb"), None)
    if first is not None and not dealer:
        reason = "the auction has no dealer, as in 'md|1…|'"
        heard.faults.insert(0, (first, f"{reason}; it is in the tag {AUCTION_TAG}"))
    heard.is_whole = not heard.faults
    for place, (tag, value) in enumerate(rest):
        if tag == "pc":
            card = _CARD_NAMES.get(value.strip())
            if card is None:
                what = shorten(f"pc|{_tidy(value)}|")
                reason = f"expected a card as in 'pc|SA|': {what}"
                heard.faults.append((place, _rest_of_play(reason)))
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
    said = f"{fitting} card{'' if fitting == 1 else 's'}"
    reason = f"the play cannot be {names[fitting]} after {said}"
    if not strain and fitting % len(SEATS) == 0 and len({card[0] for card in last}) > 1:
        reason = f"who leads after {said} is not known without a contract"
    places = [place for place, (tag, _) in enumerate(rest) if tag == "pc"]
    heard.faults = [each for each in heard.faults if each[0] not in places]
    heard.faults.append((places[fitting], _rest_of_play(reason)))
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
    said = [(0, value) for tag, value in lead if tag == "nt"]
    if any(tag == "nt" for tag, _ in rest):
        said += _said(rest, is_whole=heard.is_whole)
    texts = ((count, _in_one_line(value)) for count, value in said)
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
