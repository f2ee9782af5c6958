"""Richard's Bridge Notation, RBN and its inline form RBX: streams of bytes to boards and back.

    rbn = { record blank-line },  record = { label " " text newline }
    rbx = { record newline },     record = { label "{" text "}" }

Rule 1: a record is a mapping of labels; their meaning is below.
Rule 2: the first ten labels apply until they are repeated; an empty label ends that. The other
        labels apply to one record.
Rule 3: a digit is a note: of the auction, or of the play after a P in the record.
Rule 4: text that is no label is a problem, and the reader continues with the next line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import BinaryIO

from pavcodec.boards.board import Board, Context, Tag
from pavcodec.boards.play import (
    Auction,
    Call,
    auction_of_dealer,
    auction_tags,
    call_of,
    contract_of,
    contract_tags,
    passes_to_end,
    play_tag,
    played_cards,
    strain_of,
)
from pavcodec.cards import HAND_SIZE, SEAT_LETTERS, Seat
from pavcodec.errors import PavError
from pavcodec.files.text import lines
from pavcodec.formats.bbo.lin import layout_of_hands
from pavcodec.formats.bbo.lin_writer import Report, reporter
from pavcodec.formats.format import comments_of
from pavcodec.formats.pbn.writer import MANDATORY_TAGS
from pavcodec.formats.plain.texts import is_text, shorten
from pavcodec.layout import Layout
from pavcodec.layout.layout import describe_sizes

# The labels of Richard's Bridge Notation as PBN tags, and PBN tags as labels.
#
# Rule 1: `tags_of_label` and `label_of_board` are inverse for all that PBN can express.
# Rule 2: a label whose text would change in writing is also stored as text, in a tag such as RbnD;
#         the writer uses this text as long as it agrees with the other tags.


LABELS = "DTLEFSKNBHACPRMI"
"""The labels in the order in which they are written."""
CARRIED = LABELS[:10]
"""The labels that a record without them inherits from the record before."""
MOST_NOTES = 10
"""The most notes of an auction, with the labels 1 to 9 and 0."""
KEPT = "Rbn"
"""The prefix of the tags with the original text of a label."""

_SCORINGS = {
    "I": "IMP",
    "M": "MP",
    "B": "BAM",
    "R": "Rubber",
    "C": "Chicago",
    "A": "Cavendish",
    "N": "Instant",
}
_SCORING_LETTERS = {word: letter for letter, word in _SCORINGS.items()}
_PLAIN = {"L": "Site", "E": "Event", "S": "Stage"}
_TAGS = _PLAIN | {"B": "Board", "R": "Result"}
_VULNERABILITIES = {"Z": "None", "N": "NS", "E": "EW", "B": "All"}
_VULNERABILITY_LETTERS = {word: letter for letter, word in _VULNERABILITIES.items()}
_DATE = re.compile(r"(\d{4})(\d\d|\?\?)?(\d\d|\?\?)?\??")
_PBN_DATE = re.compile(r"(\d{4})\.(\d\d|\?\?)\.(\d\d|\?\?)")
_CONTRACT = re.compile(r"([1-7])(NT?|[SHDC])(XX|X|R|D)?:([NESW])", re.IGNORECASE)
_PBN_CONTRACT = re.compile(r"([1-7])(NT?|[SHDC])(XX|X)?")
_HANDS = re.compile(r"([NESW])((?:[:;][^:;]*){0,4})", re.IGNORECASE)
_DEALER = re.compile(r"([NESW])([ZNEB?])(?::|$)", re.IGNORECASE)
_CALL = re.compile(
    r"(?P<word>[1-7](?:NT?|[SHDC])|XX|X|D|R|P)|(?P<all>A)|(?P<end>Y)|(?P<note>\^\d)"
    r"|(?P<alert>\*)|(?P<mark>[!?]{1,2})|(?P<gap>[:\s])",
    re.IGNORECASE,
)
_CALL_LETTERS = {"Pass": "P", "XX": "R"}
_TRICK = re.compile(r"(?:([SHDC]?)(10|[AKQJT2-9]))", re.IGNORECASE)
_SAID_OF_CARDS = re.compile(r"[!?]+|\^[0-9]")
_UNKNOWN = ("", "?")


def tags_of_label(label: str, value: str) -> dict[str, str]:
    """Return the tags of a label that has only tags, without empty tags.

    >>> tags_of_label("N", "Wolff+Hamman:Stansby+Martel:O")
    {'North': 'Wolff', 'South': 'Hamman', 'West': 'Stansby', 'East': 'Martel', 'Room': 'Open'}
    """
    tags: dict[str, str] = {}
    if label in _PLAIN:
        tags = {_PLAIN[label]: value}
    elif label == "D" and (date := _DATE.fullmatch(value)):
        tags = {"Date": ".".join(part or "??" for part in date.groups())}
    elif label == "F":
        form, *details = value.split(":")
        tags = {"Scoring": ";".join([_SCORINGS.get(form, form), *details])}
    elif label == "K":
        tags = dict(zip(("HomeTeam", "VisitTeam"), value.split(":"), strict=False))
    elif label == "N":
        tags = _names(value)
    elif label == "B":
        tags = {"Board": value.partition(":")[0]}
    elif label == "C":
        tags = _contract(value)
    elif label == "R" and (tricks := re.match(r"(\d|1[0-3])(?!\d)", value)):
        tags = {"Result": tricks[1]}
    return {name: text for name, text in tags.items() if text or (label == "C" and tags)}


def _names(value: str) -> dict[str, str]:
    """Return players and room: North+South:West+East:room."""
    sides = [*value.split(":"), "", ""]
    north, _, south = sides[0].partition("+")
    west, _, east = sides[1].partition("+")
    tags = {"North": north, "South": south, "West": west, "East": east}
    if sides[2] in ("O", "C"):
        tags["Room"] = "Open" if sides[2] == "O" else "Closed"
    elif sides[2]:
        tags["Table"] = sides[2]
    return tags


def _contract(value: str) -> dict[str, str]:
    """Return contract and declarer of `4SX:W`."""
    contract = _CONTRACT.match(value.upper())
    if not contract:
        return {"Declarer": "", "Contract": "Pass"} if value.upper() in ("P", "PASS") else {}
    doubled = {"D": "X", "R": "XX"}.get(contract[3], contract[3] or "")
    strain = "NT" if contract[2][0] == "N" else contract[2]
    return {"Declarer": contract[4], "Contract": f"{contract[1]}{strain}{doubled}"}


def simple_label(label: str, tags: Mapping[str, str]) -> str:
    """Return a label that has only tags; empty where these are unknown.

    >>> simple_label("C", {"Contract": "3NTX", "Declarer": "S"}), simple_label("E", {"Event": "?"})
    ('3NX:S', '')
    """
    known = {name: value for name, value in tags.items() if value not in _UNKNOWN}
    if label in _TAGS:
        return known.get(_TAGS[label], "")
    return _MAKERS[label](known)


def _date_label(tags: Mapping[str, str]) -> str:
    date = _PBN_DATE.fullmatch(tags.get("Date", ""))
    return "".join(date.groups()).rstrip("?") if date else ""


def _scoring_label(tags: Mapping[str, str]) -> str:
    form, *details = tags.get("Scoring", "").split(";")
    return ":".join([_SCORING_LETTERS.get(form, form), *details])


def _teams_label(tags: Mapping[str, str]) -> str:
    return f"{tags.get('HomeTeam', '')}:{tags.get('VisitTeam', '')}".rstrip(":")


def _names_label(tags: Mapping[str, str]) -> str:
    north, south, west, east = (tags.get(s, "") for s in ("North", "South", "West", "East"))
    room = {"Open": "O", "Closed": "C"}.get(tags.get("Room", ""), tags.get("Table", ""))
    sides = (f"{north}+{south}".rstrip("+"), f"{west}+{east}".rstrip("+"), room)
    return ":".join(sides).rstrip(":")


def _contract_label(tags: Mapping[str, str]) -> str:
    contract = _PBN_CONTRACT.fullmatch(tags.get("Contract", "").upper())
    declarer = tags.get("Declarer", "").upper()
    if not contract or declarer not in tuple(SEAT_LETTERS):
        return ""
    return f"{contract[1]}{contract[2][0]}{(contract[3] or '').replace('XX', 'R')}:{declarer}"


_MAKERS = {
    "D": _date_label,
    "F": _scoring_label,
    "K": _teams_label,
    "N": _names_label,
    "C": _contract_label,
}
"""The functions that make the labels of several tags."""


def hands_of_label(value: str) -> tuple[dict[Seat, str], str]:
    """Return the hands of an H label in PBN's notation, and the letters of those that are hidden.

    A hand is hidden if `;` is before it in place of the colon. A hand that ends early lacks the
    suits after it, so that single suits can be given. Raises `PavError`.
    """
    label = _HANDS.fullmatch("".join(value.split()))
    if label is None:
        raise PavError("hands are a seat N E S W and a colon before each hand, at most 4")
    seat = SEAT_LETTERS.index(label[1].upper())
    hands: dict[Seat, str] = {}
    hidden = ""
    for mark, text in re.findall(r"([:;])([^:;]*)", label[2]):
        suits = text.upper().replace("10", "T").split(".")
        if len(suits) > 4:
            raise PavError(f"a hand has 4 suits S.H.D.C between dots, not {len(suits)} in {text!r}")
        hands[Seat(seat)] = ".".join([*suits, *[""] * (4 - len(suits))])
        hidden += SEAT_LETTERS[seat] if mark == ";" else ""
        seat = (seat + 1) % 4
    return hands, "".join(sorted(hidden, key=SEAT_LETTERS.index))


def hands_label(layout: Layout, hidden: str) -> str:
    """Return the H label of a layout; the fourth hand of a deal is left out.

    It begins with West, or with the next seat that has cards.

    >>> hands_label(Layout.from_pbn("N:AK... - .32.4. -"), "S")
    'N:AK:;.32.4'
    """
    around = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
    shown_at_all = (seat for seat in around if layout.sizes[seat] or seat.letter in hidden)
    first = next(shown_at_all, Seat.WEST)
    hands = layout.to_pbn(first=first)[2:].split(" ")
    shown = ["" if hand == "-" else hand.rstrip(".") for hand in hands]
    if layout.is_deal:
        shown = [*hands[:3], ""]
    parts = []
    for position, hand in enumerate(shown):
        seat = SEAT_LETTERS[(first + position) % 4]
        parts.append((";" if seat in hidden else ":") + hand)
    while not layout.is_deal and len(parts) > 1 and parts[-1] == ":":
        del parts[-1]
    return first.letter + "".join(parts)


def read_auction(value: str, notes: Mapping[str, str]) -> tuple[dict[str, str], Auction]:
    """Return dealer and vulnerability, as tags, and the auction; raise `PavError`."""
    text = value.strip()
    dealer_and_side = _DEALER.match(text)
    tags, dealer = {}, Seat.WEST  # the rule of version 3.2 for an auction without dealer
    if dealer_and_side:
        dealer = Seat.parse(dealer_and_side[1])
        tags["Dealer"] = dealer.letter
        if word := _VULNERABILITIES.get(dealer_and_side[2].upper()):
            tags["Vulnerable"] = word
        text = text[dealer_and_side.end() :]
    calls: list[Call] = []
    offset = 0
    while offset < len(text):
        token = _CALL.match(text, offset)
        if token is None or (token.lastgroup in ("note", "alert", "mark") and not calls):
            raise PavError(f"expected a call at {text[offset : offset + 8]!r} in the auction")
        offset = token.end()
        if token.lastgroup == "end":
            break
        _add_call(calls, token, notes)
        if token.lastgroup == "all" and text[offset:].strip():
            raise PavError(f"nothing follows A, all pass, in an auction, not {text[offset:]!r}")
    return tags, Auction(dealer, tuple(calls))


def _add_call(calls: list[Call], token: re.Match[str], notes: Mapping[str, str]) -> None:
    """Add a token: a call, passes to the end, or a mark of the last call."""
    kind, text = token.lastgroup, token[0]
    if kind == "word":
        calls.append(Call(call_of(text) or ""))
    elif kind == "all":
        calls += passes_to_end(calls)
    elif kind in ("note", "alert", "mark"):
        last = calls[-1]
        alert = last.alert or kind == "alert"
        note = notes.get(text[1:], "") if kind == "note" else last.note
        calls[-1] = Call(last.word, alert, note, text if kind == "mark" else last.mark)


def auction_label(auction: Auction | None, board: Board, notes: dict[str, str]) -> str:
    """Return the A label; the texts of at most `MOST_NOTES` notes are put under their numbers."""
    dealer = auction.dealer if auction else board.dealer
    vulnerable = board.vulnerable
    if dealer is None:
        return ""
    word = "" if vulnerable is None else vulnerable.value
    start = f"{dealer.letter}{_VULNERABILITY_LETTERS.get(word, '?')}:"
    calls = list(auction.calls) if auction else []
    ending = 3 if any(call.word != "Pass" for call in calls) else 4
    shown = calls[:-ending] if all(call == Call("Pass") for call in calls[-ending:]) else calls
    is_over = len(shown) < len(calls) and shown + passes_to_end(shown) == calls
    shown = shown if is_over else calls
    numbers: dict[str, str] = {}
    words = []
    for call in shown:
        words.append(_CALL_LETTERS.get(call.word, call.word[:2]))
        words[-1] += "*" if call.alert else ""
        if call.note:
            words[-1] += f"^{numbers.setdefault(call.note, str((len(numbers) + 1) % MOST_NOTES))}"
        words[-1] += call.mark
    notes |= {number: text for text, number in numbers.items()}
    words += ["A"] if is_over else []
    return start + ":".join("".join(words[n : n + 4]) for n in range(0, len(words), 4))


def read_play(value: str) -> list[str]:
    """Return the cards of a P label in the order of play; cards without a suit follow the lead.

    The marks of cards, `!`, `?` and notes such as `^1`, are left out.

    >>> read_play("SK2A4:H52")
    ['SK', 'S2', 'SA', 'S4', 'H5', 'H2']
    """
    cards = []
    for trick in re.split("[:;]", value.strip()):
        text = _SAID_OF_CARDS.sub("", "".join(trick.split()).upper())
        fallen = list(_TRICK.finditer(text))
        if "".join(card[0] for card in fallen) != text or len(fallen) > 4:
            raise PavError(f"a trick is up to 4 cards such as SK2A4, not {trick!r}")
        if fallen and not fallen[0][1]:
            raise PavError(f"a trick begins with a suit, not {trick!r}")
        cards += [(card[1] or text[0]) + card[2].replace("10", "T") for card in fallen]
    return cards


def play_label(cards: list[str]) -> str:
    """Return the P label of cards in the order they fell."""
    tricks = []
    for start in range(0, len(cards), 4):
        led = cards[start][0]
        rest = cards[start + 1 : start + 4]
        tricks.append(cards[start] + "".join(c[1] if c[0] == led else c for c in rest))
    return ":".join(tricks)


# Records of Richard's Bridge Notation as boards, and boards as records.
#
# A record is a mapping from labels to texts. The notes of the auction have their digits as labels,
# those of the play the digits after a `P`, and free text has the label `{`.


FREE_TEXT = "{"
_SIMPLE = "DLEFSKNBCR"
_WITHOUT_TAGS = "TMI"
_NOTES = tuple(f"{section}{digit}" for section in ("", "P") for digit in range(10))
_BRACES = re.compile("[{}]")
_BROKEN = re.compile(r"[\x00-\x1f]")


def board_of_record(record: Mapping[str, str], complain: Report, line: int | None = None) -> Board:
    """Return the board of a record; report wrong labels, and store their text unchanged."""
    layout, hidden = _cards(record, complain)
    tags: dict[str, str] = {}
    for label in _SIMPLE:
        tags |= tags_of_label(label, record.get(label, ""))
    auction = None
    if record.get("A"):
        try:
            dealer_tags, auction = read_auction(record["A"], record)
            tags |= dealer_tags
        except PavError as error:
            complain(str(error))
    contract = contract_of(auction) if auction and auction.calls else None
    if contract is not None and "Contract" not in tags:
        tags |= contract_tags(contract)
    if hidden:
        tags["Hidden"] = hidden
    entries = [Tag("", "", tuple(record[FREE_TEXT].split("\n")))] if FREE_TEXT in record else []
    order = [name for name in MANDATORY_TAGS if name in tags]
    entries += [Tag(name, tags[name]) for name in dict.fromkeys([*order, *tags])]
    if auction is not None and auction.calls:
        entries += auction_tags(auction)
    strain = contract.strain if contract else strain_of(tags.get("Contract", ""))
    if play := _play(record, layout, strain, complain):
        entries.append(play)
    entries += _kept(record, Board(layout, tuple(entries)))
    return Board(layout, tuple(entries), line=line)


def _cards(record: Mapping[str, str], complain: Report) -> tuple[Layout | None, str]:
    """Return the cards of a record and the seats whose hands are hidden."""
    if not record.get("H"):
        return None, ""
    try:
        hands, hidden = hands_of_label(record["H"])
        layout = layout_of_hands(hands)
        given = [hand for hand in hands.values() if hand != "..."]
        if len(given) == 3 and (len(hands) == 3 or list(hands.values())[-1] != "..."):
            # there is no colon after three full hands: nobody holds the rest
            by_seat = (hands.get(Seat(seat), "...") for seat in range(4))
            text = " ".join("-" if hand == "..." else hand for hand in by_seat)
            layout = Layout.from_pbn(f"N:{text}")
    except PavError as error:
        complain(f"{error}: {record['H']!r}")
        return None, ""
    return layout, hidden


def _play(
    record: Mapping[str, str], layout: Layout | None, strain: str, complain: Report
) -> Tag | None:
    """Return the Play section of a record; None if its cards do not fit the hands."""
    if not record.get("P"):
        return None
    try:
        return play_tag(layout, read_play(record["P"]), strain)
    except PavError as error:
        complain(str(error))
        return None


def _kept(record: Mapping[str, str], board: Board) -> list[Tag]:
    """Return the tags with the original text of labels that PBN expresses differently."""
    written = record_of_board(board, lambda _: None)
    differing = [
        label
        for label in (*LABELS, *_NOTES)
        if record.get(label) and record[label] != written.get(label, "")
    ]
    if board.layout is not None:
        differing = [label for label in differing if label != "H"]  # the same cards, from West on
    if any(label == "A" or label.isdigit() for label in differing):
        notes = [label for label in record if label.isdigit()]
        differing = list(dict.fromkeys([*differing, *(["A"] if record.get("A") else []), *notes]))
    return [Tag(KEPT + label, record[label]) for label in differing]


def record_of_board(board: Board, complain: Report) -> dict[str, str]:
    """Return the record of a board; report the parts that do not fit, and leave them out."""
    tags = board.tags
    record = {label: _in_line(simple_label(label, tags), label, complain) for label in _SIMPLE}
    if board.layout is not None:
        if max(board.layout.sizes) > HAND_SIZE:
            sizes = describe_sizes(board.layout)
            raise PavError(f"in RBN a hand has at most {HAND_SIZE} cards; {sizes}")
        hidden = tags.get("Hidden", "")
        record["H"] = hands_label(board.layout, hidden)
    auction = _auction(board, record, complain)
    contract = contract_of(auction) if auction else None
    if contract is None and not record["C"]:
        record["C"] = _lone_contract(tags, complain)
    strain = contract.strain if contract else strain_of(tags.get("Contract", ""))
    try:
        record["P"] = play_label(played_cards(board, strain))
    except PavError as error:
        complain(f"the play is left out: {error}")
    _put_back(board, auction, record)
    record[FREE_TEXT] = _free_text(board)
    return {label: text for label, text in record.items() if text}


def _free_text(board: Board) -> str:
    """Return the comments of a board: those before its tags unchanged, then all others."""
    leading = tuple(tag for tag in board.entries if not tag.name)
    text = "\n".join(line for tag in leading for line in tag.lines)
    if not re.fullmatch(r"(?:\{[^{}]*\}\s*)+", text) or re.search(r"\n\s*\n", text):
        text = _in_braces(leading)
    others = _in_braces(tuple(tag for tag in board.entries if tag.name))
    return "\n".join(filter(None, (text.rstrip("\n") if others else text, others)))


def _in_braces(entries: tuple[Tag, ...]) -> str:
    """Return the comments of some tags, a line each, without those that have braces."""
    texts = comments_of(Board(None, entries))
    return "\n".join(f"{{{text}}}" for text in texts if not _BRACES.search(text))


def _lone_contract(tags: Mapping[str, str], complain: Report) -> str:
    """Return the label of a passed-out board without an auction; report other contracts."""
    contract, declarer = tags.get("Contract", ""), tags.get("Declarer", "")
    if contract.upper() == "PASS":
        return "P"
    if contract not in ("", "?", "-"):
        shown = f"{contract!r} by {declarer!r}"
        complain(f"the contract is left out: RBN has one such as 4SX by N, not {shown}")
    return ""


def _in_line(text: str, label: str, complain: Report) -> str:
    """Return a text in one line; empty, with a complaint, if RBN cannot hold it."""
    tidy = " ".join(text.split())
    if _BROKEN.search(tidy):
        complain(f"the label {label} is left out: {tidy!r} is no text")
        return ""
    return tidy


def _auction(board: Board, record: dict[str, str], complain: Report) -> Auction | None:
    """Add the auction and its notes to a record."""
    auction = None
    try:
        auction = auction_of_dealer(board)
        notes: dict[str, str] = {}
        if auction is not None or board.tags.keys() & {"Dealer", "Vulnerable"}:
            written = None if auction is None else _with_few_notes(auction, complain)
            record["A"] = auction_label(written, board, notes)
        record |= {number: _in_line(text, number, complain) for number, text in notes.items()}
    except PavError as error:
        complain(f"the auction is left out: {error}")
        record["A"] = auction_label(None, board, {})
        return None
    return auction


def _with_few_notes(auction: Auction, complain: Report) -> Auction:
    """Return an auction with as many notes as RBN has; report the number of the others."""
    notes = list(dict.fromkeys(call.note for call in auction.calls if call.note))
    if len(notes) <= MOST_NOTES:
        return auction
    complain(f"the auction has {len(notes)} notes; RBN has {MOST_NOTES}: the others are left out")
    calls = (
        replace(call, note="") if call.note in notes[MOST_NOTES:] else call
        for call in auction.calls
    )
    return Auction(auction.dealer, tuple(calls))


def _put_back(board: Board, auction: Auction | None, record: dict[str, str]) -> None:
    """Replace labels made from tags by their original texts, where these have the same meaning."""
    tags = board.tags
    kept = {
        tag.name.removeprefix(KEPT): tag.value
        for tag in board.entries
        if tag.name.startswith(KEPT) and not _BROKEN.search(tag.value)
    }
    notes = {label: text for label, text in kept.items() if label in _NOTES}
    for label, text in kept.items():
        if label in _WITHOUT_TAGS and len(label) == 1:
            record[label] = text
        elif len(label) == 1 and label in _SIMPLE:
            label_tags = tags_of_label(label, text)
            if all(tags.get(name, "") == value for name, value in label_tags.items()):
                record[label] = text
        elif label == "P" and _same_cards(text, record.get("P", "")):
            record["P"] = text
    if "A" in kept and _same_auction(kept["A"], notes, board, auction):
        for digit in range(10):
            record.pop(str(digit), None)
        record["A"] = kept["A"]
        record |= notes
    else:
        for label, text in notes.items():
            record.setdefault(label, text)


def _same_cards(kept: str, written: str) -> bool:
    """Return whether the original text of a P label still agrees with the Play section."""
    try:
        return not written or read_play(kept) == read_play(written)
    except PavError:
        return not written


def _same_auction(
    kept: str, notes: Mapping[str, str], board: Board, auction: Auction | None
) -> bool:
    """Return whether the original text of an A label still agrees with the Auction section."""
    try:
        dealer_tags, read = read_auction(kept, notes)
    except PavError:
        return auction is None
    if any(board.tags.get(name) != value for name, value in dealer_tags.items()):
        return False
    if auction is None:
        return not read.calls
    return read == auction


Labels = list[tuple[int, str, str]]
"""The lines of a record: line number, label, text."""

_LINE = re.compile(rf"([{LABELS}0-9])(?:[ \t]+(.*))?")
_FIELD = re.compile(rf"\s*([{LABELS}0-9%]?)\{{([^{{}}]*)\}}")
_HEADER = "% RBN\n"
_RBX_HEADER = "%{RBX}\n"
_WRITTEN = (*CARRIED, "A", *_NOTES[:10], "C", "P", *_NOTES[10:], "R", "M", "I")
"""The labels in the order in which they are written: notes follow what they are of."""


def read_rbn(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield the boards of an RBN stream; report problems and read on."""
    reader = _Reader(context)
    held: Labels = []
    paragraph: list[str] = []
    opened = 0
    for number, line in lines(stream):
        if not is_text(line):
            context.problem(number, "this is not text: expected lines such as 'H N:AKQ...'")
            break
        text = line.strip()
        if paragraph or text.startswith("{"):
            opened = opened if paragraph else number
            if text:
                paragraph.append(text)
            if text.endswith("}"):
                held.append((opened, FREE_TEXT, "\n".join(paragraph)))
                paragraph = []
            if text:
                continue
            context.problem(opened, "the free text opened by '{' here is not closed")
            paragraph = []
        if not text:
            yield from reader.record(held)
            held = []
        elif label := _LINE.fullmatch(text):
            held.append((number, label[1], (label[2] or "").strip()))
        elif not text.startswith("%"):
            reason = f"expected a label and its text, as in 'B 7', not {shorten(text)}"
            context.problem(number, reason)
    if paragraph:
        context.problem(opened, "the free text opened by '{' here is not closed")
    yield from reader.record(held)


def read_rbx(stream: BinaryIO, context: Context) -> Iterator[Board]:
    """Yield the boards of an RBX stream, one a line; problems are reported."""
    reader = _Reader(context)
    for number, line in lines(stream):
        if not is_text(line):
            context.problem(number, "this is not text: expected records such as 'H{N:AKQ...}'")
            break
        held: Labels = []
        offset = 0
        text = line.strip()
        while offset < len(text):
            field = _FIELD.match(text, offset)
            if field is None:
                reason = f"expected a label and its text, as in 'B{{7}}': {shorten(text[offset:])}"
                context.problem(number, reason)
                following = re.compile(rf"[{LABELS}0-9]\{{").search(text, offset + 1)
                offset = following.start() if following else len(text)
                continue
            offset = field.end()
            if not field[1]:
                held.append((number, FREE_TEXT, f"{{{field[2]}}}"))
            elif field[1] != "%":
                held.append((number, field[1], field[2].strip()))
        yield from reader.record(held)


class _Reader:
    """Makes boards of records; remembers the labels that hold."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._standing: dict[str, str] = {}

    def record(self, held: Labels) -> Iterator[Board]:
        """Yield the board of a record, if it has one."""
        own: dict[str, str] = {}
        line = held[0][0] if held else 0
        for number, label, text in held:
            if label == "H":
                line = number
            name = f"P{label}" if label.isdigit() and "P" in own else label
            if label == FREE_TEXT:
                own[FREE_TEXT] = "\n".join(filter(None, (own.get(FREE_TEXT), text)))
            elif name in own:
                reason = f"the label {label} comes twice in a record: {shorten(text)}"
                self._context.problem(number, reason, own.get("B"))
            else:
                own[name] = text
        self._standing |= {label: text for label, text in own.items() if label in CARRIED}
        record = {label: text for label, text in (self._standing | own).items() if text}
        if not held or not ("H" in record or set(own) & set("ACPRM")):
            return

        def complain(reason: str) -> None:
            self._context.problem(line, reason, record.get("B"))

        board = board_of_record(record, complain, line)
        if board.layout is None:
            self._standing.pop("H", None)
        yield board


def write_rbn(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a record for each board that has cards, and return how many were written."""
    written = 0
    for record in _records(boards, context):
        parts = [_HEADER] if not written else ["\n"]
        if FREE_TEXT in record:
            parts.append(record[FREE_TEXT] + "\n")
        parts += [f"{label[-1]} {record[label]}\n" for label in _WRITTEN if label in record]
        stream.write("".join(parts).encode())
        written += 1
    return written


def write_rbx(boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
    """Write a line for each board that has cards, and return how many were written."""
    written = 0
    for record in _records(boards, context, forbidden="{}"):
        parts = [] if written else [_RBX_HEADER]
        parts.append(" ".join(record.get(FREE_TEXT, "").split()))
        parts += [f"{label[-1]}{{{record[label]}}}" for label in _WRITTEN if label in record]
        stream.write(("".join(parts) + "\n").encode())
        written += 1
    return written


def _records(
    boards: Iterable[Board], context: Context, forbidden: str = ""
) -> Iterator[dict[str, str]]:
    """Yield the records of boards, without the labels that the previous record repeats."""
    standing: dict[str, str] = {}
    for board in boards:
        if board.layout is None:
            continue
        complain = reporter(board, context)
        try:
            record = record_of_board(board, complain)
        except PavError as error:
            complain(f"{error}: '{board.layout}'")
            continue
        for label, text in list(record.items()):
            if label != FREE_TEXT and any(letter in text for letter in forbidden):
                complain(f"the label {label} is left out: RBX has no braces in it: {text!r}")
                del record[label]
        ended = {label: "" for label in standing if label not in record}
        same = [label for label in standing if record.get(label) == standing[label]]
        standing = {label: record[label] for label in CARRIED if label in record}
        shown = {label: text for label, text in record.items() if label not in same}
        yield shown | ended or {"H": record["H"]}
