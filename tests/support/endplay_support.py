"""Boards as pavcodec and as the package endplay have them, in the same words; boards at random."""

from __future__ import annotations

import re
from collections.abc import Iterable
from random import Random
from typing import Any

from table_support import play

from pavcodec import Board, Seat, Vulnerability, numbering
from pavcodec.boards.board import Tag
from pavcodec.boards.play import (
    Auction,
    Call,
    auction_of,
    auction_tags,
    contract_of,
    contract_tags,
    declarer_tricks,
    play_tag,
    played_cards,
    strain_of,
)

Facts = dict[str, object]
SEATS = ("North", "East", "South", "West")
NOTES = ("", "", "15-17", "5+ hearts", "Transfer to spades", "forcing, any")
_DEALS = numbering("deal")
_BIDS = [f"{level}{strain}" for level in range(1, 8) for strain in ("C", "D", "H", "S", "NT")]


def our_facts(board: Board) -> Facts:
    """What pavcodec knows of a board, as far as endplay has a place for it."""
    auction = auction_of(board)
    calls = auction.calls if auction else ()
    contract = board.tags.get("Contract", "").upper().replace("PASS", "Pass")
    contract = re.sub("N(?!T)", "NT", contract)
    strain = strain_of(contract)
    return {
        "deal": str(board.layout),
        "number": board.number,
        "dealer": None if board.dealer is None else board.dealer.letter,
        "vulnerable": board.vulnerable and board.vulnerable.value,
        "names": [_known(board.tags.get(seat)) for seat in SEATS],
        "calls": [call.word for call in calls],
        "alerts": [call.alert for call in calls],
        "notes": [" ".join(call.note.split()) for call in calls],
        "play": played_cards(board, strain),
        "contract": contract,
        "declarer": board.tags.get("Declarer", ""),
        "result": _known(board.tags.get("Result")),
    }


def _known(text: object) -> str:
    return str(text) if text not in (None, "?") else ""


def their_facts(board: Any, *, is_pbn: bool) -> Facts:
    """What endplay knows of a board; in PBN it takes every note for an alert."""
    notes = [bid.announcement or "" for bid in board.auction]
    alerts = [bool(bid.alertable) for bid in board.auction]
    if is_pbn:
        notes = [note.strip() for note in notes]
        alerts = [note == "Alert" or note.startswith("Alert: ") for note in notes]
        texts = zip(notes, alerts, strict=True)
        notes = [note[len("Alert: ") :] if alert else note for note, alert in texts]
    notes = [" ".join(note.split()) for note in notes]
    contract = board.contract
    level = contract.level if contract else 0
    strain = _letter(contract.denom) if level else ""
    text = "Pass" if contract else ""
    if level:
        text = f"{level}{'NT' if strain == 'N' else strain}{contract.penalty.abbr.upper()}"
    tricks = str(level + 6 + contract.result) if level else ""
    return {
        "deal": str(_DEALS[0].from_pbn(board.deal.to_pbn())),
        "number": board.board_num,
        "dealer": None if board.dealer is None else board.dealer.abbr,
        "vulnerable": None
        if board.vul is None
        else {"none": "None", "both": "All"}.get(board.vul.name, board.vul.name.upper()),
        "names": [_known(board.info.get(seat)) for seat in SEATS],
        "calls": [_call(bid) for bid in board.auction],
        "alerts": alerts,
        "notes": notes,
        "play": [f"{_letter(card.suit)}{card.rank.abbr}" for card in board.play],
        "contract": text,
        "declarer": contract.declarer.abbr if level else "",
        "result": tricks,
    }


def _call(bid: Any) -> str:
    if bid.as_contract():
        strain = _letter(bid.denom)
        return f"{bid.level}{'NT' if strain == 'N' else strain}"
    return {1: "Pass", 2: "X", 4: "XX"}[int(bid.penalty)]


def _letter(denomination: Any) -> str:
    """Return C D H S N for a suit or notrumps, which endplay shows by its symbol."""
    return str(denomination.name[0].upper())


def random_boards(count: int, seed: int) -> Iterable[Board]:
    """Yield boards with auctions of any length, alerts, notes, play and claims."""
    random = Random(seed)
    return (_board(number, random) for number in range(1, count + 1))


def _board(number: int, random: Random) -> Board:
    layout = _DEALS.unrank(random.randrange(_DEALS.cardinality))
    auction = _auction(random)
    contract = contract_of(auction)
    assert contract is not None
    tags = {"Board": str(number)}
    tags |= {seat: f"{seat[0]}. Player {number}" for seat in SEATS if random.random() < 0.7}
    tags["Dealer"] = auction.dealer.letter
    tags["Vulnerable"] = random.choice(list(Vulnerability)).value
    tags |= contract_tags(contract)
    more = auction_tags(auction)
    if contract.declarer is not None:
        cards = play(
            layout, contract.declarer.next, contract.strain, random.choice((0, 1, 7, 24, 52))
        )
        result = declarer_tricks(layout, cards, contract.declarer, contract.strain)
        is_claimed = result is None and random.random() < 0.5
        if result is not None or is_claimed:
            tags["Result"] = str(random.randrange(14) if result is None else result)
        section = play_tag(layout, cards, contract.strain, is_over=is_claimed)
        more += [section] if section else []
    return Board(layout, (*(Tag(*each) for each in tags.items()), *more))


def _auction(random: Random) -> Auction:
    """Return an auction that is over, in which every call is allowed."""
    calls: list[Call] = []
    lowest = passes = 0
    doubled, bidder = 2, 0
    step = random.choice((1, 2, 6))  # the most bids that are skipped
    while passes < (3 if lowest else 4):
        side = len(calls) % 2
        words = ["Pass", "Pass"]
        if lowest < len(_BIDS):
            words += [_BIDS[min(len(_BIDS) - 1, lowest + random.randrange(step))]] * 2
        if lowest and doubled == 0 and side != bidder:
            words.append("X")
        if doubled == 1 and side == bidder:
            words.append("XX")
        word = random.choice(words)
        passes = passes + 1 if word == "Pass" else 0
        if word in _BIDS:
            lowest, doubled, bidder = _BIDS.index(word) + 1, 0, side
        elif word != "Pass":
            doubled += 1
        calls.append(Call(word, random.random() < 0.2, random.choice(NOTES)))
    return Auction(random.choice(list(Seat)), tuple(calls))
