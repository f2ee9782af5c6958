"""The parts of a board that a format keeps or loses, by name.

A part in small letters is made from several tags or from the lines of a section; every other part
is a tag of this name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pavcodec.boards.auction import Auction, auction_of, contract_of, notes_of, remarks_cut
from pavcodec.boards.board import Board, Tag
from pavcodec.boards.play import CARDS, play_tag, played_cards, strain_of
from pavcodec.boards.tricks import TRICK_TAGS
from pavcodec.errors import PavError

__all__ = [
    "COMMENT",
    "COMMENTS_TAGS",
    "KEPT_AS",
    "OF_PARTS",
    "comments_of",
    "contract_and_result",
    "contract_without_auction",
    "is_unknown",
    "parts_of",
    "play_of_other_hands",
    "result_in_words",
]

KEPT_AS = {
    "number": "Board",
    "dealer": "Dealer",
    "vulnerability": "Vulnerable",
    "contract": "Contract",
    "result": "Result",
    "auction": "Auction",
    "play": "Play",
    "tricks": TRICK_TAGS[0],
}
"""The parts that a format keeps if it keeps a tag."""

COMMENTS_TAGS = ("LinComments",)
"""Tags whose values are comments, each behind the number of calls and cards before it."""

_UNKNOWN = ("", "?", "-")
_CARDS = frozenset(CARDS)
OF_PARTS = {"Deal", "Board", "Dealer", "Vulnerable", "Contract", "Declarer", "Result"} | {
    "Auction", "Play", "Note", *TRICK_TAGS, *COMMENTS_TAGS,
}  # fmt: skip
"""The tags whose values belong to other parts than a part of their own name."""
COMMENT = re.compile(r"^%[^\n]*|\{([^}]*)\}|;([^\n]*)", re.MULTILINE)
"""A comment, its text in one of the groups, or a line that begins with `%`."""
_AT_CARD = re.compile(r"=\d+=|\$\d+|[!?]+")
_CONTRACT = re.compile(r"[1-7](?:[SHDC]|NT)X{0,2} [NESW]")
_NUMBER = re.compile("[0-9]|1[0-3]")
_LONG_NOTRUMP = re.compile(r"([1-7])N(?!T)")
_NUMBERED = re.compile(r"(?:^|\|)\d{1,4}\|([^|]*)")


def parts_of(board: Board) -> dict[str, object]:
    """Return the values of the parts that a board has, by name.

    Equal values mean that a part is the same; blanks within texts do not count, and unknown values
    such as `?` are no parts.

    >>> list(parts_of(Board.make(None, number=7, tags={"Event": "Club night", "Site": "?"})))
    ['number', 'dealer', 'vulnerability', 'Event']
    """
    tags = board.tags
    number = _tidy(tags.get("Board", ""))
    found: dict[str, object] = {
        "cards": board.layout,
        "number": None if number in _UNKNOWN else number,
        "dealer": board.dealer,
        "vulnerability": board.vulnerable,
    }
    found |= _plain(board)
    has_lines = any(tag.lines for tag in board.entries)
    if has_lines:
        found |= _of_auction(board)
        found |= _of_play(board)
    if "Contract" in tags or "Result" in tags:
        found |= _of_result(board)
    if not tags.keys().isdisjoint(TRICK_TAGS):
        found |= _of_tricks(board)
    if has_lines or not tags.keys().isdisjoint(COMMENTS_TAGS):
        found["comments"] = tuple(sorted(comments_of(board))) or None
    return {name: value for name, value in found.items() if value is not None}


def is_unknown(value: str) -> bool:
    """Return whether the value of a tag is unknown, such as `?`, so that it is no part."""
    return value in _UNKNOWN or value.strip() in _UNKNOWN


def comments_of(board: Board) -> tuple[str, ...]:
    """Return the texts of the comments of a board, in their order.

    >>> comments_of(Board(None, (Tag("", "", ("{Find the lead.}",)),)))
    ('Find the lead.',)
    """
    found = []
    for tag in board.entries:
        if tag.lines:
            matches = COMMENT.finditer("\n".join(tag.lines))
            found += [_tidy(match[1] or match[2] or "") for match in matches]
        if tag.name in COMMENTS_TAGS:
            found += [_tidy(text) for text in _NUMBERED.findall(tag.value)]
    return tuple(filter(None, found))


def _contract_by_auction(board: Board) -> str | None:
    """Return contract and declarer as the auction gives them; None without a complete auction."""
    auction = _auction(board)
    contract = contract_of(auction) if auction is not None else None
    if contract is None:
        return None
    declarer = "" if contract.declarer is None else contract.declarer.letter
    return _contract_text(contract.text, declarer)


def _contract_text(contract: str, declarer: str) -> str:
    """Return a contract and its declarer in one form."""
    text = _LONG_NOTRUMP.sub(r"\1NT", contract.upper())
    return text if text == "PASS" or not declarer else f"{text} {declarer}"


def _tidy(text: str) -> str:
    return " ".join(text.split())


def _plain(board: Board) -> Iterator[tuple[str, object]]:
    """Yield the tags that belong to no other part: texts, and tuples of sections."""
    seen = set()
    for tag in board.entries:
        if tag.name and tag.name not in seen and tag.name not in OF_PARTS:
            seen.add(tag.name)
            words = remarks_cut(tag.lines).split() if tag.lines else []
            text = _tidy(tag.value)
            text = "".join(sorted(text)) if tag.name == "Hidden" else text
            if words:
                yield tag.name, (text, *words)
            elif text not in _UNKNOWN:
                yield tag.name, text


def _section(board: Board, name: str) -> Tag | None:
    return next((tag for tag in board.entries if tag.name == name and tag.lines), None)


def _auction(board: Board) -> Auction | None:
    """Return the auction; None without one, or if it is no plain list of calls."""
    try:
        return auction_of(board)
    except PavError:
        return None


def _of_auction(board: Board) -> Iterator[tuple[str, object]]:
    """Yield the calls, and what is written about them."""
    section = _section(board, "Auction")
    if section is None:
        return
    try:
        auction = auction_of(board)
    except PavError:
        words = tuple(remarks_cut(section.lines).split())
        yield "auction", words or None
        yield "auction notes", tuple(notes_of(board, "Auction").values()) or None
        return
    if auction is None:
        return
    calls = auction.calls
    yield "auction", (auction.dealer, *(call.word for call in calls))
    yield "alerts", _any(tuple(call.alert for call in calls))
    yield "auction notes", _any(tuple(_tidy(call.note) for call in calls))
    yield "auction marks", _any(tuple(call.mark for call in calls))


def _any(values: tuple[object, ...]) -> object:
    return values if any(values) else None


def _strain_of(board: Board, *, has_contracts: bool = True) -> str:
    """Return the strain by the auction, else by the tag Contract."""
    auction = _auction(board)
    contract = contract_of(auction) if auction is not None else None
    if contract is not None:
        return contract.strain
    return strain_of(board.tags.get("Contract", "")) if has_contracts else ""


def _of_play(board: Board) -> Iterator[tuple[str, object]]:
    """Yield the cards in the order of play, and what is written about them."""
    section = _section(board, "Play")
    if section is None:
        return
    text = remarks_cut(section.lines)
    try:
        yield "play", tuple(played_cards(board, _strain_of(board))) or None
    except PavError:
        yield "play", tuple(text.split()) or None
    marks = tuple(_AT_CARD.findall(text))
    yield "play notes", (*marks, *notes_of(board, "Play").values()) if marks else None


def _of_result(board: Board) -> Iterator[tuple[str, object]]:
    """Yield contract and result."""
    contract = _tidy(board.tags.get("Contract", ""))
    declarer = board.tags.get("Declarer", "").removeprefix("^")
    if contract not in _UNKNOWN:
        yield "contract", _contract_text(contract, "" if declarer in _UNKNOWN else declarer)
    result = _tidy(board.tags.get("Result", ""))
    yield "result", None if result in _UNKNOWN else result


def _of_tricks(board: Board) -> Iterator[tuple[str, object]]:
    """Yield the double-dummy tricks, or the tags of tricks that are not complete."""
    if board.tricks is not None:
        yield "tricks", board.tricks
        return
    for tag in board.entries:
        if tag.name in TRICK_TAGS:
            words = tuple(remarks_cut(tag.lines).split())
            yield tag.name, words or (None if tag.value in _UNKNOWN else (tag.value,))


def contract_without_auction(board: Board, parts: Mapping[str, object]) -> Iterator[str]:
    """Yield the contract if the auction does not give it, for formats without a place for it."""
    if "contract" in parts and _contract_by_auction(board) != parts["contract"]:
        yield "contract"


def play_of_other_hands(
    board: Board, parts: Mapping[str, object], *, has_contracts: bool = True
) -> Iterator[str]:
    """Yield the play if its cards do not fit the hands, for formats that list them in order.

    Without `has_contracts`, the format has only the contracts that auctions give.
    """
    cards = parts.get("play")
    strain = _strain_of(board, has_contracts=has_contracts)
    if isinstance(cards, tuple) and not (
        _CARDS.issuperset(cards) and play_tag(board.layout, cards, strain) is not None
    ):
        yield "play"


def contract_and_result(board: Board, parts: Mapping[str, object]) -> Iterator[str]:  # noqa: ARG001
    """Yield contract and result where they are no contract with a number of tricks."""
    has_contract = _CONTRACT.fullmatch(str(parts.get("contract", "")))
    if not has_contract and parts.get("contract", "PASS") != "PASS":
        yield "contract"
    if "result" in parts and not (has_contract and _NUMBER.fullmatch(str(parts["result"]))):
        yield "result"


def result_in_words(board: Board, parts: Mapping[str, object]) -> Iterator[str]:  # noqa: ARG001
    """Yield a result that is no number of tricks."""
    if "result" in parts and not _NUMBER.fullmatch(str(parts["result"])):
        yield "result"
