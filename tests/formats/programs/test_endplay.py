"""PBN and LIN read by pavcodec and by the package endplay: what both can hold is the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from formats_support import read_format, write_format
from hypothesis import given, settings
from table_support import table_boards

from pavcodec import Board, Layout
from pavcodec.boards.play import Contract, auction_of, contract_of, played_cards, strain_of
from pavcodec.files.text import decode

pytest.importorskip("endplay", reason="endplay is not installed: pip install 'pavcodec[dev]'")

from endplay.parsers import lin as their_lin
from endplay.parsers import pbn as their_pbn
from endplay.utils.escape import unescape_suits

LOADS: dict[str, Callable[[str], list[Any]]] = {"pbn": their_pbn.loads, "lin": their_lin.loads}
DUMPS: dict[str, Callable[[list[Any]], str]] = {"pbn": their_pbn.dumps, "lin": their_lin.dumps}
Facts = dict[str, object]
SEATS = ("North", "East", "South", "West")


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
        "deal": str(Layout.from_pbn(board.deal.to_pbn())),
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


def compare(ours: Board, theirs: Any, name: str) -> None:
    """Both know the same of a board.

    endplay shows suits in LIN's notes by their symbols. In PBN it makes up a result, and a contract
    for which it forgets the dealer, where there is none. In LIN it counts tricks without a claim as
    if North had led.
    """
    expected = our_facts(ours)
    found = their_facts(theirs, is_pbn=name == "pbn")
    if name == "lin":
        expected["notes"] = [unescape_suits(str(note)) for note in list_of(expected["notes"])]
    if not expected["result"] or (name == "lin" and not theirs.claimed):
        expected["result"] = found["result"]
    is_known = ours.tags.get("Contract", "?") not in ("", "?")
    bid = contract_of_auction(ours) if name == "lin" else None
    if name == "lin" and bid is not None:  # there, a contract is what the auction led to
        expected |= contract_facts(bid)
    elif name == "lin" or not is_known:
        expected |= {key: found[key] for key in ("contract", "declarer", "result")}
    if name == "pbn" and not is_known and not expected["calls"]:
        expected["dealer"] = found["dealer"]
    assert found == expected


def contract_of_auction(board: Board) -> Contract | None:
    auction = auction_of(board)
    return contract_of(auction) if auction else None


def contract_facts(contract: Contract) -> Facts:
    declarer = contract.declarer
    return {"contract": contract.text, "declarer": declarer.letter if declarer is not None else ""}


def stops_in_a_trick(board: Board) -> bool:
    """Whether a play ends within a trick, which endplay does not read in LIN without a claim."""
    cards = len(list_of(our_facts(board)["play"]))
    return cards % 4 > 0 and not board.tags.get("Result")


def list_of(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


@pytest.mark.slow
@pytest.mark.parametrize("name", LOADS)
@settings(max_examples=60)
@given(board=table_boards().filter(lambda board: "Contract" in board.tags))
def test_boards_are_the_same_in_both(name: str, board: Board) -> None:
    written = write_format(name, [board])
    assert written.problems == []
    assert our_facts(read_format(name, written.data).board) == our_facts(board)
    if name == "pbn" or not stops_in_a_trick(board):
        (theirs,) = LOADS[name](decode(written.data))
        compare(board, theirs, name)
        compare(read_format(name, DUMPS[name]([theirs]).encode()).board, theirs, name)
