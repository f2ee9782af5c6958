"""The losses of many boards: equal to those of all boards, examined one by one."""

from __future__ import annotations

import pytest
from formats_support import DEAL, corpus_pbn_files

import pavcodec as pav
from pavcodec.boards import Board, Tag
from pavcodec.formats import format_names, format_of
from pavcodec.formats.format import Format
from pavcodec.formats.losing import LostParts, sample_boards

TARGETS = [format_of(name) for name in format_names() if not format_of(name).keeps_tags]
BOARDS = [
    pav.Board(None, (Tag("Site", "?"), Tag("Site", "Rome"), Tag("Board", "3"))),
    pav.Board(None, (Tag("Site", "Rome", ("{Quiet.}",)), Tag("Vulnerable", "-"))),
    pav.Board(None, (Tag("Site", "?", ("list",)), Tag("DoubleDummyTricks", "?"))),
    pav.Board(None, (Tag("Site", " Rome"), Tag("Result", "NS 9"), Tag("Room", "Blue"))),
    pav.Board(None, (Tag("Site", "Oslo"), Tag("Auction", "N", ("1C", "AP")), Tag("Note", "1:x"))),
    pav.Board(None, (Tag("Site", "Oslo"), Tag("Auction", "N", ("1C*", "AP")), Tag("Result", "?"))),
    pav.Board(None, (Tag("Site", "Oslo"), Tag("Auction", "N", ("1C $1", "AP")))),
    pav.Board(None, (Tag("Site", "Oslo"), Tag("Play", "N", ("S2 ! S3",)), Tag("Contract", "1C"))),
    pav.Board(None, (Tag("Site", "Oslo"), Tag("LinComments", "0|a|"), Tag("", "", ("{b}",)))),
    pav.Board(None, (Tag("Site", "Oslo"), Tag("Dealer", "N"), Tag("LinComments", "0|a{b|"))),
    pav.Board(pav.Deal.from_pbn(DEAL), (Tag("Site", "Oslo"), Tag("Dealer", "E"))),
]


def check(target: Format, boards: list[Board]) -> LostParts:
    """Compare the losses with those of all boards, and return them."""
    found = LostParts(target)
    names: dict[str, None] = {}
    count = 0
    for board in boards:
        found.count(board)
        lost = target.lost_parts(board)
        count += bool(lost)
        names |= dict.fromkeys(lost)
        assert (found.boards, list(found.names)) == (count, list(names)), (target.name, board)
    return found


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_losses_are_those_of_all_boards(target: Format) -> None:
    boards = [*BOARDS, *sample_boards()]
    for order in (boards, boards[::-1], boards[3:] + boards[:3]):
        check(target, order * 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lin", "rbn", "csv", "dlm", "lines", "endplay-json", "dds"])
def test_losses_of_the_corpus(name: str) -> None:
    paths = sorted(corpus_pbn_files())
    boards = [board for path in paths for board in pav.read(path, report=lambda _: None)]
    found = check(format_of(name), boards)
    assert found.boards > 0


def test_lin_keeps_rooms_and_what_it_wrote_itself() -> None:
    tags = {"Room": "Open", "LinAuction": "1C|p|", "LinPlay": "S2"}
    board = pav.Board.make(pav.Deal.from_pbn(DEAL), number=3, tags=tags)
    assert not format_of("lin").lost_parts(board)


def test_parts_that_a_format_may_lose_are_declared() -> None:
    for target in TARGETS:
        if target.more_losses is not None and target.may_lose:
            boards = [*BOARDS, *sample_boards()]
            yielded = {name for board in boards for name in target.lost_parts(board)}
            kept = {name for name in yielded if target.keeps_tag(name)}
            assert kept <= target.may_lose
