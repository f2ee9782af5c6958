"""Numbers and codes to deals and back, facts of deals, and endings with their lines of play."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import factorial, prod
from shlex import quote
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from pavcodec.boards import Board, Context
from pavcodec.boards import Problem as ReadProblem
from pavcodec.boards.play import board_of_line
from pavcodec.cards import HAND_SIZE, SUIT_SIZE, Card, Seat, Suit
from pavcodec.chances import Distribution, distribution
from pavcodec.codes import Encoded, Reading, code, code_names, encode_all
from pavcodec.errors import PavError, TextError, suggest
from pavcodec.formats import format_of
from pavcodec.formats.pasted import HANDS, parse_hands
from pavcodec.formats.pasted import identify as identify_text
from pavcodec.formats.plain.texts import parse_number
from pavcodec.layout import Hand, Layout
from pavcodec.legal import LEGAL_ENDINGS, Legality, legality
from pavcodec.numberings import numbering, numbering_names
from pavcodec.numberings.rankings import EqualHands
from pavcodec.shapes import SHAPES, ShapeClass
from pavcodec.symmetry import symmetry_of
from pavcodec.web.tasks.exact import BoardView, Chance, Whole, board_view, chance_of
from pavcodec.web.tasks.problem import Problem, in_field, problem_of
from pavcodec.web.tasks.task import (
    PAGE_BOARDS,
    TEXT,
    Answer,
    ClosedFields,
    Download,
    Question,
    Task,
    argument,
)
from pavcodec.web.tasks.writing import file_of, media_types

# Cards in questions: a text in any notation, or up to four hands, and what it may mean.


def _one_hand(text: str) -> str:
    """Return the text of one hand; raise `TextError` for another text."""
    if text.strip(" -.") and sum(map(bool, parse_hands(text).sizes)) > 1:
        raise PavError("expected one hand here")
    return text


HandText = Annotated[
    str,
    Field(max_length=200, description="the cards of this hand, as in AQ85.Q862.A.AQJ2"),
    AfterValidator(_one_hand),
]


class CardsQuestion(Question):
    """A number, a code or a deal, as a text; or up to four hands."""

    text: str = Field(
        "", max_length=TEXT, description="a number, a code, or a deal in any notation"
    )
    north: HandText = ""
    east: HandText = ""
    south: HandText = ""
    west: HandText = ""
    numbering: str = Field(
        "", max_length=40, description="the scheme of the text (default: the first that fits)"
    )
    one_based: bool = Field(default=False, description="whether numbers start at 1, as in books")
    board: int | None = Field(
        None, ge=1, le=999_999, description="the board, if the text has several"
    )


def text_of(question: CardsQuestion) -> str:
    """Return the text of a question: its own, or its hands behind their seats.

    >>> text_of(CardsQuestion(south="AK.Q.."))
    'South: AK.Q..'
    """
    hands = {seat: getattr(question, seat.name.lower()).strip() for seat in Seat}
    if question.text.strip():
        return question.text.strip()
    if not any(hands.values()):
        raise PavError("expected a number, a code or a deal")
    typed = ((seat.name.title(), " ".join(hand.split())) for seat, hand in hands.items() if hand)
    return " ".join(f"{name}: {hand}" for name, hand in typed)


def readings_of(question: CardsQuestion) -> tuple[list[Reading], list[ReadProblem]]:
    """Return all meanings of a question, and what of it cannot be read."""
    problems: list[ReadProblem] = []
    text = text_of(question)
    if question.text.strip():
        with in_field("text"):
            return identify_text(
                text, one_based=question.one_based, report=problems.append
            ), problems
    return [Reading(HANDS, parse_hands(text))], problems


def chosen(readings: list[Reading], question: CardsQuestion) -> Reading:
    """Return the reading that a question chooses by its scheme and board, else the first."""
    names = list(dict.fromkeys(reading.scheme for reading in readings))
    if question.numbering and question.numbering not in names:
        raise suggest("scheme of this text", question.numbering, names)
    fits = [
        reading for reading in readings if reading.scheme == (question.numbering or reading.scheme)
    ]
    boards = [reading for reading in fits if question.board in (None, reading.board)]
    if not boards:
        raise PavError(f"the text has no board {question.board}")
    return boards[0]


# A layout in all numberings and codes, its class up to symmetry, and what it lacks.


_SUITS = ("spades", "hearts", "diamonds", "clubs")
_CLASSES = {"deal-suits": "suits", "deal-suits-turns": "suits,turns"}
_SAME = {
    "deal-suits": "the same deal if the suits change their names",
    "deal-suits-turns": "the same deal if the suits change their names and the table turns",
}


class SchemeView(ClosedFields):
    """A layout in one scheme; a number has its place among all numbers, and its neighbours."""

    scheme: str
    kind: str = Field(description="numbering, class or code")
    summary: str = Field(description="what the scheme is")
    text: str = Field(description="the number or the code")
    hexadecimal: str | None = Field(None, description="the number in hexadecimal, all digits")
    cardinality: Whole | None = Field(None, description="how many numbers there are")
    bits: int | None = Field(None, description="the bits of the largest number")
    previous: Whole | None = Field(None, description="the number before, if there is one")
    following: Whole | None = Field(None, description="the next number, if there is one")


class ClassView(ClosedFields):
    """The deals that equal a deal up to a symmetry."""

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
    turns = sum(1 for seat in range(len(Seat)) if more[seat] != more[seat - 1])
    return "trick" if max(more) == 1 and turns == 2 and fewest + 1 <= HAND_SIZE else "part"


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


def schemes_of(
    layout: Layout, board: int | None = None, *, one_based: bool = False
) -> list[SchemeView]:
    """Return a layout in all numberings and codes that contain it."""
    encodings = encode_all(layout, board=board, one_based=one_based)
    return [_scheme(encoded, one_based=one_based) for encoded in encodings]


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


def encode(question: CardsQuestion) -> EncodeAnswer:
    """Return a layout in all numberings and codes that contain it."""
    readings, _ = readings_of(question)
    reading = chosen(readings, question)
    layout = reading.layout
    is_deal = layout.is_deal
    options = "--one-based " if question.one_based else ""
    options += "" if reading.board is None else f"--board {reading.board} "
    return EncodeAnswer(
        scheme=reading.scheme,
        board=board_view(Board.make(layout, number=reading.board)),
        kind=kind_of(layout),
        sizes=dict(zip("NESW", layout.sizes, strict=True)),
        missing={suit: getattr(layout.unused, suit) for suit in _SUITS},
        schemes=schemes_of(layout, reading.board, one_based=question.one_based),
        classes=[
            _class(name, layout, one_based=question.one_based) for name in _CLASSES if is_deal
        ],
        command=f"pavcodec encode --all {options}{argument(str(layout))}",
        python=_encode_python(reading, one_based=question.one_based),
    )


def _encode_python(reading: Reading, *, one_based: bool) -> str:
    given = "" if reading.board is None else f", board={reading.board}"
    given += ", one_based=True" if one_based else ""
    lines = [
        "import pavcodec as pav",
        "",
        f"layout = pav.Layout.from_pbn({str(reading.layout)!r})",
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


def facts(question: CardsQuestion) -> FactsAnswer:
    """Return the points and the shapes of a deal with their exact probabilities."""
    readings, _ = readings_of(question)
    deal = chosen(readings, question).layout
    if not deal.is_deal:
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
    CardsQuestion(text="12345678901234567890123456789"),
)


# What a text means: its layouts in all schemes; and the layout of a number.


_MOST_NAMES = 6
"""The schemes that one sentence lists."""


class ReadingView(ClosedFields):
    """A meaning of a text: the scheme, and the board."""

    scheme: str = Field(description="the name of the numbering, the code or the format")
    kind: str = Field(description="numbering, code, format or hands")
    summary: str = Field(description="what the scheme is")
    number: Whole | None = Field(description="the number, if the scheme is a numbering")
    board: BoardView = Field(description="the cards, and the board number if there is one")


class IdentifyAnswer(Answer):
    """All meanings of a text."""

    readings: list[ReadingView] = Field(description=f"the first {PAGE_BOARDS} meanings")
    more: int = Field(description="the number of further meanings")
    problems: list[str] = Field(description="the parts of the text that cannot be read")


def summary_of(scheme: str) -> tuple[str, str]:
    """Return what kind of scheme a name is, and its summary.

    >>> summary_of("lines")
    ('format', 'a deal in the notation of PBN')
    """
    if scheme == HANDS:
        return "hands", "hands as people type them"
    if scheme in code_names(rare=True):
        return "code", code(scheme).summary
    if scheme == "lines":
        return "format", "a deal in the notation of PBN"
    return "format", format_of(scheme).summary


def _view(reading: Reading) -> ReadingView:
    if reading.number is not None:
        kind, summary = "numbering", numbering(reading.scheme).summary
    else:
        kind, summary = summary_of(reading.scheme)
    board = board_view(Board.make(reading.layout, number=reading.board))
    return ReadingView(
        scheme=reading.scheme, kind=kind, summary=summary, number=reading.number, board=board
    )


def identify(question: CardsQuestion) -> IdentifyAnswer:
    """Return all meanings of a text."""
    readings, problems = readings_of(question)
    return IdentifyAnswer(
        readings=[_view(reading) for reading in readings[:PAGE_BOARDS]],
        more=max(0, len(readings) - PAGE_BOARDS),
        problems=[str(problem).partition(":")[2].strip() for problem in problems],
        command=_identify_command(question),
        python=(
            "import pavcodec as pav\n\n"
            f"for reading in pav.identify({_arguments(question)}):\n"
            "    print(reading.scheme, reading.number, reading.layout)\n"
        ),
    )


def _identify_command(question: CardsQuestion) -> str:
    return f"pavcodec identify {'--one-based ' * question.one_based}{argument(text_of(question))}"


def _arguments(question: CardsQuestion) -> str:
    """Return the arguments of `pav.identify`."""
    return f"{text_of(question)!r}{', one_based=True' * question.one_based}"


IDENTIFY = Task(
    "identify",
    "Return all meanings of a number, a code or a deal.",
    identify,
    CardsQuestion(text="gjacljgkbedpjpaadglmfnnhmk007"),
)


class RecogniseAnswer(Answer):
    """What a text is, in a sentence; or the problem while it is none of these yet."""

    words: str = Field(description="the schemes of the text; empty if there is a problem")
    problem: Problem | None = Field(description="why the text cannot be read yet")


def recognise(question: CardsQuestion) -> RecogniseAnswer:
    """Return what a text is in a sentence; a text that cannot be read is no error."""
    try:
        readings, _ = readings_of(question)
    except PavError as error:
        return RecogniseAnswer(words="", problem=problem_of(error))
    call = f"pav.identify({_arguments(question)})"
    return RecogniseAnswer(
        words=_words(readings),
        problem=None,
        command=_identify_command(question),
        python=f"import pavcodec as pav\n\nprint([one.scheme for one in {call}])\n",
    )


def _words(readings: list[Reading]) -> str:
    """Return the schemes of readings as a sentence."""
    if len(readings) == 1:
        scheme, board = readings[0].scheme, readings[0].board
        what = (
            numbering(scheme).summary if readings[0].number is not None else summary_of(scheme)[1]
        )
        return f"This is {what}{'' if board is None else f', board {board}'}."
    names = [
        reading.scheme if reading.board is None else f"{reading.scheme} board {reading.board}"
        for reading in readings
    ]
    more = len(names) - _MOST_NAMES
    return f"This may be: {', '.join(names[:_MOST_NAMES])}{f' and {more} more' * (more > 0)}."


RECOGNISE = Task(
    "recognise",
    "Return what a text is, in a sentence, while somebody types it.",
    recognise,
    CardsQuestion(text="12,345,678,901"),
)


_LEAST_ROUNDED = 1 << 53
"""From this number on, decimal numbers of JSON may be another whole one that was rounded."""


def _number(value: object) -> object:
    """Return a number that somebody typed; other values unchanged."""
    if isinstance(value, float) and abs(value) >= _LEAST_ROUNDED:
        raise ValueError("a decimal number of 2^53 or more is rounded: send it whole, or as a text")
    return parse_number(value) if isinstance(value, str) else value


class DecodeQuestion(Question):
    """A number in a numbering."""

    number: Annotated[Whole, BeforeValidator(_number)] = Field(0, description="the number")
    numbering: str = Field("deal", description="the name of the numbering")


class DecodeAnswer(Answer):
    """The deal of a number."""

    board: BoardView


def decode(question: DecodeQuestion) -> DecodeAnswer:
    """Return the layout of a number in one numbering."""
    name, number = question.numbering, question.number
    return DecodeAnswer(
        board=board_view(Board.make(numbering(name).unrank(number))),
        command=f"pavcodec decode --as {name} {number}",
        python=f"import pavcodec as pav\n\nprint(pav.numbering({name!r}).unrank({number}))\n",
    )


DECODE = Task(
    "decode", "Return the deal of a number.", decode, DecodeQuestion(number=5, numbering="deal")
)


# Endings: whether play can reach them, the reason if not, or a deal and a line of play.


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


class TrickView(ClosedFields):
    """A trick: its leader, its cards in playing order, and its winner if it is complete."""

    leader: str = Field(description="N, E, S or W")
    cards: list[str] = Field(description="the cards in playing order, such as SA")
    winner: str | None = Field(description="N, E, S or W; null for an incomplete trick")


class CountView(ClosedFields):
    """How many endings have this number of cards in each hand, and how many of them are legal."""

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


def _table(text: str) -> tuple[Card, ...] | None:
    """Return the cards on the table; None without any."""
    cards = []
    for word in text.replace(",", " ").split():
        try:
            cards.append(Card.parse(word))
        except PavError as error:
            start = text.index(word)
            raise TextError(str(error), text, (start, start + len(word))) from None
    return tuple(cards) or None


def _legality(question: EndingQuestion) -> tuple[Reading, Legality]:
    """Return the verdict on the chosen reading, else on the first that is an ending."""
    readings, _ = readings_of(question)
    if not question.numbering:
        order = ("ending", "deal", "trick", "part")
        readings = sorted(readings, key=lambda reading: order.index(kind_of(reading.layout)))
    reading = chosen(readings, question)
    if not any(reading.layout.sizes):
        raise PavError("expected the cards of four hands")
    verdict = legality(
        reading.layout,
        denomination=question.denomination or None,
        first_leader=question.first_leader or None,
        on_lead=question.on_lead or None,
        table=_table(question.table),
    )
    return reading, verdict


def ending(question: EndingQuestion) -> EndingAnswer:
    """Return whether play can reach an ending, with the reason or a line of play."""
    reading, verdict = _legality(question)
    line, layout = verdict.line, reading.layout
    table = None if verdict.table is None else [str(card) for card in verdict.table]
    known = _given(question)
    options = "".join(f"--{name.replace('_', '-')} {value} " for name, value in known)
    return EndingAnswer(
        scheme=reading.scheme,
        ending=board_view(Board.make(layout)),
        legal=bool(verdict),
        reason=verdict.reason,
        denominations=[strain.letters for strain in verdict.denominations],
        on_lead=None if verdict.on_lead is None else verdict.on_lead.letter,
        table=table,
        deal=None if line is None else board_view(Board.make(line.deal)),
        denomination=None if line is None else line.denomination.letters,
        tricks=_tricks(verdict),
        count=_count(layout.sizes),
        schemes=schemes_of(layout, one_based=question.one_based),
        command=f"pavcodec ending {options}{argument(str(layout))}",
        python=_ending_python(str(layout), question),
    )


def _tricks(verdict: Legality) -> list[TrickView]:
    if verdict.line is None:
        return []
    return [
        TrickView(
            leader=trick.leader.letter,
            cards=[str(card) for card in trick.cards],
            winner=None if trick.winner is None else trick.winner.letter,
        )
        for trick in verdict.line.tricks
    ]


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


def _given(question: EndingQuestion) -> Iterator[tuple[str, str]]:
    """Yield what a question says of the play, in the words of Python."""
    for name in ("denomination", "first_leader", "on_lead"):
        if value := getattr(question, name):
            yield name, value
    if cards := _table(question.table):
        yield "table", ",".join(map(str, cards))


def _ending_python(text: str, question: EndingQuestion) -> str:
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
    _, verdict = _legality(question)
    if verdict.line is None:
        raise PavError(f"no play reaches this ending: {verdict.reason}")
    stream = io.BytesIO()
    format_of("pbn").write([board_of_line(verdict.line)], stream, Context("ending.pbn"))
    return file_of("ending.pbn", stream.getvalue())


ENDING_FILE = Task(
    "ending/file",
    "Return the deal and the play to a legal ending as a file of PBN.",
    ending_file,
    EndingQuestion(text="N:AT.A.A. K.K.K.K Q.Q.Q.Q J.J.J.J"),
    media_types([".pbn"]),
)
