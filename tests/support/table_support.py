"""What the tests of formats with auctions and play share: boards that such formats hold."""

from __future__ import annotations

import oracles
from formats_support import DEAL
from hypothesis import strategies as st

from pavcodec import Board, Deal, Layout, Seat, Vulnerability, numbering
from pavcodec.boards.board import Tag
from pavcodec.boards.play import (
    CARDS,
    Auction,
    Call,
    auction_tags,
    contract_of,
    contract_tags,
    declarer_tricks,
    play_tag,
    winner,
)

FIXTURES = oracles.FIXTURES / "formats"
AUCTION = ["Pass", "Pass", "Pass", "1H", "X", "2H", "Pass", "Pass", "Pass"]

texts = st.text("Aé5+ !:-'", min_size=1, max_size=8).map(lambda text: " ".join(text.split()))
names = texts.filter(lambda text: text not in ("", "?") and ":" not in text and "+" not in text)


def board_of(tags: dict[str, str], more: list[Tag], layout: Layout | None = None) -> Board:
    """Return a board of the deal of the tests."""
    first = [Tag(name, value) for name, value in tags.items()]
    return Board(layout or Deal.from_pbn(DEAL), (*first, *more))


def calls_of(words: list[str]) -> tuple[Call, ...]:
    return tuple(map(Call, words))


@st.composite
def auctions(draw: st.DrawFn) -> Auction:
    """Auctions that end, with bids one above the other; some calls have a note."""
    bids = sorted(draw(st.sets(st.integers(0, 34), max_size=5)))
    strains = ("C", "D", "H", "S", "NT")
    calls = [Call("Pass")] * draw(st.integers(0, 3))
    note = st.sampled_from(["", "", "15-17", "Transfer to hearts"])
    for bid in bids:
        word = f"{bid // 5 + 1}{strains[bid % 5]}"
        calls.append(Call(word, draw(st.booleans()), draw(note)))
        calls += [Call(each) for each in draw(st.sampled_from([[], ["Pass"], ["X"], ["X", "XX"]]))]
    calls += [Call("Pass")] * (3 if bids else 4 - len(calls))
    return Auction(draw(st.sampled_from(list(Seat))), tuple(calls))


def play(layout: Layout, leader: Seat, strain: str, count: int) -> list[str]:
    """Return cards that could be played: each hand's first that follows suit, or its first."""
    hands = [[CARDS[c] for c in range(52) if layout.owners[c] == seat] for seat in range(4)]
    cards: list[str] = []
    turn = int(leader)
    while len(cards) < count:
        trick: list[str] = []
        for place in range(4):
            hand = hands[(turn + place) % 4]
            following = [card for card in hand if trick and card[0] == trick[0][0]]
            card = (following or hand)[0]
            hand.remove(card)
            trick.append(card)
        cards += trick
        turn = (turn + winner(trick, strain)) % 4
    return cards[:count]


@st.composite
def table_boards(draw: st.DrawFn) -> Board:
    """Boards with names, auctions and play, all of which LIN and RBN hold."""
    layout = draw(st.integers(0, 2**95).map(numbering("deal").unrank))
    auction = draw(auctions())
    tags = {"Board": str(draw(st.integers(1, 99)))}
    for seat in ("West", "North", "East", "South"):
        if draw(st.booleans()):
            tags[seat] = draw(names)
    tags["Dealer"] = auction.dealer.letter
    tags["Vulnerable"] = draw(st.sampled_from([v.value for v in Vulnerability]))
    contract = contract_of(auction)
    more = auction_tags(auction)
    if contract is not None:
        tags |= contract_tags(contract)
        if contract.declarer is not None:
            count = draw(st.sampled_from([0, 1, 4, 7, 52]))
            cards = play(layout, contract.declarer.next, contract.strain, count)
            section = play_tag(layout, cards, contract.strain)
            more += [section] if section else []
            result = declarer_tricks(layout, cards, contract.declarer, contract.strain)
            if result is not None:
                tags["Result"] = str(result)
    return board_of(tags, more, layout)


def facts(board: Board) -> dict[str, object]:
    """Return what a board says, whatever the order of its tags."""
    notes = [tag.value for tag in board.entries if tag.name == "Note"]
    tags = dict(board.tags)
    tags.pop("Note", None)
    return {"layout": board.layout, "notes": notes, **tags, **board.sections}
