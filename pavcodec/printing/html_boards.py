"""Boards and hands as HTML: lists and tables in the order in which people read them."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from pavcodec.cards import STRAIN_SIGNS, Seat, Suit
from pavcodec.printing.facts import VOID, BoardFacts, HandFacts

__all__ = ["SIDES", "board_html", "coloured", "dealing", "hand_html", "signs"]

SIDES = {"NS": "NS", "EW": "EW", "All": "NESW"}
"""The vulnerable seats, by the word for the vulnerability."""

_LONG = 9
"""The most cards of a suit in one line."""
_NARROW = 7
"""The most cards of a suit in letters of full width."""
_SHORT_NUMBER = 3
_RED = (Suit.HEARTS, Suit.DIAMONDS)


def coloured(text: str) -> str:
    """Return a text as HTML in which the signs of the red suits are marked."""
    found = escape(text)
    for suit in _RED:
        found = found.replace(suit.symbol, f'<span class="red">{suit.symbol}</span>')
    return found


def signs(suit: Suit) -> str:
    """Return the sign of a suit, with its name for screen readers."""
    red = ' class="red"' if suit in _RED else ""
    return f'<span{red} role="img" aria-label="{suit.name.lower()}">{suit.symbol}</span>'


def dealing(facts: BoardFacts, separator: str) -> str:
    """Return the dealer and the vulnerability; "" if both are unknown."""
    dealer = Seat.parse(facts.dealer).name.title() if facts.dealer else ""
    found = [f"Dealer {dealer}"] if dealer else []
    found += [f"Vul {facts.vulnerable}"] if facts.vulnerable else []
    return separator.join(found)


def hand_html(hand: HandFacts, kind: str) -> str:
    """Return a hand as a list of four suits, with the name of the seat for screen readers."""
    rows = []
    for suit, ranks in zip(Suit, hand.suits, strict=True):
        names = "longest" if len(ranks) > _LONG else "long" if len(ranks) > _NARROW else ""
        wide = f' class="{names}"' if names else ""
        rows.append(f"<li{wide}>{signs(suit)}{ranks}</li>")
    label = hand.seat.name.title()
    return f'<ul class="{kind}" aria-label="{label}">{"".join(rows)}</ul>'


def board_html(
    facts: BoardFacts, level: int, *, solutions: bool, notes: tuple[str, ...]
) -> Iterator[str]:
    """Yield the lines of a board; `level` is the level of its heading."""
    yield f'<article class="board{" stretched" if _is_stretched(facts) else ""}">'
    about = [f"Dealer {facts.dealer}"] if facts.dealer else []
    about += [f"Vul {facts.vulnerable}"] if facts.vulnerable else []
    line = f"<p>{'<br>'.join(about)}</p>" if about else ""
    hidden = " hidden" if len(facts.number) > _SHORT_NUMBER else ""
    title = f'<span class="word{hidden}">Board </span>{escape(facts.number)}'
    yield f'<div class="about"><h{level}>{title}</h{level}>{line}</div>'
    for hand in facts.hands:
        yield hand_html(hand, f"hand {hand.seat.name.lower()}")
    if facts.hands:
        yield _compass(facts)
        yield _points(facts)
    else:
        yield '<p class="north">No cards</p>'
    if solutions:
        yield from _solutions(facts)
    yield from (f'<p class="notes">{coloured(note)}</p>' for note in notes)
    yield "</article>"


def _is_stretched(facts: BoardFacts) -> bool:
    """Return whether a suit is so long that it needs two lines."""
    return any(len(ranks) > _LONG for hand in facts.hands for ranks in hand.suits)


def _compass(facts: BoardFacts) -> str:
    """Return the table seen from above; its facts are also in the text of the board."""
    vulnerable = SIDES.get(facts.vulnerable, "")
    cells = []
    for letter in "NWES":
        names = [letter.lower()]
        names += ["vulnerable"] * (letter in vulnerable) + ["dealer"] * (letter == facts.dealer)
        cells.append(f'<span class="{" ".join(names)}">{letter}</span>')
    return f'<div class="compass" aria-hidden="true">{"".join(cells)}</div>'


def _points(facts: BoardFacts) -> str:
    cells = (
        f'<li class="{hand.seat.letter.lower()}">'
        f'<span class="hidden">{hand.seat.name.title()} </span>{hand.hcp}</li>'
        for hand in facts.hands
    )
    return f'<ul class="points" aria-label="High-card points">{"".join(cells)}</ul>'


def _contract(text: str) -> str:
    """Return a makeable contract; one for each partner stays on a line."""
    return f"<span>{coloured(text)}</span>" if "/" in text else coloured(text)


def _solutions(facts: BoardFacts) -> Iterator[str]:
    if facts.makeable:
        pairs = (
            f"<b>{pair}</b>{' '.join(map(_contract, contracts)) or VOID}"
            for pair, contracts in facts.makeable
        )
        yield f'<p class="makes"><span class="hidden">Makes: </span>{"<br>".join(pairs)}</p>'
    if facts.tricks:
        heads = "".join(f'<th scope="col">{coloured(sign)}</th>' for sign in STRAIN_SIGNS)
        yield '<table class="tricks"><caption class="hidden">Double-dummy tricks</caption>'
        corner = '<th scope="col"><span class="hidden">Declarer</span></th>'
        yield f"<thead><tr>{corner}{heads}</tr></thead>"
        yield "<tbody>"
        for seat, row in facts.tricks:
            cells = "".join(f"<td>{taken}</td>" for taken in row)
            yield f'<tr><th scope="row">{seat}</th>{cells}</tr>'
        yield "</tbody></table>"
    if facts.par:
        yield f'<p class="par"><b>Par</b> {coloured(facts.par)}</p>'
