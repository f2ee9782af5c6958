"""Numbers and codes to deals and back, facts of deals, and endings with their lines of play.

The questions are `identify`, `encode`, `decode` and `ending`; here is what the pages draw of their
answers, and what only pages ask.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import factorial, prod
from shlex import quote

from pydantic import Field

from pavcodec.boards import Board, Context
from pavcodec.boards.play import board_of_line
from pavcodec.cards import HAND_SIZE, SUIT_SIZE, Seat, Suit
from pavcodec.chances import Distribution, distribution
from pavcodec.codes import Encoded, code, encode_all
from pavcodec.errors import PavError
from pavcodec.formats import format_of
from pavcodec.formats.pasted import HANDS
from pavcodec.layout import Hand, Layout
from pavcodec.legal import LEGAL_ENDINGS
from pavcodec.numberings import numbering, numbering_names
from pavcodec.numberings.rankings import EqualHands
from pavcodec.questions.asking import call_of, command_of
from pavcodec.questions.coders import board_of_text
from pavcodec.questions.encode import InScheme, InSchemes
from pavcodec.questions.ending import Verdict
from pavcodec.questions.identify import Identify, Readings, kind_of
from pavcodec.shapes import SHAPES, ShapeClass
from pavcodec.symmetry import symmetry_of
from pavcodec.web.tasks.asked import answer_within, model_of, question_of, task_of
from pavcodec.web.tasks.exact import BoardView, Chance, board_view, chance_of
from pavcodec.web.tasks.problem import Problem, problem_of
from pavcodec.web.tasks.task import TEXT, Answer, ClosedFields, Download, Question, Task
from pavcodec.web.tasks.writing import file_of, media_types

_DEAL = "N:9642.95.AKQT4.K7 KJ3.K3.98.T98654 AQT85.Q862..AQJ2 7.AJT74.J76532.3"
_ENDING = "N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"

# What a text means: its layouts in all schemes.


_MOST_NAMES = 6
"""The schemes that one sentence lists."""


class ReadingView(ClosedFields):
    """A meaning of a text: the scheme, the cards, and the board."""

    scheme: str
    kind: str
    summary: str
    pbn: str
    board: int | None
    form: str


def layout_form(layout: Layout) -> str:
    """Return whether a layout is a deal, an ending, in the middle of a trick, or a part of a deal.

    >>> layout_form(Layout.from_pbn("N:A... K... Q... -"))
    'trick'
    >>> layout_form(Layout.from_pbn("N:AK... - - -"))
    'part'
    """
    if layout.is_deal:
        return "deal"
    sizes = layout.sizes
    if len(set(sizes)) == 1:
        return "ending" if sizes[0] else "part"
    fewest = min(sizes)
    more = [size - fewest for size in sizes]
    turns = sum(1 for seat in range(len(Seat)) if more[seat] != more[seat - 1])
    return "trick" if max(more) == 1 and turns == 2 and fewest + 1 <= HAND_SIZE else "part"


def _readings_view(readings: Readings) -> list[ReadingView]:
    return [
        ReadingView(
            scheme=each.scheme,
            kind="hands" if each.scheme == HANDS else kind_of(each),
            summary=_summary(each.scheme, kind_of(each)),
            pbn=str(each.layout),
            board=each.board,
            form=layout_form(each.layout),
        )
        for each in readings
    ]


def _summary(scheme: str, kind: str) -> str:
    """Return what a scheme is."""
    if kind == "numbering":
        return numbering(scheme).summary
    if kind == "code":
        return code(scheme).summary
    known = {HANDS: "hands as people type them", "lines": "a deal in the notation of PBN"}
    return known.get(scheme) or format_of(scheme).summary


IDENTIFY = task_of("identify", {"text": "gjacljgkbedpjpaadglmfnnhmk007"}, _readings_view)


class TypedQuestion(Question):
    """A text, while somebody types it."""

    text: str = Field("", max_length=TEXT, description="a number, a code or a deal")


class RecogniseAnswer(Answer):
    """What a text is, in a sentence; or the problem while it is none of these yet."""

    words: str = Field(description="the schemes of the text; empty if there is a problem")
    problem: Problem | None = Field(description="why the text cannot be read yet")


def recognise(question: TypedQuestion) -> RecogniseAnswer:
    """Return what a text is in a sentence; a text that cannot be read is no error."""
    asked = Identify(question.text)
    try:
        readings = asked.readings(lambda _: None)
    except PavError as error:
        return RecogniseAnswer(words="", problem=problem_of(error))
    return RecogniseAnswer(
        words=_words(_readings_view(readings)),
        problem=None,
        command=command_of(asked),
        python=call_of(asked),
    )


def _words(readings: list[ReadingView]) -> str:
    """Return the schemes of readings as a sentence."""
    if len(readings) == 1:
        board = readings[0].board
        return f"This is {readings[0].summary}{'' if board is None else f', board {board}'}."
    names = [
        each.scheme if each.board is None else f"{each.scheme} board {each.board}"
        for each in readings
    ]
    more = len(names) - _MOST_NAMES
    return f"This may be: {', '.join(names[:_MOST_NAMES])}{f' and {more} more' * (more > 0)}."


RECOGNISE = Task(
    "recognise",
    "Return what a text is, in a sentence, while somebody types it.",
    recognise,
    TypedQuestion(text="12,345,678,901"),
)

# A layout in all numberings and codes, its class up to symmetry, and what it lacks.


_SUITS = ("spades", "hearts", "diamonds", "clubs")
_CLASSES = {"deal-suits": "suits", "deal-suits-turns": "suits,turns"}
_SAME = {
    "deal-suits": "the same deal if the suits change their names",
    "deal-suits-turns": "the same deal if the suits change their names and the table turns",
}
assert set(_CLASSES) == {*numbering_names(classes=True)} - {*numbering_names()}


class SchemeView(ClosedFields):
    """A layout in one scheme; a number has its place among all numbers, and its neighbours."""

    scheme: str
    kind: str
    summary: str
    text: str
    hexadecimal: str | None = None
    cardinality: int | None = None
    bits: int | None = None
    previous: int | None = None
    following: int | None = None


class ClassView(ClosedFields):
    """The deals that equal a deal up to a symmetry."""

    numbering: str
    same: str
    number: int
    classes: int
    size: int
    canonical: str


class DealView(ClosedFields):
    """What the page of a layout draws: the cards, what is missing, all schemes, its classes."""

    board: BoardView
    kind: str
    sizes: dict[str, int]
    missing: dict[str, str]
    schemes: list[SchemeView]
    classes: list[ClassView]


def _scheme(encoded: Encoded, *, one_based: bool) -> SchemeView:
    if encoded.number is None:
        return SchemeView(
            scheme=encoded.scheme,
            kind="code",
            summary=code(encoded.scheme).summary,
            text=encoded.text,
        )
    ranks, number = numbering(encoded.scheme, one_based=one_based), encoded.number
    digits = -(-ranks.last.bit_length() // 4)
    return SchemeView(
        scheme=encoded.scheme,
        kind="class" if encoded.scheme in _CLASSES else "numbering",
        summary=ranks.summary,
        text=encoded.text,
        hexadecimal=f"0x{number:0{digits}x}",
        cardinality=ranks.cardinality,
        bits=ranks.bits,
        previous=number - 1 if number > ranks.first else None,
        following=number + 1 if number < ranks.last else None,
    )


def _class(name: str, layout: Layout, *, one_based: bool) -> ClassView:
    symmetry, ranks = symmetry_of(_CLASSES[name]), numbering(name, one_based=one_based)
    number = ranks.rank(layout)
    return ClassView(
        numbering=name,
        same=_SAME[name],
        number=number,
        classes=ranks.cardinality,
        size=len({permutation.word(layout.owners) for permutation in symmetry.permutations}),
        canonical=str(ranks.unrank(number)),
    )


def _encode_view(answer: InScheme | InSchemes) -> DealView | None:
    """Return what the page draws of a layout in all schemes."""
    layout = answer.board.layout
    assert layout is not None
    if isinstance(answer, InScheme):
        return None
    one_based = answer.one_based
    return DealView(
        board=board_view(Board.make(layout, number=answer.board.number)),
        kind=layout_form(layout),
        sizes=dict(zip("NESW", layout.sizes, strict=True)),
        missing={suit: getattr(layout.unused, suit) for suit in _SUITS},
        schemes=[_scheme(each, one_based=one_based) for each in answer.schemes],
        classes=[_class(name, layout, one_based=one_based) for name in _CLASSES if layout.is_deal],
    )


ENCODE = task_of("encode", {"deal": _DEAL, "all": True}, _encode_view)
DECODE = task_of("decode", {"number": 5, "numbering": "deal"})

# Facts of a deal: points and shapes of its hands, with their exact probabilities.


_DIGITS = 9
"""The longest suit that the notation of shapes can write."""


class FactView(ClosedFields):
    """A fact of a deal, and how often it is so."""

    who: str = Field(description="a seat, a side or all hands")
    what: str = Field(description="the fact, such as '15 points'")
    event: str = Field(description="the event in the language of conditions")
    chance: Chance = Field(description="the exact probability of the event")


class FactsAnswer(Answer):
    """Facts of a deal with their exact probabilities."""

    facts: list[FactView]


@cache
def _shares(number: str) -> Mapping[int, Fraction]:
    """Return the probability of each value of a number that all seats share by symmetry."""
    shares = distribution(number)
    assert isinstance(shares, Distribution)
    return {int(value): share for value, share in shares.items()}


def _lengths_share(shapes: Sequence[tuple[int, ...]]) -> Fraction:
    """Return the share of the deals with these lengths in all hands.

    The thirteen cards of a suit are distributed to the hands in 13! / (a! b! c! d!) ways.
    """
    ways = 1
    for lengths in zip(*shapes, strict=True):
        ways *= factorial(SUIT_SIZE) // prod(map(factorial, lengths))
    return Fraction(ways, numbering("deal").cardinality)


def _lengths(seat: str, shape: tuple[int, ...]) -> str:
    """Return the condition for the length of each suit."""
    if max(shape) <= _DIGITS:
        return f"shape({seat}, {''.join(map(str, shape))})"
    return " && ".join(f"{suit}({seat}) == {n}" for suit, n in zip(_SUITS, shape, strict=True))


def _fact(who: str, what: str, event: str, share: Fraction) -> FactView:
    """Return a fact with a quick way to its probability; the definition is `probability`."""
    return FactView(who=who, what=what, event=event, chance=chance_of(share))


def _facts(deal: Layout) -> Iterator[FactView]:
    """Yield the facts of a deal."""
    points = _shares("hcp(north)")
    for seat in Seat:
        name, held = seat.name.lower(), deal[seat].hcp
        what = f"{held} point{'' if held == 1 else 's'}"
        yield _fact(seat.name.title(), what, f"hcp({name}) == {held}", points[held])
    for seat in Seat:
        yield _shape_fact(seat, deal[seat])
    both = deal.north.hcp + deal.south.hcp
    event, share = "hcp(north) + hcp(south)", _shares("hcp(north) + hcp(south)")[both]
    yield _fact("North–South", f"{both} points together", f"{event} == {both}", share)
    shapes = [hand.shape for hand in deal]
    lengths = [_lengths(seat.name.lower(), shapes[seat]) for seat in Seat]
    what = "exactly these lengths in all suits"
    yield _fact("All four", what, " && ".join(lengths), _lengths_share(shapes))


def _shape_fact(seat: Seat, hand: Hand) -> FactView:
    """Return the fact of the pattern of a hand; of its longest suit if that has ten cards or more.

    The notation of shapes has one digit for each length.
    """
    name, who, longest = seat.name.lower(), seat.name.title(), max(hand.shape)
    if longest <= _DIGITS:
        digits = "".join(map(str, hand.pattern))
        alike = (shape for shape in SHAPES if sorted(shape) == sorted(hand.shape))
        share = ShapeClass(alike).probability
        return _fact(who, f"shape {'-'.join(digits)}", f"shape({name}, any {digits})", share)
    suit = Suit(hand.shape.index(longest))
    share = ShapeClass(shape for shape in SHAPES if shape[suit] == longest).probability
    word = suit.name.lower()
    return _fact(who, f"{longest} {word}", f"{word}({name}) == {longest}", share)


class FactsQuestion(Question):
    """A deal whose facts are asked."""

    deal: str = Field("", max_length=TEXT, description="the deal in any notation, or its number")


def facts(question: FactsQuestion) -> FactsAnswer:
    """Return the points and the shapes of a deal with their exact probabilities."""
    deal = board_of_text(question.deal, "deal").layout
    if deal is None or not deal.is_deal:
        raise PavError("only a deal of 13 cards in each hand has these facts")
    told = list(_facts(deal))
    events = [fact.event for fact in told]
    listed = "".join(f"    {event!r},\n" for event in events)
    return FactsAnswer(
        facts=told,
        command="\n".join(f"pavcodec odds {quote(event)}" for event in events),
        python=(
            "import pavcodec as pav\n\n"
            f"for event in [\n{listed}]:\n"
            "    print(pav.probability(event), event)\n"
        ),
    )


FACTS = Task(
    "facts",
    "Return the points and the shapes of a deal with their exact probabilities.",
    facts,
    FactsQuestion(deal="12345678901234567890123456789"),
)


class TricksAnswer(Answer):
    """The double-dummy tricks of a deal."""

    tricks: tuple[tuple[str, tuple[int, ...]], ...] = Field(
        description="the tricks of N, S, E and W with NT S H D C"
    )


def tricks(question: FactsQuestion) -> TricksAnswer:
    """Return the double-dummy tricks of a deal; raise `PavError` without the package endplay."""
    from pavcodec.printing.document import facts_of
    from pavcodec.solving.double_dummy import solved_boards

    board = board_of_text(question.deal, "deal")
    if board.layout is None or not board.layout.is_deal:
        raise PavError("only a deal of 13 cards in each hand has these tricks")
    (solved,) = solved_boards([board])
    return TricksAnswer(
        tricks=facts_of(solved).tricks,
        command=f"pavcodec solve {quote(str(board.layout))}",
        python=(
            "import pavcodec as pav\n"
            "import numpy as np\n\n"
            f"deal = pav.Deal.from_pbn({str(board.layout)!r})\n"
            "owners = np.frombuffer(deal.owners, np.uint8)\n"
            "(tricks,) = pav.solve_many(owners.reshape(1, 52))\n"
            "print(pav.TrickTable(bytes(tricks)))\n"
        ),
    )


TRICKS = Task(
    "tricks",
    "Return the double-dummy tricks of a deal.",
    tricks,
    FactsQuestion(deal=_DEAL),
    starts_threads=True,
)

# Endings: whether play can reach them, the reason if not, or a deal and a line of play.


class CountView(ClosedFields):
    """How many endings have this number of cards in each hand, and how many of them are legal."""

    cards: int
    endings: int
    legal: int
    share: Chance


class EndingView(ClosedFields):
    """What the page draws of an ending beside the JSON of the answer."""

    ending: BoardView
    deal: BoardView | None
    on_lead: str | None
    table: list[str] | None
    count: CountView | None
    schemes: list[SchemeView]


def _ending_view(answer: Verdict) -> EndingView:
    found = answer.legality
    line, layout = found.line, found.layout
    return EndingView(
        ending=board_view(Board.make(layout)),
        deal=None if line is None else board_view(Board.make(line.deal)),
        on_lead=None if found.on_lead is None else found.on_lead.letter,
        table=None if found.table is None else [str(card) for card in found.table],
        count=_count(layout.sizes),
        schemes=[_scheme(each, one_based=False) for each in encode_all(layout)],
    )


def _count(sizes: tuple[int, int, int, int]) -> CountView | None:
    """Return the number of endings with this number of cards in each hand."""
    if len(set(sizes)) > 1:
        return None
    cards = sizes[0]
    ranking = numbering("balanced").ranking
    assert isinstance(ranking, EqualHands)
    total, legal = ranking.counts[cards], LEGAL_ENDINGS[cards]
    share = chance_of(Fraction(legal, total))
    return CountView(cards=cards, endings=total, legal=legal, share=share)


ENDING = task_of("ending", {"layout": _ENDING, "denomination": "NT"}, _ending_view)


def ending_file(fields: Question) -> Download:
    """Return the deal and the play to a legal ending as a file of PBN."""
    answer = answer_within(question_of("ending", fields))
    assert isinstance(answer, Verdict)
    found = answer.legality
    if found.line is None:
        raise PavError(f"no play reaches this ending: {found.reason}")
    stream = io.BytesIO()
    format_of("pbn").write([board_of_line(found.line)], stream, Context("ending.pbn"))
    return file_of("ending.pbn", stream.getvalue())


ENDING_FILE = Task(
    "ending/file",
    "Return the deal and the play to a legal ending as a file of PBN.",
    ending_file,
    model_of("ending").model_validate({"layout": _ENDING}),
    media_types([".pbn"]),
)
