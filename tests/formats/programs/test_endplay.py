"""PBN and LIN read by pavcodec and by the package endplay: what both can hold is the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from endplay_support import Facts, our_facts, random_boards, their_facts
from formats_support import read_format, write_format

from pavcodec import Board
from pavcodec.boards.play import Contract, auction_of, contract_of

pytest.importorskip("endplay", reason="endplay is not installed: pip install 'pavcodec[dev]'")

from endplay.parsers import lin as their_lin
from endplay.parsers import pbn as their_pbn
from endplay.utils.escape import unescape_suits

LOADS: dict[str, Callable[[str], list[Any]]] = {"pbn": their_pbn.loads, "lin": their_lin.loads}
DUMPS: dict[str, Callable[[list[Any]], str]] = {"pbn": their_pbn.dumps, "lin": their_lin.dumps}


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


def one_by_one(name: str, data: bytes) -> list[str]:
    """The texts of the boards that were written, without the header."""
    text = data.decode()
    if name == "pbn":
        return text.split("% EXPORT\r\n")[1].split("\r\n\r\n")
    return [line for line in text.splitlines() if "md|" in line]


@pytest.mark.slow
@pytest.mark.parametrize("name", LOADS)
def test_boards_at_random(name: str) -> None:
    boards = list(random_boards(120, 20261122))
    written = write_format(name, boards)
    assert written.problems == []
    held: list[Any] = []
    for board, text in zip(boards, one_by_one(name, written.data), strict=True):
        if name == "pbn" or not stops_in_a_trick(board):
            (theirs,) = LOADS[name](text)
            compare(board, theirs, name)
            held.append(theirs)
    assert len(held) > 90
    assert list(map(our_facts, read_format(name, written.data).boards)) == list(
        map(our_facts, boards)
    )
    some = held[:40]
    again = read_format(name, DUMPS[name](some).encode())
    assert again.problems == []
    for theirs, board in zip(some, again.boards, strict=True):
        compare(board, theirs, name)
