"""Boards as the library endplay has them in JSON: a list of objects.

A board has `deal` with lists of cards, `auction`, `play`, `board_num` and `info`, and may have
`vul`, `dealer`, `contract` and `claimed`. The other tags of PBN are in `info`. There is no place
for other sections and for the marks of calls.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import BinaryIO

from pavcodec.boards.auction import (
    Auction,
    Call,
    Contract,
    auction_of_dealer,
    auction_tags,
    contract_of,
    contract_tags,
    remarks_cut,
)
from pavcodec.boards.board import Board, Tag
from pavcodec.boards.context import Context
from pavcodec.boards.play import CARDS, play_tag, played_cards, strain_of
from pavcodec.boards.tricks import TRICK_DIGITS, format_trick_digits
from pavcodec.cards import HAND_SIZE, SUIT_LETTERS, Seat
from pavcodec.errors import PavError
from pavcodec.formats.bbo.lin_hands import layout_of_hands, parse_suits
from pavcodec.formats.plain.texts import shorten

__all__ = ["board_of_endplay", "is_endplay", "write_endplay_json"]

Object = Mapping[str, object]
_SUITS = ("spades", "hearts", "diamonds", "clubs")
_STRAINS = dict(zip((*_SUITS, "nt"), ("S", "H", "D", "C", "NT"), strict=True))
_NAMES = {strain: name for name, strain in _STRAINS.items()}
_CALLS = {"pass": "Pass", "double": "X", "redouble": "XX"}
_PENALTIES = {call: name for name, call in _CALLS.items()}
_VULNERABLE = {"none": "None", "ns": "NS", "ew": "EW", "both": "All"}
_VULNERABLE_NAMES = {word: name for name, word in _VULNERABLE.items()}
_KEYS = {"deal", "auction", "play", "board_num"}
_TOLD = {"Board", "Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Result"}
_BOOK = 6


def is_endplay(found: Object) -> bool:
    """Return whether an object is a board of endplay."""
    return found.keys() >= _KEYS and isinstance(found["deal"], dict)


def board_of_endplay(found: Object, complain: Callable[[str], None], line: int) -> Board:
    """Return the board of an object; report wrong parts of it, and leave them out."""

    def attempt(make: Callable[[], object]) -> object:
        try:
            return make()
        except (PavError, KeyError, TypeError, ValueError, AttributeError) as error:
            told = "" if isinstance(error, PavError) else "this is no board of endplay: "
            complain(f"{told}{error}")
            return None

    layout = layout_of_hands(_hands(found["deal"]))  # the reader reports the problem
    tags = dict(_tags(found))
    auction = attempt(lambda: _auction(found, tags))
    contract = contract_of(auction) if isinstance(auction, Auction) else None
    told = attempt(lambda: _contract(found.get("contract"), contract))
    has_no_result = tags.get("Result") == "?"
    tags |= told if isinstance(told, dict) else {}
    if has_no_result:
        tags.pop("Result", None)
    entries = [Tag(*tag) for tag in tags.items()]
    if isinstance(auction, Auction) and auction.calls:
        entries += auction_tags(auction)
    cards = attempt(lambda: [_card(card) for card in _list(found["play"])])
    if isinstance(cards, list) and cards:
        play = play_tag(layout, cards, strain_of(tags.get("Contract", "")))
        if play is None:
            shown = shorten(" ".join(cards))
            complain(f"the play is left out: the cards do not fit the hands: {shown}")
        else:
            entries.append(play)
    return Board(layout, tuple(entries), line=line)


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise PavError(f"expected a list, not {shorten(json.dumps(value))}")
    return value


def _card(value: object) -> str:
    """Return the name of a card, such as SA."""
    if isinstance(value, dict):
        suit, rank = str(value.get("suit")), str(value.get("rank"))
        name = f"{SUIT_LETTERS[_SUITS.index(suit)]}{rank}" if suit in _SUITS else ""
        if name in CARDS:
            return name
    raise PavError(f"a card has a suit and a rank, not {shorten(json.dumps(value))}")


def _hands(deal: object) -> dict[Seat, str]:
    """Return the hands of a deal, for `layout_of_hands`."""
    assert isinstance(deal, dict), "is_endplay looks"
    hands = {}
    for seat in Seat:
        cards = [_card(card) for card in _list(deal.get(seat.name.lower(), []))]
        suits = "".join(s + "".join(c[1] for c in cards if c[0] == s) for s in SUIT_LETTERS)
        hands[seat] = parse_suits(suits)
    return hands


def _tags(found: Object) -> Iterator[tuple[str, str]]:
    """Yield the tags of `info` and of the keys beside it."""
    info = found.get("info")
    if isinstance(info, dict):
        yield from ((name, each) for name, each in info.items() if isinstance(each, str))
    if found["board_num"] is not None:
        yield "Board", str(found["board_num"])
    if found.get("dealer"):
        yield "Dealer", Seat.parse(str(found["dealer"])[:1]).letter
    if (vul := found.get("vul")) is not None:
        yield "Vulnerable", _VULNERABLE.get(str(vul), str(vul))


def _auction(found: Object, tags: Mapping[str, str]) -> Auction | None:
    calls = [_call(call) for call in _list(found["auction"])]
    dealer = Board(None, tuple(Tag(*tag) for tag in tags.items())).dealer
    if calls and dealer is None:
        raise PavError("the auction is left out: there is no dealer")
    return Auction(dealer, tuple(calls)) if dealer is not None else None


def _call(value: object) -> Call:
    if not isinstance(value, dict):
        raise PavError(f"a call is an object, not {shorten(json.dumps(value))}")
    word = _CALLS.get(str(value.get("penalty")))
    if word is None:
        word = f"{int(str(value['level']))}{_STRAINS[str(value['denom'])]}"
    return Call(word, bool(value.get("alertable")), str(value.get("announcement") or "").strip())


def _contract(value: object, from_auction: Contract | None) -> dict[str, str]:
    """Return Declarer, Contract and Result; without a contract, those of the auction."""
    if not isinstance(value, dict):
        return contract_tags(from_auction) if from_auction is not None else {}
    level = int(str(value["level"]))
    if not level:
        return {"Declarer": "", "Contract": "Pass"}
    penalty = str(value.get("penalty") or "").upper().replace("PASS", "")
    tags = {
        "Declarer": Seat.parse(str(value["declarer"])[:1]).letter,
        "Contract": f"{level}{_STRAINS[str(value['denom'])]}{penalty}",
    }
    if value.get("result") is not None:
        tags["Result"] = str(level + _BOOK + int(str(value["result"])))
    return tags


def write_endplay_json(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a list with an object a line for each board that has cards; return how many."""
    written = 0
    for board in boards:
        if board.layout is None:
            continue
        if max(board.layout.sizes) > HAND_SIZE or board.dealer is None:
            reason = "endplay needs a dealer, and at most 13 cards in a hand"
            context.problem(board.line, f"{reason}: '{board.layout}'", board.tags.get("Board"))
            continue
        data = json.dumps(_object(board, context), ensure_ascii=False)
        stream.write((b",\n" if written else b"[\n") + data.encode("utf-8", "backslashreplace"))
        written += 1
    if written:
        stream.write(b"\n]\n")
    return written


def _object(board: Board, context: Context) -> dict[str, object]:
    assert board.layout is not None, "boards without cards were left out"
    assert board.dealer is not None, "boards without a dealer were left out"

    def attempt(make: Callable[[], object], what: str) -> object:
        try:
            return make()
        except PavError as error:
            reason = f"the {what} is left out: {error}"
            context.problem(board.line, reason, board.tags.get("Board"))
            return None

    auction = attempt(lambda: auction_of_dealer(board), "auction")
    calls = auction.calls if isinstance(auction, Auction) else ()
    made: dict[str, object] = {
        "deal": _deal(board),
        "auction": [_call_object(call) for call in calls],
        "play": [],
        "board_num": board.number,
        "info": _info(board),
        "dealer": board.dealer.name.lower(),
        "claimed": True,
    }
    strain = strain_of(board.tags.get("Contract", ""))
    cards = attempt(lambda: played_cards(board, strain), "play")
    made["play"] = [_card_object(card) for card in cards] if isinstance(cards, list) else []
    if board.vulnerable is not None:
        made["vul"] = _VULNERABLE_NAMES[board.vulnerable.value]
    if contract := _contract_object(board.tags):
        made["contract"] = contract
    return made


def _info(board: Board) -> dict[str, str]:
    """Return the tags without keys of their own, with the tricks as digits."""
    found = {name: each for name, each in board.tags.items() if _is_info(board, name)}
    if board.tricks is not None:
        found.setdefault(TRICK_DIGITS, format_trick_digits(board.tricks))
    if board.number is None and board.tags.get("Board", "") not in ("", "?"):
        found["Board"] = board.tags["Board"]
    if _has_no_result(board.tags):
        found["Result"] = "?"  # beside a contract, endplay has a number of tricks in any case
    return found


def _has_no_result(tags: Mapping[str, str]) -> bool:
    contract = _contract_object(tags)
    return bool(contract and contract["level"]) and tags.get("Result", "") in ("", "?")


def _is_info(board: Board, name: str) -> bool:
    is_section = remarks_cut(board.sections.get(name, ())).strip()
    return name not in {*_TOLD, "Auction", "Play", "Note"} and not is_section


def _card_object(card: str) -> dict[str, str]:
    return {"suit": _SUITS[SUIT_LETTERS.index(card[0])], "rank": card[1]}


def _deal(board: Board) -> dict[str, object]:
    """Return the hands, with the leader and the trump suit of the contract."""
    assert board.layout is not None
    owners = board.layout.owners
    strain = strain_of(board.tags.get("Contract", "")) or "NT"
    declarer = board.tags.get("Declarer", "").removeprefix("^")
    first = Seat.parse(declarer).next if declarer in tuple("NESW") else Seat.NORTH
    hands: dict[str, object] = {
        seat.name.lower(): [_card_object(card) for n, card in enumerate(CARDS) if owners[n] == seat]
        for seat in Seat
    }
    trump = _NAMES["NT" if strain == "N" else strain]
    return hands | {"first": first.name.lower(), "trump": trump, "curtrick": []}


def _call_object(call: Call) -> dict[str, object]:
    made: dict[str, object] = (
        {"penalty": _PENALTIES[call.word]}
        if call.word in _PENALTIES
        else {"level": int(call.word[0]), "denom": _NAMES[call.word[1:]]}
    )
    made["alertable"] = call.alert
    return made | ({"announcement": call.note} if call.note else {})


def _contract_object(tags: Mapping[str, str]) -> dict[str, object]:
    """Return the contract; None unless contract and result are known."""
    text, declarer = tags.get("Contract", "").upper(), tags.get("Declarer", "")
    strain = strain_of(text)
    made: dict[str, object] = {"level": 0, "denom": "nt", "declarer": "north", "penalty": ""}
    if text == "PASS":
        return made | {"result": 0}
    result = tags.get("Result", "")
    if not strain or not text[0].isdigit() or declarer not in tuple("NESW"):
        return {}
    taken = int(result) if result.isdecimal() and int(result) <= HAND_SIZE else None
    return {
        "level": int(text[0]),
        "denom": _NAMES["NT" if strain == "N" else strain],
        "declarer": Seat.parse(declarer).name.lower(),
        "penalty": "x" * text.count("X"),
        "result": 0 if taken is None else taken - int(text[0]) - _BOOK,
    }
