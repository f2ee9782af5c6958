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
from pavcodec.boards.play import auction_of, played_cards, strain_of
from pavcodec.files.text import decode

pytest.importorskip("endplay", reason="endplay is not installed: pip install 'pavcodec[dev]'")

from endplay.parsers import lin as their_lin
from endplay.parsers import pbn as their_pbn
from endplay.utils.escape import unescape_suits

LOADS: dict[str, Callable[[str], list[Any]]] = {"pbn": their_pbn.loads, "lin": their_lin.loads}
DUMPS: dict[str, Callable[[list[Any]], str]] = {"pbn": their_pbn.dumps, "lin": their_lin.dumps}
Facts = dict[str, Any]
SEATS = ("North", "East", "South", "West")


def our_facts(board: Board) -> Facts:
    """What pavcodec knows of a board, as far as endplay has a place for it."""
    auction = auction_of(board)
    calls = auction.calls if auction else ()
    contract = board.tags["Contract"].upper().replace("PASS", "Pass")
    contract = re.sub("N(?!T)", "NT", contract)
    return {
        "deal": str(board.layout),
        "number": board.number,
        "dealer": board.tags["Dealer"],
        "vulnerable": board.tags["Vulnerable"],
        "names": [_known(board.tags.get(seat)) for seat in SEATS],
        "calls": [call.word for call in calls],
        "alerts": [call.alert for call in calls],
        "notes": [" ".join(call.note.split()) for call in calls],
        "play": played_cards(board, strain_of(contract)),
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
        "dealer": board.dealer.abbr,
        "vulnerable": {"none": "None", "both": "All"}.get(board.vul.name, board.vul.name.upper()),
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

    endplay shows suits in LIN's notes by their symbols. It makes up a result where there is none,
    and in LIN it counts tricks without a claim as if North had led.
    """
    expected, found = our_facts(ours), their_facts(theirs, is_pbn=name == "pbn")
    if name == "lin":
        expected["notes"] = [unescape_suits(note) for note in expected["notes"]]
    if not expected["result"] or (name == "lin" and not theirs.claimed):
        expected["result"] = found["result"]
    assert found == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", LOADS)
@settings(max_examples=60)
@given(board=table_boards().filter(lambda board: "Contract" in board.tags))
def test_boards_are_the_same_in_both(name: str, board: Board) -> None:
    written = write_format(name, [board])
    assert written.problems == []
    assert our_facts(read_format(name, written.data).board) == our_facts(board)
    # In LIN, endplay does not read a play that ends within a trick without a claim.
    cards = len(our_facts(board)["play"])
    if name == "pbn" or cards % 4 == 0 or board.tags.get("Result"):
        (theirs,) = LOADS[name](decode(written.data))
        compare(board, theirs, name)
        compare(read_format(name, DUMPS[name]([theirs]).encode()).board, theirs, name)
