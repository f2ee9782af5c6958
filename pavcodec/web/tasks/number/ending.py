"""Endings: whether play can reach them, the reason if not, or a deal and a line of play."""

from __future__ import annotations

import io
from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from pavcodec.boards import Board, Context
from pavcodec.boards.play import board_of_line
from pavcodec.cards import Card
from pavcodec.codes import Reading
from pavcodec.errors import PavError, TextError
from pavcodec.formats import format_of
from pavcodec.legal import Legality, legality
from pavcodec.legal.counts import LEGAL_ENDINGS
from pavcodec.numberings import numbering
from pavcodec.numberings.rankings import EqualHands
from pavcodec.web.tasks.boards import BoardView, board_view
from pavcodec.web.tasks.exact import Chance, Whole, chance_of
from pavcodec.web.tasks.media import file_of, media_types
from pavcodec.web.tasks.number.cards import CardsQuestion, chosen, readings_of
from pavcodec.web.tasks.number.encode import SchemeView, kind_of, schemes_of
from pavcodec.web.tasks.shell import argument
from pavcodec.web.tasks.task import Answer, Download, Task

__all__ = ["ENDING", "ENDING_FILE", "EndingAnswer", "EndingQuestion", "TrickView"]

_SEATS = Literal["", "N", "E", "S", "W"]


class EndingQuestion(CardsQuestion):
    """An ending, and what is known of the play before it."""

    denomination: Literal["", "NT", "S", "H", "D", "C"] = Field(
        "", description="the denomination; any, if empty"
    )
    first_leader: _SEATS = Field("", description="the seat that led to the first trick")
    on_lead: _SEATS = Field("", description="the seat that is on lead, or led to this trick")
    table: str = Field(
        "", max_length=40, description="the cards on the table in playing order, as in SA,S3"
    )


class TrickView(BaseModel):
    """A trick: its leader, its cards in playing order, and its winner if it is complete."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    leader: str = Field(description="N, E, S or W")
    cards: list[str] = Field(description="the cards in playing order, such as SA")
    winner: str | None = Field(description="N, E, S or W; null for an incomplete trick")


class CountView(BaseModel):
    """How many endings have this number of cards in each hand, and how many of them are legal."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cards: int = Field(description="the cards in each hand")
    endings: Whole
    legal: Whole
    share: Chance = Field(description="the share of the legal ones")


class EndingAnswer(Answer):
    """Whether play can reach an ending; the reason if not, else a deal and a line of play."""

    scheme: str = Field(description="the scheme in which the text was read")
    ending: BoardView
    legal: bool
    reason: str = Field(description="why no play reaches the ending; empty if it is legal")
    denominations: list[str] = Field(description="NT S H D C in which play reaches the ending")
    on_lead: str | None = Field(description="the seat on lead, if it is given or known")
    table: list[str] | None = Field(
        description="the cards on the table: as given, or possible ones"
    )
    deal: BoardView | None = Field(description="a deal from which play reaches the ending")
    denomination: str | None = Field(description="the denomination of this play")
    tricks: list[TrickView]
    count: CountView | None = Field(description="null in the middle of a trick")
    schemes: list[SchemeView] = Field(description="the numbers of the ending")


def _reading(question: EndingQuestion) -> Reading:
    """Return the reading that the question chooses; else the first that is an ending."""
    readings, _ = readings_of(question)
    if not question.numbering:
        order = ("ending", "deal", "trick", "part")
        readings = sorted(readings, key=lambda one: order.index(kind_of(one.layout)))
    return chosen(readings, question)


def _table(text: str) -> tuple[Card, ...] | None:
    """Return the cards on the table; None without any."""
    words = text.replace(",", " ").split()
    try:
        return tuple(map(Card.parse, words)) or None
    except PavError as error:
        wrong = next(word for word in words if not _is_card(word))
        start = text.index(wrong)
        raise TextError(str(error), text, (start, start + len(wrong))) from None


def _is_card(word: str) -> bool:
    try:
        Card.parse(word)
    except PavError:
        return False
    return True


def _legality(question: EndingQuestion) -> tuple[Reading, Legality]:
    one = _reading(question)
    if not any(one.layout.sizes):
        raise PavError("expected the cards of four hands")
    found = legality(
        one.layout,
        denomination=question.denomination or None,
        first_leader=question.first_leader or None,
        on_lead=question.on_lead or None,
        table=_table(question.table),
    )
    return one, found


def ending(question: EndingQuestion) -> EndingAnswer:
    """Return whether play can reach an ending, with the reason or a line of play."""
    one, found = _legality(question)
    line, layout = found.line, one.layout
    table = None if found.table is None else [str(card) for card in found.table]
    return EndingAnswer(
        scheme=one.scheme,
        ending=board_view(Board.make(layout)),
        legal=bool(found),
        reason=found.reason,
        denominations=[strain.letters for strain in found.denominations],
        on_lead=None if found.on_lead is None else found.on_lead.letter,
        table=table,
        deal=None if line is None else board_view(Board.make(line.deal)),
        denomination=None if line is None else line.denomination.letters,
        tricks=_tricks(found),
        count=_count(layout.sizes),
        schemes=schemes_of(layout, one_based=question.one_based),
        command=f"pavcodec ending {_options(question)}{argument(str(layout))}",
        python=_python(str(layout), question),
    )


def _tricks(found: Legality) -> list[TrickView]:
    if found.line is None:
        return []
    return [
        TrickView(
            leader=trick.leader.letter,
            cards=[str(card) for card in trick.cards],
            winner=None if trick.winner is None else trick.winner.letter,
        )
        for trick in found.line.tricks
    ]


def _count(sizes: tuple[int, int, int, int]) -> CountView | None:
    """Return the number of endings with this number of cards in each hand."""
    if len(set(sizes)) > 1:
        return None
    cards = sizes[0]
    ranking = numbering("balanced").ranking
    assert isinstance(ranking, EqualHands)
    total, legal = ranking.walks[cards].cardinality, LEGAL_ENDINGS[cards]
    share = chance_of(Fraction(legal, total))
    return CountView(cards=cards, endings=total, legal=legal, share=share)


def _given(question: EndingQuestion) -> Iterator[tuple[str, str]]:
    """Yield what a question says of the play, in the words of Python."""
    for name in ("denomination", "first_leader", "on_lead"):
        if value := getattr(question, name):
            yield name, value
    if cards := _table(question.table):
        yield "table", ",".join(map(str, cards))


def _options(question: EndingQuestion) -> str:
    return "".join(f"--{name.replace('_', '-')} {value} " for name, value in _given(question))


def _python(text: str, question: EndingQuestion) -> str:
    given = "".join(
        f", {name}={value.split(',') if name == 'table' else value!r}"
        for name, value in _given(question)
    )
    return (
        "import pavcodec as pav\n\n"
        f"ending = pav.Layout.from_pbn({text!r})\n"
        f"found = pav.legality(ending{given})\n"
        "print(found.reason or found.line.deal)\n"
    )


ENDING = Task(
    "ending",
    "Return whether play can reach an ending, with the reason or a line of play.",
    ending,
    EndingQuestion(text="N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J", denomination="NT"),
)


def ending_file(question: EndingQuestion) -> Download:
    """Return the deal and the play to a legal ending as a file of PBN."""
    _, found = _legality(question)
    if found.line is None:
        raise PavError(f"no play reaches this ending: {found.reason}")
    stream = io.BytesIO()
    format_of("pbn").write([board_of_line(found.line)], stream, Context("ending.pbn"))
    return file_of("ending.pbn", stream.getvalue())


ENDING_FILE = Task(
    "ending/file",
    "Return the deal and the play to a legal ending as a file of PBN.",
    ending_file,
    EndingQuestion(text="N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"),
    media_types([".pbn"]),
)
