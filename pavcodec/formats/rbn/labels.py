"""The labels of Richard's Bridge Notation as PBN tags, and PBN tags as labels.

Rule 1: `tags_of_label` and `label_of_board` are inverse for all that PBN can express.
Rule 2: a label whose text would change in writing is also stored as text, in a tag such as RbnD;
        the writer uses this text as long as it agrees with the other tags.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pavcodec.boards.auction import Auction, Call, call_of, passes_to_end
from pavcodec.boards.board import Board
from pavcodec.cards import SEAT_LETTERS, Seat
from pavcodec.errors import PavError
from pavcodec.layout import Layout

__all__ = [
    "CARRIED",
    "KEPT",
    "LABELS",
    "MOST_NOTES",
    "auction_label",
    "hands_label",
    "hands_of_label",
    "play_label",
    "read_auction",
    "read_play",
    "simple_label",
    "tags_of_label",
]

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
    elif label == "R" and (found := re.match(r"(\d|1[0-3])(?!\d)", value)):
        tags = {"Result": found[1]}
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
    found = _CONTRACT.match(value.upper())
    if not found:
        return {"Declarer": "", "Contract": "Pass"} if value.upper() in ("P", "PASS") else {}
    doubled = {"D": "X", "R": "XX"}.get(found[3], found[3] or "")
    strain = "NT" if found[2][0] == "N" else found[2]
    return {"Declarer": found[4], "Contract": f"{found[1]}{strain}{doubled}"}


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
    return ":".join((tags.get("HomeTeam", ""), tags.get("VisitTeam", ""))).rstrip(":")


def _names_label(tags: Mapping[str, str]) -> str:
    north, south, west, east = (tags.get(s, "") for s in ("North", "South", "West", "East"))
    room = {"Open": "O", "Closed": "C"}.get(tags.get("Room", ""), tags.get("Table", ""))
    sides = (f"{north}+{south}".rstrip("+"), f"{west}+{east}".rstrip("+"), room)
    return ":".join(sides).rstrip(":")


def _contract_label(tags: Mapping[str, str]) -> str:
    found = _PBN_CONTRACT.fullmatch(tags.get("Contract", "").upper())
    declarer = tags.get("Declarer", "").upper()
    if not found or declarer not in tuple(SEAT_LETTERS):
        return ""
    return f"{found[1]}{found[2][0]}{(found[3] or '').replace('XX', 'R')}:{declarer}"


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
    found = _HANDS.fullmatch("".join(value.split()))
    if found is None:
        raise PavError("hands are a seat N E S W and a colon before each hand, at most 4")
    seat = SEAT_LETTERS.index(found[1].upper())
    hands: dict[Seat, str] = {}
    hidden = ""
    for mark, text in re.findall(r"([:;])([^:;]*)", found[2]):
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
    for place, hand in enumerate(shown):
        seat = SEAT_LETTERS[(first + place) % 4]
        parts.append((";" if seat in hidden else ":") + hand)
    while not layout.is_deal and len(parts) > 1 and parts[-1] == ":":
        del parts[-1]
    return first.letter + "".join(parts)


def read_auction(value: str, notes: Mapping[str, str]) -> tuple[dict[str, str], Auction]:
    """Return dealer and vulnerability, as tags, and the auction; raise `PavError`."""
    text = value.strip()
    found = _DEALER.match(text)
    tags, dealer = {}, Seat.WEST  # the rule of version 3.2 for an auction without dealer
    if found:
        dealer = Seat.parse(found[1])
        tags["Dealer"] = dealer.letter
        if word := _VULNERABILITIES.get(found[2].upper()):
            tags["Vulnerable"] = word
        text = text[found.end() :]
    calls: list[Call] = []
    place = 0
    while place < len(text):
        token = _CALL.match(text, place)
        if token is None or (token.lastgroup in ("note", "alert", "mark") and not calls):
            raise PavError(f"expected a call at {text[place : place + 8]!r} in the auction")
        place = token.end()
        if token.lastgroup == "end":
            break
        _add_call(calls, token, notes)
        if token.lastgroup == "all" and text[place:].strip():
            raise PavError(f"nothing follows A, all pass, in an auction, not {text[place:]!r}")
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
        words.append(call.word[:2] if call.word[0].isdigit() else _call_letter(call.word))
        words[-1] += "*" if call.alert else ""
        if call.note:
            words[-1] += f"^{numbers.setdefault(call.note, str((len(numbers) + 1) % MOST_NOTES))}"
        words[-1] += call.mark
    notes |= {number: text for text, number in numbers.items()}
    words += ["A"] if is_over else []
    return start + ":".join("".join(words[n : n + 4]) for n in range(0, len(words), 4))


def _call_letter(word: str) -> str:
    return {"Pass": "P", "X": "X", "XX": "R"}[word]


def read_play(value: str) -> list[str]:
    """Return the cards of a P label in the order of play; cards without a suit follow the lead.

    The marks of cards, `!`, `?` and notes such as `^1`, are left out.

    >>> read_play("SK2A4:H52")
    ['SK', 'S2', 'SA', 'S4', 'H5', 'H2']
    """
    cards = []
    for trick in re.split("[:;]", value.strip()):
        text = _SAID_OF_CARDS.sub("", "".join(trick.split()).upper())
        found = list(_TRICK.finditer(text))
        if "".join(card[0] for card in found) != text or len(found) > 4:
            raise PavError(f"a trick is up to 4 cards such as SK2A4, not {trick!r}")
        if found and not found[0][1]:
            raise PavError(f"a trick begins with a suit, not {trick!r}")
        cards += [(card[1] or text[0]) + card[2].replace("10", "T") for card in found]
    return cards


def play_label(cards: list[str]) -> str:
    """Return the P label of cards in the order they fell."""
    tricks = []
    for start in range(0, len(cards), 4):
        led = cards[start][0]
        rest = cards[start + 1 : start + 4]
        tricks.append(cards[start] + "".join(c[1] if c[0] == led else c for c in rest))
    return ":".join(tricks)
