"""The class of file formats: names, losses, and the functions that read and write boards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from itertools import chain
from math import inf
from typing import BinaryIO, NamedTuple, cast

from pavcodec.boards.batch import Arrivals, BoardBatch, Gathered, Wanted, gathered, in_batches
from pavcodec.boards.board import Board, Context, Tag, Vulnerability, dealer_of_board, raise_problem
from pavcodec.boards.play import (
    CARDS,
    Contract,
    auction_of,
    contract_of,
    notes_of,
    play_tag,
    played_cards,
    remarks_cut,
    strain_of,
)
from pavcodec.boards.tricks import TRICK_TAGS
from pavcodec.errors import PavError
from pavcodec.files.text import Utf8Watch
from pavcodec.numberings.catalogue import numbering as numbering_of

# The parts of a board that a format keeps or loses, by name.
#
# A part in small letters is made from several tags or from the lines of a section; every other part
# is a tag of this name.


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
    parts: dict[str, object] = {
        "cards": board.layout,
        "number": None if number in _UNKNOWN else number,
        "dealer": board.dealer,
        "vulnerability": board.vulnerable,
    }
    parts |= _plain(board)
    has_lines = any(tag.lines for tag in board.entries)
    if has_lines:
        parts |= _of_auction(board)
        parts |= _of_play(board)
    if "Contract" in tags or "Result" in tags:
        parts |= _of_result(board)
    if not tags.keys().isdisjoint(TRICK_TAGS):
        parts |= _of_tricks(board)
    if has_lines or not tags.keys().isdisjoint(COMMENTS_TAGS):
        parts["comments"] = tuple(sorted(comments_of(board))) or None
    return {name: value for name, value in parts.items() if value is not None}


def is_unknown(value: str) -> bool:
    """Return whether the value of a tag is unknown, such as `?`, so that it is no part."""
    return value in _UNKNOWN or value.strip() in _UNKNOWN


def comments_of(board: Board) -> tuple[str, ...]:
    """Return the texts of the comments of a board, in their order.

    >>> comments_of(Board(None, (Tag("", "", ("{Find the lead.}",)),)))
    ('Find the lead.',)
    """
    comments = []
    for tag in board.entries:
        if tag.lines:
            matches = COMMENT.finditer("\n".join(tag.lines))
            comments += [_tidy(match[1] or match[2] or "") for match in matches]
        if tag.name in COMMENTS_TAGS:
            comments += [_tidy(text) for text in _NUMBERED.findall(tag.value)]
    return tuple(filter(None, comments))


def _contract_text(contract: str, declarer: str) -> str:
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


def _contract_of(board: Board) -> Contract | None:
    """Return the contract of the auction; None without a complete auction of plain calls."""
    try:
        auction = auction_of(board)
    except PavError:
        return None
    return contract_of(auction) if auction is not None else None


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
    contract = _contract_of(board)
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
    if "contract" not in parts:
        return
    contract = _contract_of(board)
    declarer = contract.declarer.letter if contract and contract.declarer is not None else ""
    if contract is None or _contract_text(contract.text, declarer) != parts["contract"]:
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


ALL_BUT_NUMBERS = "all other tags; dealer and vulnerability follow from the board number"
"""The losses of a format that keeps board numbers and no other tag."""

NUMBER = frozenset({"Board"})
TABLE = frozenset({"Board", "Dealer", "Vulnerable"})
TRICKS = frozenset(TRICK_TAGS)
SUIT_TAG = "SuitLayout"
"""The tag of a board that is a single suit and no diagram; its cards are spades."""
NOT_PLAIN = TRICKS | {SUIT_TAG}
"""A board without these tags is plain."""
NAMES = frozenset({"West", "North", "East", "South"})
PLAYED = frozenset({"Contract", "Declarer", "Result", "Auction", "Play"})
"""Tags that many formats keep, for `Format.kept_tags`."""

_MOST_MATCHED = 200
"""The characters of a first line that a pattern of `first_line` is compared with."""


class Codec(NamedTuple):
    """The functions that read boards from a stream and write them."""

    read: Callable[[BinaryIO, Context], Iterator[Board]]
    write: Callable[[Iterable[Board], BinaryIO, Context], int]


class ArrayCodec(NamedTuple):
    """The functions that read and write batches of boards, as arrays."""

    read: Callable[[BinaryIO, Context, Wanted], Iterator[BoardBatch]] | None = None
    write: Callable[[Iterable[BoardBatch], BinaryIO, Context], int] | None = None


class Label(NamedTuple):
    """How a page offers a format: in which group of links, by which name, and what for."""

    group: str
    """A group of `LABEL_GROUPS`; empty for none."""
    name: str
    note: str = ""
    place: int = 99
    """Its place among all formats; those that most people want come first."""


LABEL_GROUPS = ("For programs", "For dealing machines", "Tables and numbers")
"""The groups of links to boards in a format, in their order."""

LARGE = 1 << 20
"""The size of a file, in bytes, from which on reading by arrays is faster."""


@dataclass(frozen=True)
class Format:
    """A file format: name and suffixes, the parts of a board that it keeps, readers and writers."""

    name: str
    suffixes: tuple[str, ...]
    summary: str
    keeps: str
    codec: Callable[[], Codec] | None = None
    """Imports and returns the functions for boards one by one; None if all are for batches."""
    arrays: Callable[[], ArrayCodec] | None = None
    """Imports and returns the functions for batches, if there are any."""
    keeps_tags: bool = False
    keeps_cards: bool = True
    shows_tags: bool = False
    """Whether it writes tags, but does not keep them."""
    numbering: str | None = None
    """The numbering of its numbers, if that is part of the format."""
    is_text: bool = True
    is_durable: bool = False
    """Whether a written file is on the disk when the writer returns."""
    is_written_again: bool = False
    """Whether the writer may go back to the start, so that a stream to a store holds all of it."""
    cannot_grow: str = ""
    """Why no boards can be added to the end of a file; empty if they can."""
    is_drawn: bool = False
    """Whether it is to look at: pages, pictures and diagrams."""
    is_apart: bool = False
    """Whether an empty line is between two boards."""
    unit: int = 1
    """The bytes of a record, if a file is nothing but records of this size."""
    media: str = ""
    """The media type; empty for that of plain text, or of bytes."""
    needs: str = ""
    """What of it needs a package that may not be installed, as `MissingExtraError` names it."""
    label: Label | None = None
    """How pages offer it; None for only a row in the list of all formats."""
    is_read: bool = True
    """Whether boards can be read from it, and not only written."""
    is_of_boards: bool = False
    """Whether a file holds the boards of a session, so that each is written once by default."""
    kept_tags: frozenset[str] = frozenset()
    """The tags that it keeps unchanged, if it does not keep all."""
    kept_parts: frozenset[str] = frozenset()
    """The parts that it keeps and that are no tags: alerts, notes, marks and comments."""
    more_losses: Callable[[Board, Mapping[str, object]], Iterable[str]] | None = None
    """Yields the parts of a board that it loses although it keeps them on other boards."""
    may_lose: frozenset[str] = frozenset()
    """The parts that `more_losses` may yield; empty if any part is possible."""
    keeps_plain_tags: bool = False
    """Whether it keeps all tags without lines, also those that are not in `kept_tags`."""
    needs_tricks: bool = False
    """Whether each board must have double-dummy tricks."""
    cycle: int | None = None
    """The greatest board number; board number 1 follows it in a run of deals."""
    loses: str = "all other tags"
    """The parts of a board that are lost; dealers and board numbers are tags."""
    starts: tuple[bytes, ...] = ()
    """The bytes that begin each file of this format, if there are any."""
    begins: re.Pattern[bytes] | None = None
    """A pattern that matches the first bytes of files of this format, and of no others."""
    recognises: Callable[[str], object] | None = None
    """Whether a line can be the first of this format, after blank lines and remarks."""

    def read(self, stream: BinaryIO, context: Context) -> Iterator[Board]:
        """Yield the boards of a stream."""
        context = self._with_numbering(context)
        reader = self._boards_of_batches if self.codec is None else self.codec().read
        if not self.is_text:
            boards = reader(stream, context)
            return mark_utf8(boards) if self.keeps_tags else boards
        watch = Utf8Watch(stream)
        return mark_utf8(reader(cast("BinaryIO", watch), context), watch)

    def write(self, boards: Iterable[Board], stream: BinaryIO, context: Context) -> int:
        """Write boards to a stream, and return how many were written."""
        if self.codec is None:
            return self.write_batches(in_batches(boards), stream, context)
        return self.codec().write(boards, stream, self._with_numbering(context))

    def read_batches(
        self, stream: BinaryIO, context: Context, wanted: Wanted, *, size: float = inf
    ) -> Iterator[BoardBatch]:
        """Yield the boards of a stream in batches, which make the boards of their rows on demand.

        The batches have one board each where there are no larger ones of what is `wanted`, and if
        the stream has at most `LARGE` bytes, which the caller says by its `size`.
        """
        is_whole = wanted is not Wanted.BOARDS or self.is_cards_only or self.kept_tags == TRICKS
        if self.arrays is not None and is_whole and size > LARGE:
            read = self.arrays().read
            if read is not None:
                return read(stream, self._with_numbering(context), wanted)
        arrivals = Arrivals[Board](context.report)
        is_raising = context.strict or context.report is raise_problem
        known = context if is_raising else replace(context, report=arrivals.hold)
        return map(Gathered, arrivals.of(self.read(stream, known)))

    def _boards_of_batches(self, stream: BinaryIO, context: Context) -> Iterator[Board]:
        """Yield the boards of a format that is read in batches only."""
        read = None if self.arrays is None else self.arrays().read
        assert read is not None, "a format has a reader"
        return chain.from_iterable(read(stream, context, Wanted.BOARDS))

    def write_batches(
        self, batches: Iterable[BoardBatch], stream: BinaryIO, context: Context
    ) -> int:
        """Write batches as `write` writes their boards, and return the number of these.

        If the first board comes alone, as from a small file, all are written one by one; boards
        that come later are put together.
        """
        rest = iter(batches)
        first = next(rest, None)
        every = rest if first is None else chain([first], rest)
        comes_alone = first is None or isinstance(first, Gathered)
        if self.arrays is not None and (self.codec is None or not comes_alone):
            write = self.arrays().write
            if write is not None:
                return write(gathered(every), stream, self._with_numbering(context))
        return self.write(chain.from_iterable(every), stream, context)

    def load(self) -> None:
        """Import what reads and writes it; raise `PavError` if a package is missing."""
        for functions in (self.codec, self.arrays):
            if functions is not None:
                functions()

    @property
    def header(self) -> bytes:
        """The bytes that a file has only at its start: those of a file without boards."""
        stream = BytesIO()
        self.write([], stream, Context("", numbering=numbering_of("deal")))
        return stream.getvalue()

    @property
    def media_type(self) -> str:
        """The media type of a file."""
        return self.media or ("text/plain" if self.is_text else "application/octet-stream")

    @property
    def is_cards_only(self) -> bool:
        """Whether the written form of a board depends only on its cards."""
        return not (self.keeps_tags or self.kept_tags or self.shows_tags)

    @property
    def wanted(self) -> Wanted:
        """What `write_batches` needs of each board."""
        return Wanted.CARDS if self.is_cards_only else Wanted.BOARDS

    def keeps_tag(self, name: str) -> bool:
        """Return whether the format keeps a tag that has no lines."""
        return self.keeps_tags or self.keeps_plain_tags or name in self.kept_tags

    def shows_tag(self, name: str) -> bool:
        """Return whether the format keeps a tag, or writes tags without keeping them."""
        return self.shows_tags or self.keeps_tag(name)

    def lost_parts(self, board: Board) -> list[str]:
        """Return the names of the parts of a board that the format loses; see `parts_of`."""
        if self.keeps_tags:
            return []
        parts = parts_of(board)
        lost = [name for name, value in parts.items() if not self._keeps_part(name, value, board)]
        if self.more_losses is not None:
            lost += [name for name in self.more_losses(board, parts) if name not in lost]
        return lost

    def _keeps_part(self, name: str, value: object, board: Board) -> bool:
        if name == "cards":
            return self.keeps_cards
        tag = KEPT_AS.get(name, "")
        if tag in ("Dealer", "Vulnerable") and tag not in self.kept_tags:
            number = board.number
            if number is None or "Board" not in self.kept_tags:
                return False
            return value in (dealer_of_board(number), Vulnerability.of_board(number))
        if tag or name in self.kept_parts:
            return tag in self.kept_tags or name in self.kept_parts
        return isinstance(value, str) and self.keeps_tag(name)

    def _with_numbering(self, context: Context) -> Context:
        if self.numbering is None:
            return context
        return replace(context, numbering=numbering_of(self.numbering))


lossless_format = partial(
    Format, keeps="cards, every tag, section and comment", keeps_tags=True, loses="nothing"
)
"""Makes a format that keeps all that a board holds."""


def mark_utf8(boards: Iterable[Board], watch: Utf8Watch | None = None) -> Iterator[Board]:
    """Yield boards, marked with whether their text was UTF-8; without `watch` it was."""
    for board in boards:
        board.is_utf8 = watch is None or watch.found
        yield board


def first_line(pattern: str) -> Callable[[str], object]:
    """Return a `recognises` that compares the first line with a pattern.

    The pattern is less strict than that of the reader.
    """
    return partial(_is_like, pattern)


def _is_like(pattern: str, line: str) -> bool:
    return re.fullmatch(pattern, line.strip()[:_MOST_MATCHED]) is not None
