"""Records of Richard's Bridge Notation as boards, and boards as records.

A record is a mapping from labels to texts. The notes of the auction have their digits as labels,
those of the play the digits after a `P`, and free text has the label `{`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from pavcodec.boards.auction import (
    Auction,
    auction_of_dealer,
    auction_tags,
    contract_of,
    contract_tags,
)
from pavcodec.boards.board import Board, Tag
from pavcodec.boards.play import play_tag, played_cards, strain_of
from pavcodec.cards import HAND_SIZE, Seat
from pavcodec.errors import PavError
from pavcodec.formats.bbo.lin_hands import layout_of_hands
from pavcodec.formats.parts import comments_of
from pavcodec.formats.pbn.writer import MANDATORY_TAGS
from pavcodec.formats.rbn.labels import (
    KEPT,
    LABELS,
    MOST_NOTES,
    auction_label,
    hands_label,
    hands_of_label,
    play_label,
    read_auction,
    read_play,
    simple_label,
    tags_of_label,
)
from pavcodec.layout import Layout
from pavcodec.layout.layout import describe_sizes

__all__ = ["FREE_TEXT", "board_of_record", "record_of_board"]

FREE_TEXT = "{"
_SIMPLE = "DLEFSKNBCR"
_WITHOUT_TAGS = "TMI"
_NOTES = tuple(f"{section}{digit}" for section in ("", "P") for digit in range(10))
_BRACES = re.compile("[{}]")
_BROKEN = re.compile(r"[\x00-\x1f]")

Complain = Callable[[str], None]
"""Receives the reason why a part is left out."""


def board_of_record(
    record: Mapping[str, str], complain: Complain, line: int | None = None
) -> Board:
    """Return the board of a record; report wrong labels, and store their text unchanged."""
    layout, hidden = _cards(record, complain)
    tags: dict[str, str] = {}
    for label in _SIMPLE:
        tags |= tags_of_label(label, record.get(label, ""))
    auction = None
    if record.get("A"):
        try:
            told, auction = read_auction(record["A"], record)
            tags |= told
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


def _cards(record: Mapping[str, str], complain: Complain) -> tuple[Layout | None, str]:
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
    record: Mapping[str, str], layout: Layout | None, strain: str, complain: Complain
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


def record_of_board(board: Board, complain: Complain) -> dict[str, str]:
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


def _lone_contract(tags: Mapping[str, str], complain: Complain) -> str:
    """Return the label of a passed-out board without an auction; report other contracts."""
    contract, declarer = tags.get("Contract", ""), tags.get("Declarer", "")
    if contract.upper() == "PASS":
        return "P"
    if contract not in ("", "?", "-"):
        told = f"{contract!r} by {declarer!r}"
        complain(f"the contract is left out: RBN has one such as 4SX by N, not {told}")
    return ""


def _in_line(text: str, label: str, complain: Complain) -> str:
    """Return a text in one line; empty, with a complaint, if RBN cannot hold it."""
    tidy = " ".join(text.split())
    if _BROKEN.search(tidy):
        complain(f"the label {label} is left out: {tidy!r} is no text")
        return ""
    return tidy


def _auction(board: Board, record: dict[str, str], complain: Complain) -> Auction | None:
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


def _with_few_notes(auction: Auction, complain: Complain) -> Auction:
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
            told = tags_of_label(label, text)
            if all(tags.get(name, "") == value for name, value in told.items()):
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
        told, read = read_auction(kept, notes)
    except PavError:
        return auction is None
    if any(board.tags.get(name) != value for name, value in told.items()):
        return False
    if auction is None:
        return not read.calls
    return read == auction
