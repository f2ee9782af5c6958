"""Files of the boards of a condition, with the bytes that the command `deal` writes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import BinaryIO

from pydantic import Field

from pavcodec.boards import Board, Context
from pavcodec.collection.deals import DealMaking
from pavcodec.collection.orders import Drawn
from pavcodec.collection.plan import Part
from pavcodec.collection.session import preface
from pavcodec.constraints import TestedDeals
from pavcodec.errors import PavError
from pavcodec.formats import Format, format_of
from pavcodec.formats.catalogue import FORMATS
from pavcodec.numberings import numbering
from pavcodec.printing.pages import WRITERS, print_boards
from pavcodec.web.tasks.deal.boards import DealQuestion, Deals, deals_of_question
from pavcodec.web.tasks.limits import PRINTED
from pavcodec.web.tasks.media import MEDIA_TYPES, media_type
from pavcodec.web.tasks.problem import in_field
from pavcodec.web.tasks.task import Download, Task
from pavcodec.web.tasks.writing import written

__all__ = ["DEAL_FILE", "DealFileQuestion", "deal_file", "writable"]

_FEW = 4096
"""The most boards that are written one by one, without loading the loops."""
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
    """Write all boards: a few one by one, many in batches; the bytes are the same."""
    session = deals.session
    in_turn = target.cycle is not None and not target.is_cards_only
    if deals.count >= _FEW and not in_turn and not isinstance(deals.dealt.space, TestedDeals):
        making = DealMaking(deals.dealt.space, Drawn(deals.seed), session, target.name)
        making.write(Part(0, deals.start, deals.count, "deals"), stream)
        return
    context = Context(
        "deal",
        numbering=numbering("deal"),
        preface=preface(session.where, session.generator),
    )
    target.write(_boards(deals, target), stream, context)


def _boards(deals: Deals, target: Format) -> Iterator[Board]:
    """Yield the boards as a format numbers them."""
    found = deals.dealt.samples(deals.count, deals.seed, deals.start)
    if target.is_cards_only:
        return map(Board, found)
    session, most = deals.session, target.cycle
    numbers = (n if most is None else (n - 1) % most + 1 for n in count(deals.start + 1))
    return (session.board(number, deal) for number, deal in zip(numbers, found, strict=False))


DEAL_FILE = Task(
    "deal/file",
    "Deal boards of a condition into a file of any format.",
    deal_file,
    DealFileQuestion(condition="hcp(south) >= 20", n=2, seed="7", to="pbn"),
    media_types=MEDIA_TYPES,
)
