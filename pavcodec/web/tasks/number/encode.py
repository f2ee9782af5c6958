"""A layout in all numberings and codes, its class up to symmetry, and what it lacks."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from pavcodec.boards import Board
from pavcodec.cards import HAND_SIZE, Seat
from pavcodec.codes import Encoded, Reading, code, encode_all
from pavcodec.layout import Layout
from pavcodec.numberings import numbering, numbering_names
from pavcodec.symmetry import symmetry_of
from pavcodec.web.tasks.boards import BoardView, board_view
from pavcodec.web.tasks.exact import Whole
from pavcodec.web.tasks.number.cards import CardsQuestion, chosen, readings_of
from pavcodec.web.tasks.shell import argument
from pavcodec.web.tasks.task import Answer, Task

__all__ = ["ENCODE", "ClassView", "EncodeAnswer", "SchemeView", "kind_of", "schemes_of"]

_CLASSES = {"deal-suits": "suits", "deal-suits-turns": "suits,turns"}
_SAME = {
    "deal-suits": "the same deal if the suits change their names",
    "deal-suits-turns": "the same deal if the suits change their names and the table turns",
}


class SchemeView(BaseModel):
    """A layout in one scheme; a number has its place among all numbers, and its neighbours."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    scheme: str
    kind: str = Field(description="numbering, class or code")
    summary: str = Field(description="what the scheme is")
    text: str = Field(description="the number or the code")
    hexadecimal: str | None = Field(None, description="the number in hexadecimal, all digits")
    cardinality: Whole | None = Field(None, description="how many numbers there are")
    bits: int | None = Field(None, description="the bits of the largest number")
    previous: Whole | None = Field(None, description="the number before, if there is one")
    following: Whole | None = Field(None, description="the next number, if there is one")


class ClassView(BaseModel):
    """The deals that equal a deal up to a symmetry."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    numbering: str = Field(description="the numbering of these classes")
    same: str = Field(description="when two deals are in one class")
    number: Whole = Field(description="the number of the class")
    classes: Whole = Field(description="how many classes there are")
    size: int = Field(description="how many deals the class has")
    canonical: str = Field(description="the first deal of the class, in the notation of PBN")


class EncodeAnswer(Answer):
    """A layout in all schemes that contain it."""

    scheme: str = Field(description="the scheme in which the text was read")
    board: BoardView
    kind: str = Field(description="deal, ending, trick (in the middle of a trick) or part")
    sizes: dict[str, int] = Field(description="the number of cards of N, E, S and W")
    missing: dict[str, str] = Field(description="the cards that no hand has, by their suits")
    schemes: list[SchemeView]
    classes: list[ClassView]


def kind_of(layout: Layout) -> str:
    """Return whether a layout is a deal, an ending, in the middle of a trick, or a part of a deal.

    >>> kind_of(Layout.from_pbn("N:A... K... Q... -")), kind_of(Layout.from_pbn("N:AK... - - -"))
    ('trick', 'part')
    """
    if layout.is_deal:
        return "deal"
    sizes = layout.sizes
    if len(set(sizes)) == 1:
        return "ending" if sizes[0] else "part"
    fewest = min(sizes)
    more = [size - fewest for size in sizes]
    turns = sum(1 for place in range(len(Seat)) if more[place] != more[place - 1])
    return "trick" if max(more) == 1 and turns == 2 and fewest + 1 <= HAND_SIZE else "part"


def _missing(layout: Layout) -> dict[str, str]:
    unused = layout.unused
    return {
        "spades": unused.spades,
        "hearts": unused.hearts,
        "diamonds": unused.diamonds,
        "clubs": unused.clubs,
    }


def _scheme(one: Encoded, *, one_based: bool) -> SchemeView:
    if one.number is None:
        return SchemeView(
            scheme=one.scheme, kind="code", summary=code(one.scheme).summary, text=one.text
        )
    ranks, number = numbering(one.scheme, one_based=one_based), one.number
    digits = -(-ranks.last.bit_length() // 4)
    return SchemeView(
        scheme=one.scheme,
        kind="class" if one.scheme in _CLASSES else "numbering",
        summary=ranks.summary,
        text=one.text,
        hexadecimal=f"0x{number:0{digits}x}",
        cardinality=ranks.cardinality,
        bits=ranks.bits,
        previous=number - 1 if number > ranks.first else None,
        following=number + 1 if number < ranks.last else None,
    )


def schemes_of(
    layout: Layout, board: int | None = None, *, one_based: bool = False
) -> list[SchemeView]:
    """Return a layout in all numberings and codes that contain it."""
    found = encode_all(layout, board=board, one_based=one_based)
    return [_scheme(one, one_based=one_based) for one in found]


def _class(name: str, layout: Layout, *, one_based: bool) -> ClassView:
    symmetry, ranks = symmetry_of(_CLASSES[name]), numbering(name, one_based=one_based)
    number = ranks.rank(layout)
    return ClassView(
        numbering=name,
        same=_SAME[name],
        number=number,
        classes=ranks.cardinality,
        size=len({one.word(layout.owners) for one in symmetry.permutations}),
        canonical=str(ranks.unrank(number)),
    )


def encode(question: CardsQuestion) -> EncodeAnswer:
    """Return a layout in all numberings and codes that contain it."""
    readings, _ = readings_of(question)
    one = chosen(readings, question)
    layout = one.layout
    is_deal = layout.is_deal
    return EncodeAnswer(
        scheme=one.scheme,
        board=board_view(Board.make(layout, number=one.board)),
        kind=kind_of(layout),
        sizes=dict(zip("NESW", layout.sizes, strict=True)),
        missing=_missing(layout),
        schemes=schemes_of(layout, one.board, one_based=question.one_based),
        classes=[
            _class(name, layout, one_based=question.one_based) for name in _CLASSES if is_deal
        ],
        command=_command(one, one_based=question.one_based),
        python=_python(one, one_based=question.one_based),
    )


def _command(one: Reading, *, one_based: bool) -> str:
    board = "" if one.board is None else f"--board {one.board} "
    first = "--one-based " if one_based else ""
    return f"pavcodec encode --all {first}{board}{argument(str(one.layout))}"


def _python(one: Reading, *, one_based: bool) -> str:
    given = "" if one.board is None else f", board={one.board}"
    given += ", one_based=True" if one_based else ""
    lines = [
        "import pavcodec as pav",
        "",
        f"layout = pav.Layout.from_pbn({str(one.layout)!r})",
        f"for one in pav.encode_all(layout{given}):",
        "    print(one.scheme, one.text)",
        "",
    ]
    return "\n".join(lines)


ENCODE = Task(
    "encode",
    "Return a deal in all numberings and codes.",
    encode,
    CardsQuestion(text="N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"),
)
assert set(_CLASSES) == {*numbering_names(classes=True)} - {*numbering_names()}
