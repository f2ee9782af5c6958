"""Files of the boards of a condition, with the bytes that the command `deal` writes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import BinaryIO, Literal

from pydantic import Field

from pavcodec.boards import Board, Context, Vulnerability
from pavcodec.cards import Seat
from pavcodec.collection.deals import DealMaking
from pavcodec.collection.orders import Drawn
from pavcodec.collection.plan import Part
from pavcodec.collection.session import Session
from pavcodec.constraints import TestedDeals
from pavcodec.errors import ModelTooLarge, NumberError, PavError
from pavcodec.formats import Format, format_of
from pavcodec.formats.registry import FORMATS
from pavcodec.numberings import numbering
from pavcodec.printing.pages import WRITERS, print_boards
from pavcodec.sampling import preface
from pavcodec.web.tasks.deal.count import (
    CountAnswer,
    CountQuestion,
    Dealt,
    dealt,
    seed_of_text,
    too_large,
)
from pavcodec.web.tasks.deal.count import count as count_deals
from pavcodec.web.tasks.deal.reading import (
    ConditionQuestion,
    ConditionReading,
    command_of,
    python_of,
    read,
)
from pavcodec.web.tasks.exact import BoardView, board_view
from pavcodec.web.tasks.problem import in_field
from pavcodec.web.tasks.task import FILE_BOARDS, PAGE_BOARDS, PRINTED, Answer, Download, Task
from pavcodec.web.tasks.writing import MEDIA_TYPES, media_type, written

# Boards of a condition, drawn at random by a seed.


_BOARDS = 8
_MOST_START = 1 << 48


class DealQuestion(ConditionQuestion):
    """A condition, and which of its deals."""

    n: int | None = Field(
        None,
        ge=1,
        le=FILE_BOARDS,
        description=f"the number of boards (default: as the script says, else {_BOARDS})",
    )
    seed: str = Field(
        "", max_length=200, description="a number below 2^128, or a text (default: a fresh number)"
    )
    start: int = Field(0, ge=0, le=_MOST_START, description="skip so many deals of the seed")
    dealer: Literal["N", "E", "S", "W"] | None = Field(
        None, description="the dealer of every board (default: as the script or the number says)"
    )
    vulnerable: Literal["None", "NS", "EW", "All"] | None = Field(
        None, description="the vulnerability of every board (default as of the dealer)"
    )
    rotate: bool = Field(
        default=False,
        description="set dealer and vulnerability by the board number, and ignore the script's",
    )
    counted: bool = Field(default=False, description="also count the deals")


class DealAnswer(Answer):
    """Boards; a page has the first of many, and files have all."""

    seed: str = Field(description="the seed: with it, the same question has the same boards")
    n: int = Field(description="the number of boards of the set")
    start: int
    boards: list[BoardView] = Field(description=f"the boards, at most the first {PAGE_BOARDS}")
    types: list[str] = Field(description="the type of each board, if the set has types")
    note: str = Field(description="why there are fewer boards than asked for")
    number: CountAnswer | None = Field(description="the number of deals, if it is wanted")
    warnings: list[str] = Field(description="what may not mean what its author expects")


class Deals:
    """The deals of a question, and what their boards share."""

    def __init__(self, question: DealQuestion, reading: ConditionReading, drawn: Dealt) -> None:
        script = reading.script
        produced = None if script is None else script.produce
        self.question, self.reading, self.dealt = question, reading, drawn
        self.count = question.n or produced or _BOARDS
        if self.count > FILE_BOARDS:
            raise NumberError(
                f"the script produces {self.count:,} deals, and a page makes {FILE_BOARDS:,} at "
                "most: give the number of boards"
            )
        with in_field("seed"):
            self.seed = seed_of_text(question.seed, reading)
        self.start = question.start

    @property
    def session(self) -> Session:
        """What the boards share."""
        question, script = self.question, self.reading.script
        dealer = None if question.dealer is None else Seat.parse(question.dealer)
        vulnerable = None if question.vulnerable is None else Vulnerability(question.vulnerable)
        if script is not None and not question.rotate:
            dealer = script.dealer if dealer is None else dealer
            vulnerable = script.vulnerable if vulnerable is None else vulnerable
        return self.dealt.session(
            self.seed, self.start, dealer, vulnerable, is_script=script is not None
        )

    def boards(self, most: int, cycle: int | None = None) -> Iterator[Board]:
        """Yield the boards, `most` at most; after `cycle` of them the numbers begin again."""
        deals = self.dealt.samples(min(most, self.count), self.seed, self.start)
        session = self.session
        numbers: Iterator[int] = count(self.start + 1)
        if cycle is not None:
            numbers = ((number - 1) % cycle + 1 for number in numbers)
        return (session.board(number, deal) for number, deal in zip(numbers, deals, strict=False))


def deals_of_question(question: DealQuestion) -> Deals:
    """Return the deals of a question; raise `PavError` if there are none."""
    if question.rotate and (question.dealer or question.vulnerable):
        option = "dealer" if question.dealer else "vulnerability"
        with in_field("rotate"):
            raise NumberError(
                f"boards that rotate have no {option} of their own: choose one of both"
            )
    reading = read(question)
    try:
        drawn = dealt(reading, interleave=question.interleave)
    except ModelTooLarge as error:
        raise too_large(error, command_of("deal", question, reading)) from None
    return Deals(question, reading, drawn)


def options_of(deals: Deals) -> Iterator[str]:
    """Yield the options of the command `deal` that choose the boards."""
    question = deals.question
    yield f"-n {deals.count} --seed {deals.seed}"
    if deals.start:
        yield f"--start {deals.start}"
    if question.dealer:
        yield f"--dealer {question.dealer}"
    if question.vulnerable:
        yield f"--vulnerable {question.vulnerable}"
    if question.rotate:
        yield "--rotate"


def deal(question: DealQuestion) -> DealAnswer:
    """Return boards of a condition."""
    deals = deals_of_question(question)
    boards = list(deals.boards(PAGE_BOARDS))
    wanted = min(deals.count, PAGE_BOARDS)
    places = deals.dealt.places(len(boards), deals.seed, deals.start)
    start = f", start={deals.start}" if deals.start else ""
    lines = [
        f"for deal in space.sample({deals.count}, seed={deals.seed}{start}):",
        "    print(deal)",
    ]
    made = f"only {len(boards):,} of {wanted:,}"
    note = f"{made}: the script limits the tested deals with 'generate'"
    counted = {name: getattr(question, name) for name in CountQuestion.model_fields}
    return DealAnswer(
        seed=str(deals.seed),
        n=deals.count,
        start=deals.start,
        boards=list(map(board_view, boards)),
        types=[question.name_of(kind) for kind in places],
        note="" if len(boards) == wanted else note,
        number=count_deals(CountQuestion(**counted)) if question.counted else None,
        warnings=list(deals.reading.warnings),
        command=command_of("deal", question, deals.reading, [*options_of(deals), "--to pbn"]),
        python=python_of(question, deals.reading, lines),
    )


DEAL = Task(
    "deal",
    "Deal boards of a condition; a seed always gives the same boards.",
    deal,
    DealQuestion(condition="hcp(south) >= 20", n=2, seed="7"),
)


_PAGES = ("pdf", "html", "svg", "diagram")


class DealFileQuestion(DealQuestion):
    """Boards, and the format of their file."""

    to: str = Field("pbn", max_length=40, description="the format, as 'pavcodec formats' lists it")
    layout: str = Field(
        "", max_length=20, description="a layout of pages for pdf and html, as 'pavcodec print' has"
    )


def writable() -> list[Format]:
    """Return the formats that boards without double-dummy tricks can be written in."""
    return [each for each in FORMATS.values() if not each.needs_tricks]


def deal_file(question: DealFileQuestion) -> Download:
    """Return a file of boards."""
    with in_field("to"):
        target = format_of(question.to)
    if target.needs_tricks:
        raise PavError(
            f"{target.name} needs the double-dummy tricks of each deal, which a page does not "
            "compute: use 'pavcodec deal --solve'"
        )
    if question.layout and target.name not in WRITERS:
        raise PavError(f"layouts are for {' and '.join(WRITERS)}, not for {target.name}")
    deals = deals_of_question(question)
    if target.name in _PAGES and deals.count > PRINTED:
        raise PavError(
            f"a file to print or to look at has {PRINTED:,} boards at most, not {deals.count:,}: "
            "choose fewer boards, or another format"
        )
    suffix = target.suffixes[0] if target.suffixes else f".{target.name}.txt"

    def write(stream: BinaryIO) -> None:
        if question.layout:
            boards = list(deals.boards(deals.count))
            print_boards(boards, stream, format=target.name, layout=question.layout)
        else:
            _write(deals, target, stream)

    chunks = written(write, goes_back=target.name == "pbn")
    kind = f"-{question.layout}" if question.layout else ""
    name = f"deals-{str(deals.seed)[:8]}{kind}{suffix}"
    return Download(name, media_type(name), chunks)


def _write(deals: Deals, target: Format, stream: BinaryIO) -> None:
    """Write all boards in batches, unless they are numbered in turn or a part is tested."""
    session = deals.session
    in_turn = target.cycle is not None and not target.is_cards_only
    if not in_turn and not isinstance(deals.dealt.space, TestedDeals):
        making = DealMaking(deals.dealt.space, Drawn(deals.seed), session, target.name)
        making.write(Part(0, deals.start, deals.count, "deals"), stream)
        return
    context = Context(
        "deal",
        numbering=numbering("deal"),
        preface=preface(session.where, session.generator),
    )
    boards: Iterator[Board]
    if target.is_cards_only:
        boards = map(Board, deals.dealt.samples(deals.count, deals.seed, deals.start))
    else:
        boards = deals.boards(deals.count, target.cycle)
    target.write(boards, stream, context)


DEAL_FILE = Task(
    "deal/file",
    "Deal boards of a condition into a file of any format.",
    deal_file,
    DealFileQuestion(condition="hcp(south) >= 20", n=2, seed="7", to="pbn"),
    media_types=MEDIA_TYPES,
)
