"""Pages for players as HTML: cards and tables of hands, sheets for silent bidding, calls."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from pavcodec.boards.board import Board
from pavcodec.cards import SEAT_LETTERS, STRAIN_SIGNS, Seat, Strain, Suit
from pavcodec.printing.document import BiddingPages, Hands
from pavcodec.printing.facts import BoardFacts, facts_of
from pavcodec.printing.html_boards import SIDES, coloured, dealing, hand_html, signs

__all__ = ["bidding_box_html", "bidding_html", "hands_html"]

_ORDER = "WNES"
"""The columns of an auction."""
_AUCTION_ROWS = 6
_CALLS = {"Pass": 20, "X": 6, "XX": 4, "Alert": 3, "Stop": 2}
"""The cards of a bidding box besides the bids, with their numbers."""
_TABLE_HEIGHT = 248
"""The millimetres of a page that the rows of hands can fill."""


def hands_html(part: Hands, level: int) -> Iterator[str]:
    """Yield the hands of a part."""
    facts = [facts_of(board) for board in part.boards]
    notes = part.notes or ((),) * len(facts)
    rows = [(each, texts) for each, texts in zip(facts, notes, strict=True) if each.hands]
    if part.layout == "curtain":
        yield f'<div class="cards seats-{len(part.seats)}">'
        for each, _ in rows:
            yield from (_card(each, seat, level, points=part.points) for seat in part.seats)
        yield "</div>"
        return
    for place, seat in enumerate(part.seats):
        new = " new" if place and place % part.per_page == 0 else ""
        yield f'<section class="hands{new}{" slips" if part.layout == "slips" else ""}">'
        yield f"<h{level}>{seat.name.title()}</h{level}>"
        if part.layout == "slips":
            slips = min(8, max(5, -(-len(rows) // 4)))
            yield f'<div class="cards" style="--slips: {slips}">'
            yield from (_card(each, seat, level + 1, points=part.points) for each, _ in rows)
            yield "</div>"
        else:
            yield from _table(part, seat, rows)
        yield "</section>"


def _card(facts: BoardFacts, seat: Seat, level: int, *, points: bool) -> str:
    about = [dealing(facts, " · ")] if facts.dealer or facts.vulnerable else []
    about += [f"{facts.hands[seat].hcp} HCP"] if points else []
    line = f"<p>{' · '.join(about)}</p>" if about else ""
    title = escape(f"{facts.title} {seat.name.title()}")
    hand = hand_html(facts.hands[seat], "hand")
    return f'<article class="card"><h{level}>{title}</h{level}>{line}{hand}</article>'


def _table(
    part: Hands, seat: Seat, rows: list[tuple[BoardFacts, tuple[str, ...]]]
) -> Iterator[str]:
    """Yield the table of a player's hands, with a column to write in."""
    heads = ["Board", "Dealer", "Vul", *map(signs, Suit), *["HCP"] * part.points]
    cells = "".join(f'<th scope="col">{head}</th>' for head in heads)
    high = min(22.0, max(6.0, (_TABLE_HEIGHT / part.per_page - 20) / max(1, len(rows))))
    yield f'<table class="rows" style="--high: {high:.1f}mm">'
    yield f'<thead><tr>{cells}<th scope="col">{escape(part.space)}</th></tr></thead>'
    yield "<tbody>"
    for facts, notes in rows:
        hand = facts.hands[seat]
        texts = [escape(facts.dealer), escape(facts.vulnerable), *hand.suits]
        texts += [str(hand.hcp)] * part.points
        row = "".join(f"<td>{text}</td>" for text in texts)
        space = "<br>".join(map(coloured, notes))
        number = f'<th scope="row">{escape(facts.number)}</th>'
        yield f'<tr>{number}{row}<td class="space">{space}</td></tr>'
    yield "</tbody></table>"


def bidding_html(part: BiddingPages, level: int) -> Iterator[str]:
    """Yield an empty auction for each board."""
    yield '<div class="bidding">'
    for board in part.boards:
        yield from _auction(board, level)
    yield "</div>"


def _auction(board: Board, level: int) -> Iterator[str]:
    facts = facts_of(board)
    vulnerable = SIDES.get(facts.vulnerable, "")
    yield f"<article><h{level}>{escape(facts.title)}</h{level}><p>{dealing(facts, ' · ')}</p>"
    yield '<table class="auction"><caption class="hidden">Auction</caption><thead><tr>'
    for letter in _ORDER:
        name = Seat(SEAT_LETTERS.index(letter)).name.title()
        names = ' class="vulnerable"' if letter in vulnerable else ""
        yield f'<th scope="col"{names}>{name}</th>'
    yield "</tr></thead><tbody>"
    before = _ORDER.index(facts.dealer) if facts.dealer else 0
    first = "".join(f"<td>{'–' if place < before else ''}</td>" for place in range(len(_ORDER)))
    yield f"<tr>{first}</tr>"
    yield f"<tr>{'<td></td>' * len(_ORDER)}</tr>" * (_AUCTION_ROWS - 1)
    yield "</tbody></table></article>"


def bidding_box_html() -> Iterator[str]:
    """Yield a card for each call of a bidding box."""
    bids = [
        f"{level}{STRAIN_SIGNS[strain]}" for level in range(1, 8) for strain in reversed(Strain)
    ]
    calls = [call for call, number in _CALLS.items() for _ in range(number)]
    for names, texts in (("box", bids), ("box calls", calls)):
        cells = "".join(f"<li>{coloured(text)}</li>" for text in texts)
        yield f'<ul class="{names}">{cells}</ul>'
