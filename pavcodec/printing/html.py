"""Documents as HTML: one file without scripts, for the screen and for paper.

The page follows the screen's choice of light or dark, and prints black on white. Each page on paper
has the footer and the QR code of the document in its margin, in browsers that support this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil
from pathlib import Path
from urllib.parse import quote

from pavcodec.cards import STRAIN_SIGNS, Seat, Suit
from pavcodec.printing.document import (
    VOID,
    BoardFacts,
    Document,
    HandFacts,
    Hands,
    Notes,
    Part,
    Records,
    Table,
    code_millimetres,
    facts_of,
    qr_code,
)

# Boards and hands as HTML: lists and tables in the order in which people read them.


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
    html = escape(text)
    for suit in _RED:
        html = html.replace(suit.symbol, f'<span class="red">{suit.symbol}</span>')
    return html


def signs(suit: Suit) -> str:
    """Return the sign of a suit, with its name for screen readers."""
    red = ' class="red"' if suit in _RED else ""
    return f'<span{red} role="img" aria-label="{suit.name.lower()}">{suit.symbol}</span>'


def dealing(facts: BoardFacts, separator: str) -> str:
    """Return the dealer and the vulnerability; "" if both are unknown."""
    dealer = Seat.parse(facts.dealer).name.title() if facts.dealer else ""
    words = [f"Dealer {dealer}"] if dealer else []
    words += [f"Vul {facts.vulnerable}"] if facts.vulnerable else []
    return separator.join(words)


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
    # a suit that is so long needs two lines
    is_stretched = any(len(ranks) > _LONG for hand in facts.hands for ranks in hand.suits)
    yield f'<article class="board{" stretched" if is_stretched else ""}">'
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


# Pages for players as HTML: cards and tables of hands.


def hands_html(part: Hands, level: int) -> Iterator[str]:
    """Yield the hands of a part."""
    facts = [facts_of(board) for board in part.boards]
    notes = part.notes or ((),) * len(facts)
    rows = [(board, texts) for board, texts in zip(facts, notes, strict=True) if board.hands]
    if part.layout == "curtain":
        yield f'<div class="cards seats-{len(part.seats)}">'
        for board, _ in rows:
            yield from (_card(board, seat, level, points=part.points) for seat in part.seats)
        yield "</div>"
        return
    for index, seat in enumerate(part.seats):
        new = " new" if index and index % part.per_page == 0 else ""
        yield f'<section class="hands{new}{" slips" if part.layout == "slips" else ""}">'
        yield f"<h{level}>{seat.name.title()}</h{level}>"
        if part.layout == "slips":
            slips = min(8, max(5, -(-len(rows) // 4)))
            yield f'<div class="cards" style="--slips: {slips}">'
            yield from (_card(board, seat, level + 1, points=part.points) for board, _ in rows)
            yield "</div>"
        else:
            yield from _player_table(part, seat, rows)
        yield "</section>"


def _card(facts: BoardFacts, seat: Seat, level: int, *, points: bool) -> str:
    about = [dealing(facts, " · ")] if facts.dealer or facts.vulnerable else []
    about += [f"{facts.hands[seat].hcp} HCP"] if points else []
    line = f"<p>{' · '.join(about)}</p>" if about else ""
    title = escape(f"{facts.title} {seat.name.title()}")
    hand = hand_html(facts.hands[seat], "hand")
    return f'<article class="card"><h{level}>{title}</h{level}>{line}{hand}</article>'


def _player_table(
    part: Hands, seat: Seat, rows: list[tuple[BoardFacts, tuple[str, ...]]]
) -> Iterator[str]:
    """Yield the table of a player's hands, with a column to write in."""
    heads = ["Board", "Dealer", "Vul", *map(signs, Suit), *["HCP"] * part.points]
    cells = "".join(f'<th scope="col">{head}</th>' for head in heads)
    high = f"((6 * var(--row) - 15mm) / {part.per_page} - 20mm) / {max(1, len(rows))}"
    yield f'<table class="rows" style="--high: clamp(6mm, {high}, 22mm)">'
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


_STYLE = Path(__file__).with_name("pages.css")
_PAPERS = {"a4": ("A4", 297), "letter": ("letter", 279.4)}
"""The name of each paper in CSS, and its height in millimetres."""
_TOP, _HEADER, _BOTTOM = 9, 12.5, 12
_ROWS = 6
_ON_PAGE = {"records": 24, "large": 4, "single": 1}
_WIDE = 18
_FEW = 9
_PAGE_NUMBER = (
    '@bottom-center { content: "Page " counter(page) " of " counter(pages); white-space: nowrap; }'
)
_LONG_TITLE, _LONGEST_TITLE = 60, 120


def html_document(document: Document) -> str:
    """Return a document as one page of HTML.

    >>> page = html_document(Document("Club night", (Notes(("Welcome & good luck.",)),)))
    >>> page.splitlines()[0], "<p>Welcome &amp; good luck.</p>" in page
    ('<!DOCTYPE html>', True)
    """
    return "".join(html_lines(document))


def html_lines(document: Document) -> Iterator[str]:
    """Yield the lines of `html_document`, each with its end."""
    return (f"{line}\n" for line in _lines(document))


def _lines(document: Document) -> Iterator[str]:
    title = escape(document.title)
    code = qr_code(document.code)
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title or 'Boards'}</title>"
    yield f"<style>\n{_STYLE.read_text(encoding='utf-8')}{_page_style(document, code)}</style>"
    yield "</head>"
    yield "<body>"
    size = "longest" if len(title) > _LONGEST_TITLE else "long" if len(title) > _LONG_TITLE else ""
    yield f'<header class="{size}">' if size else "<header>"
    yield f"<h1>{title}</h1>"
    yield f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in document.lines)}</ul>"
    yield "</header>"
    yield "<main>"
    for index, part in enumerate(document.parts):
        yield from _part(part, is_first=index == 0)
    yield "</main>"
    if document.footer or code:
        picture = f'<div role="img" aria-label="QR code of this text">{code}</div>' if code else ""
        yield f"<footer><p>{escape(document.footer)}</p>{picture}</footer>"
    yield "</body>"
    yield "</html>"


def _page_style(document: Document, code: str) -> str:
    """Return the style of the paper: its size, its margins, and the texts in its margins."""
    paper, height = _PAPERS[document.paper]
    size = code_millimetres(document.code) if code else 0.0
    sized = code.replace("<svg ", f'<svg width="{size:.1f}mm" height="{size:.1f}mm" ', 1)
    picture = f'url("data:image/svg+xml,{quote(sized)}")' if code else '""'
    bottom = max(_BOTTOM, size + 4)
    row = (height - _TOP - bottom - _HEADER - 0.5) / _ROWS
    boxes = [
        f"@top-left {{ content: {_css_text(document.title)}; }}",
        f"@bottom-left {{ content: {_css_text(document.footer)}; text-align: left; }}",
        _PAGE_NUMBER,
        f"@bottom-right {{ content: {picture}; }}",
    ]
    listed = "\n  ".join(boxes)
    return (
        f"@page {{ size: {paper} portrait; margin: {_TOP}mm 9mm {bottom:.1f}mm;\n"
        f"  font: 7.5pt Helvetica, Arial, sans-serif;\n  {listed}\n}}\n"
        "@page :first { @top-left { content: none; } }\n"
        f":root {{ --row: {row:.2f}mm; }}\n"
    )


def _css_text(text: str) -> str:
    """Return a text as a string of CSS that is also safe inside HTML."""
    return '"' + "".join(c if c.isalnum() or c == " " else f"\\{ord(c):x} " for c in text) + '"'


def _part(part: Part, *, is_first: bool) -> Iterator[str]:
    names = [type(part).__name__.lower()]
    names += ["new"] * (part.starts_page and not is_first)
    if isinstance(part, Records):
        names = [part.layout, *names[1:], *["with-notes"] * bool(part.notes)]
    if isinstance(part, Notes):
        names += ["text", *["fixed"] * part.fixed]
    yield f'<section class="{" ".join(names)}">'
    if part.heading:
        yield f"<h2>{escape(part.heading)}</h2>"
    level = 3 if part.heading else 2
    if isinstance(part, Records):
        yield from _records(part, level)
    elif isinstance(part, Hands):
        yield from hands_html(part, level)
    elif isinstance(part, Table):
        yield from _table(part)
    elif isinstance(part, Notes):
        yield from (f"<p>{coloured(paragraph)}</p>" for paragraph in part.paragraphs)
    yield "</section>"


def _records(part: Records, level: int) -> Iterator[str]:
    """Yield the boards, in a grid for each page of paper."""
    notes: Sequence[tuple[str, ...]] = part.notes or ((),) * len(part.boards)
    boards = list(zip(part.boards, notes, strict=True))
    pages = max(1, ceil(len(boards) / _ON_PAGE[part.layout]))
    on_page = _ON_PAGE[part.layout]
    if part.layout == "records":
        on_page = len(boards) if part.notes else ceil(len(boards) / pages)
    wide = " wide" if on_page <= _WIDE or part.notes else ""
    wide = " wide few" if part.notes and on_page <= _FEW else wide
    for start in range(0, len(boards), on_page or 1):
        yield f'<div class="sheet{wide}">'
        for board, texts in boards[start : start + on_page]:
            yield from board_html(facts_of(board), level, solutions=part.solutions, notes=texts)
        yield "</div>"


def _table(part: Table) -> Iterator[str]:
    align = part.alignment
    heads = zip(align, part.heads, strict=True)
    yield '<table class="table">'
    if part.caption:
        yield f"<caption>{escape(part.caption)}</caption>"
    cells = (f'<th scope="col" class="{letter}">{coloured(head)}</th>' for letter, head in heads)
    yield f"<thead><tr>{''.join(cells)}</tr></thead>"
    yield "<tbody>"
    for first, *rest in part.rows:
        others = zip(align[1:], rest, strict=True)
        texts = "".join(f'<td class="{letter}">{coloured(cell)}</td>' for letter, cell in others)
        yield f'<tr><th scope="row" class="{align[0]}">{coloured(first)}</th>{texts}</tr>'
    yield "</tbody>"
    yield "</table>"
