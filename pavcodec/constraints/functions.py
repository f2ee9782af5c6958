"""The table of the functions of the language: a row for each, which is also the Python function.

A row has the name and the other spellings, the kinds of the arguments, the meaning, examples, and
what makes the node of a call. All else is derived from the rows: the words of the grammar, the
builder, hints, completion, the list in the manual, the dialects, and the functions of
`pavcodec.constraints.expressions`. Evaluation, arrays, diagrams and case listings know only the
kinds of functions of `pavcodec.layout.hand`.

>>> str(cccc("north") >= 1200), FUNCTIONS["cccc"].usage
('cccc(north) >= 1200', 'cccc takes a seat, as in cccc(north)')

Rule 1: A new function of a hand is one row: `BySeat`, or `BySuit` if it may be asked for one suit.
        The definition of its value is a function of a module, so that nodes can be pickled.
Rule 2: A word that the classic program does not have is not reserved: a variable may have its name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any, ClassVar, Generic, ParamSpec

from pavcodec.boards.board import Vulnerability
from pavcodec.cards import SUIT_SIZE, Card, Seat, Strain, Suit
from pavcodec.constraints.nodes.syntax import (
    And,
    Arithmetic,
    Comparison,
    HandValue,
    HasCard,
    Holding,
    Imps,
    InShapes,
    Length,
    Node,
    Not,
    Number,
    Or,
    Par,
    Random,
    Score,
    SmallHolding,
    Tricks,
)
from pavcodec.constraints.operators import Expression
from pavcodec.errors import PavError
from pavcodec.layout.hand import (
    CCCC,
    CONTROLS,
    HCP,
    LENGTH,
    LOSERS,
    QUALITY,
    HandFunction,
    OfLengths,
    SumOverCards,
    weights_of,
)
from pavcodec.shapes import SHAPES, Shape, parse_shapes

SeatLike = Seat | int | str
SuitLike = Suit | int | str

PROGRAMS = {
    "bbo": "BBO",
    "dealer": "the classic dealer",
    "dealerv2": "DealerV2",
    "dealer3": "Dealer3",
}
"""The other programs with this language: their names in `--for`, and in a sentence."""

FUNCTIONS: dict[str, Function] = {}
"""The rows by their names, in the order of the table."""

_P = ParamSpec("_P")


@dataclass(eq=False, repr=False)
class Function:
    """A row of the table."""

    name: str
    """The name in canonical texts."""
    meaning: str
    """What the value is, in a few words."""
    make: Callable[..., Node]
    """From the arguments to the node."""
    arguments: tuple[str, ...]
    """The kinds of the arguments."""
    takes: str
    """The arguments in words."""
    example: str
    least: int = 0
    """The least number of arguments; 0 if all are necessary."""
    function: HandFunction | None = None
    """The value of the cards of a hand; None if it depends on other arguments."""
    spellings: tuple[str, ...] = ()
    """Other names in all programs."""
    elsewhere: tuple[str, ...] = ()
    """Other names in some programs."""
    programs: Collection[str] = tuple(PROGRAMS)
    """The other programs that have the function."""

    def __post_init__(self) -> None:
        self.least = self.least or len(self.arguments)
        FUNCTIONS[self.name] = self

    @property
    def usage(self) -> str:
        """The arguments, in a sentence that starts with the name."""
        return f"{self.name} takes {self.takes}, as in {self.example}"

    @property
    def is_classic(self) -> bool:
        """Whether the classic program has the function, so that its name is reserved."""
        return "dealer" in self.programs


class BySeat(Function):
    """A function of a whole hand."""

    kinds: ClassVar[tuple[str, ...]] = ("seat",)

    def __init__(
        self,
        name: str,
        function: HandFunction,
        meaning: str,
        *spellings: str,
        suit: Suit | None = None,
        programs: Collection[str] = tuple(PROGRAMS),
    ) -> None:
        in_suit = len(self.kinds) > 1
        super().__init__(
            name,
            meaning,
            partial(_value, name, function) if suit is None else partial(_length, suit),
            self.kinds,
            f"a seat{' and perhaps a suit' * in_suit}",
            f"{name}(north){f' or {name}(north, spades)' * in_suit}",
            least=1,
            function=function,
            spellings=spellings,
            programs=programs,
        )
        self.__doc__ = f'Return {meaning}.\n\n>>> print({name}("north"))\n{name}(north)\n'

    def __call__(self, seat: SeatLike) -> Expression:
        """Return the expression of the function for a seat."""
        return Expression(self.make(seat))


class BySuit(BySeat):
    """A function of a whole hand, or of the cards in a suit."""

    kinds = "seat", "suit"

    def __call__(self, seat: SeatLike, suit: SuitLike | None = None) -> Expression:
        """Return the expression of the function for a seat, in one suit or in all."""
        return Expression(self.make(seat, suit))


class Defined(Function, Generic[_P]):
    """A function with arguments of its own."""

    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> Expression:
        """Return the expression of the function for these arguments."""
        return Expression(self.make(*args, **kwargs))


def _row(
    meaning: str,
    *arguments: str,
    takes: str,
    example: str,
    **more: Any,
) -> Callable[[Callable[_P, Node]], Defined[_P]]:
    """Make a row of a function that returns the node; its docstring is that of the row."""

    def row(make: Callable[_P, Node]) -> Defined[_P]:
        made = Defined[_P](make.__name__, meaning, make, arguments, takes, example, **more)
        made.__doc__ = make.__doc__
        return made

    return row


def _value(
    name: str, function: HandFunction, seat: SeatLike, suit: SuitLike | None = None
) -> HandValue:
    return HandValue(name, Seat.of(seat), None if suit is None else Suit.of(suit), function)


def _length(suit: Suit, seat: SeatLike) -> Length:
    return Length(Seat.of(seat), suit)


# The rows. Lengths:

spades = BySeat("spades", LENGTH, "the number of spades", "spade", suit=Suit.SPADES)
hearts = BySeat("hearts", LENGTH, "the number of hearts", "heart", suit=Suit.HEARTS)
diamonds = BySeat("diamonds", LENGTH, "the number of diamonds", "diamond", suit=Suit.DIAMONDS)
clubs = BySeat("clubs", LENGTH, "the number of clubs", "club", suit=Suit.CLUBS)

# Sums of points:

hcp = BySuit("hcp", HCP, "high-card points: ace 4, king 3, queen 2, jack 1", "hcps")
controls = BySuit("controls", CONTROLS, "controls: ace 2, king 1", "control")


def _points(name: str, meaning: str, points: Sequence[int], *spellings: str) -> BySuit:
    return BySuit(name, SumOverCards(weights_of(*points)), meaning, *spellings)


tens = _points("tens", "the number of tens", (0, 0, 0, 0, 1), "ten")
jacks = _points("jacks", "the number of jacks", (0, 0, 0, 1), "jack")
queens = _points("queens", "the number of queens", (0, 0, 1), "queen")
kings = _points("kings", "the number of kings", (0, 1), "king")
aces = _points("aces", "the number of aces", (1,), "ace")
top2 = _points("top2", "honours among ace and king", (1, 1))
top3 = _points("top3", "honours among ace, king and queen", (1, 1, 1))
top4 = _points("top4", "honours from ace to jack", (1, 1, 1, 1))
top5 = _points("top5", "honours from ace to ten", (1, 1, 1, 1, 1))
c13 = _points("c13", "points of ace 6, king 4, queen 2, jack 1", (6, 4, 2, 1))

POINTS = {
    name: row.function.weights
    for name, row in FUNCTIONS.items()
    if isinstance(row.function, SumOverCards) and row.function != LENGTH
}
"""The points of each function that is a sum over cards, ace first."""

ALTERNATIVES = (
    *("tens", "jacks", "queens", "kings", "aces"),
    *("top2", "top3", "top4", "top5", "c13"),
)
"""The names of the functions pt0 to pt9; `altcount` sets their points."""

for _number, _name in enumerate(ALTERNATIVES):
    _points(f"pt{_number}", f"{_name}, unless altcount sets it", POINTS[_name])

# Other values of the cards of a hand:

losers = BySuit(
    "losers",
    LOSERS,
    "losing tricks: ace, king and queen that are missing in the first three cards",
    "loser",
)


@_row(
    "the quality of a suit by Kaplan and Rubens, times 100",
    *("seat", "suit"),
    takes="a seat and a suit",
    example="quality(north, spades)",
    function=QUALITY,
)
def quality(seat: SeatLike, suit: SuitLike) -> HandValue:
    """Return 100 times the suit quality as The Bridge World, October 1982, defines it."""
    return _value("quality", QUALITY, seat, suit)


cccc = BySeat("cccc", CCCC, "the value of a hand by Kaplan and Rubens, times 100")
longest = BySeat("longest", OfLengths(max), "the length of the longest suit", programs=())


def _twos(lengths: Sequence[int]) -> int:
    return lengths.count(2)


doubletons = BySeat("doubletons", OfLengths(_twos), "the number of suits of two cards", programs=())


@_row(
    "whether the suit lengths are in a list of shapes",
    *("seat", "shapes"),
    takes="a seat and a list of shapes",
    example="shape(north, any 4333 + 5xxx)",
)
def shape(seat: SeatLike, shapes: str | Iterable[Shape]) -> InShapes:
    """Return whether a seat's lengths are among some shapes, given as text or one by one.

    Raises `TextError` for a wrong text, and `PavError` for lengths that do not sum to 13.

    >>> print(shape("south", "any 4333 + any 4432"), "/", shape("south", [(5, 3, 3, 2)]))
    shape(south, any 4333 + any 4432) / shape(south, 5332)
    """
    allowed = parse_shapes(shapes) if isinstance(shapes, str) else frozenset(shapes)
    wrong = allowed - set(SHAPES)
    if wrong:
        raise PavError(f"a shape is four lengths that sum to 13, not {min(wrong)!r}")
    return InShapes(Seat.of(seat), allowed)


@_row(
    "whether a hand has a card",
    *("seat", "card"),
    takes="a seat and a card",
    example="hascard(north, AS)",
)
def hascard(seat: SeatLike, card: Card | int | str) -> HasCard:
    """Return whether a seat holds a card, given as a `Card` or as text such as SA or AS.

    >>> print(hascard("east", "DA") & hascard("west", "TC"))
    hascard(east, AD) && hascard(west, TC)
    """
    return HasCard(Seat.of(seat), Card(card))


@_row(
    "whether the cards of a suit are exactly these; x is a small card",
    *("seat", "suit", "cards"),
    takes="a seat, a suit and cards",
    example="holding(north, spades, QTxx)",
    programs=(),
)
def holding(seat: SeatLike, suit: SuitLike, cards: str) -> Holding:
    """Return whether a seat's cards of a suit are exactly these; x is a small card.

    >>> print(holding("west", "hearts", "KJxx"), "or", holding("west", "hearts", "void"))
    holding(west, hearts, KJxx) or holding(west, hearts, void)
    """
    return Holding(Seat.of(seat), Suit.of(suit), SmallHolding.parse(cards))


@_row(
    "the sum of your own points for ace, king, queen and so on",
    *("seat", "points"),
    takes="a seat, perhaps a suit, and values, ace first",
    example="points(north, 6 4 2 1)",
    programs=(),
)
def points(seat: SeatLike, worth: str | Iterable[int], suit: SuitLike | None = None) -> HandValue:
    """Return the sum of the points of a seat's cards, in one suit or in all.

    `worth` is the points of each rank, ace first, as text or as integers; ranks without a number
    count 0. Raises `PavError` for no numbers or more than 13.

    >>> print(points("north", "6 4 2 1 1", "spades"), "and", points("north", [4, 3, 2, 1]))
    points(north, spades, 6 4 2 1 1) and hcp(north)
    """
    values = [int(word) for word in (worth.split() if isinstance(worth, str) else worth)]
    if not 1 <= len(values) <= SUIT_SIZE:
        raise PavError(f"points are 1 to {SUIT_SIZE} numbers, ace first, not {len(values)}")
    return card_sum(Seat.of(seat), None if suit is None else Suit.of(suit), values)


_NAMES = {weights: name for name, weights in POINTS.items()}


def card_sum(seat: Seat, suit: Suit | None, worth: Sequence[int]) -> HandValue:
    """Return the node of a sum of points, ace first.

    Its name is the function that has these points by default, or `points` if there is none.

    >>> card_sum(Seat.NORTH, None, (4, 3, 2, 1)).name, card_sum(Seat.NORTH, None, (3, 2, 1)).name
    ('hcp', 'points')
    """
    weights = weights_of(*worth)
    return HandValue(_NAMES.get(weights, "points"), seat, suit, SumOverCards(weights))


@_row(
    "losing tricks with half losers, times 100",
    *("seat", "suit"),
    takes="a seat and perhaps a suit",
    example="ltc(north) or ltc(north, spades)",
    least=1,
    programs=("dealerv2",),
)
def ltc(seat: SeatLike, suit: SuitLike | None = None) -> Node:
    """Count losing tricks in hundredths, with half losers, in one suit or in all.

    It is 100 times `losers`, corrected in each suit as DealerV2 does. Half a loser less: a single
    king; ace and queen in a doubleton; ace, jack and exactly one of king and queen; jack, ten and
    exactly one of ace and king, without the queen. Half a loser more: the queen without ace, king
    and jack, in three cards or more.

    >>> from pavcodec import deals
    >>> deals(ltc("north", "spades") <= 50).probability
    Fraction(10148846683, 158753389900)
    >>> str(ltc("west", "clubs"))[:40]
    '100 * losers(west, clubs) + 50 * ((hasca'
    """
    suits = Suit if suit is None else [Suit.of(suit)]
    return reduce(partial(Arithmetic, "+"), [_losers_of(Seat.of(seat), each) for each in suits])


def _losers_of(seat: Seat, suit: Suit) -> Node:
    """Return 100 times the losers of a suit, corrected by half losers."""
    ace, king, queen, jack, ten = (HasCard(seat, Card(suit * SUIT_SIZE + n)) for n in range(5))
    length = Length(seat, suit)
    less = Or(
        (
            And((Comparison("==", length, Number(1)), king)),
            And((Comparison("==", length, Number(2)), ace, queen)),
            And((jack, ace, Comparison("!=", king, queen))),
            And((jack, ten, Not(queen), Comparison("!=", ace, king))),
        )
    )
    more = And((queen, Comparison(">=", length, Number(3)), Not(Or((ace, king, jack)))))
    whole = Arithmetic("*", Number(100), _value("losers", LOSERS, seat, suit))
    return Arithmetic("+", whole, Arithmetic("*", Number(50), Arithmetic("-", more, less)))


# Functions of more than the cards of a hand:


def _par(side: int, vulnerable: Vulnerability = Vulnerability.NONE) -> Par:
    return Par(side, vulnerable)


def _score(vulnerable: bool, contract: tuple[int, Strain, int], tricks: Node) -> Score:
    return Score(vulnerable, *contract, tricks)


Function(
    "tricks",
    "double-dummy tricks of a declarer",
    Tricks,
    ("seat", "strain"),
    "a seat and a strain",
    "tricks(north, notrump)",
    spellings=("trick",),
    elsewhere=("dds",),
)
Function(
    "par",
    "the par score of a side, from double-dummy tricks",
    _par,
    ("side", "vulnerable"),
    "a side, NS or EW, and perhaps none, ns, ew or both",
    "par(NS) or par(EW, both)",
    least=1,
    programs=("dealerv2",),
)
Function(
    "score",
    "the score of a contract with a number of tricks",
    _score,
    ("vulnerability", "contract", "number"),
    "vul or nv, a contract and tricks",
    "score(vul, x4S, 10)",
)
Function(
    "imps",
    "the IMPs of a difference of scores",
    Imps,
    ("number",),
    "a difference",
    "imps(100)",
    spellings=("imp",),
)
Function(
    "rnd",
    "a random number from 0, a new one for each deal",
    Random,
    ("number", "draw"),
    "a number, as in rnd(6), and perhaps the number of the draw",
    "rnd(6, 1)",
    least=1,
)

REFUSED = {
    "opc": "opc, the optimal point count of Darricades, is a program beside DealerV2, DOP; "
    "write points, as in cccc(north) + cccc(south) or points(north, 9 6 4 2)",
    "parcontract": "parcontract, the contract of the par score, is a text: it stands in "
    "printrpt or csvrpt, as in action printrpt(deal, parcontract(both))",
    "usereval": "usereval calls a server of its own in DealerV2, the folder UserEval; "
    "in Python, pavcodec.constraints.expressions.condition makes a condition of any function",
}
"""Functions of other programs that pavcodec does not have, each with a message that names a
replacement."""

__test__ = {name: row.__doc__ for name, row in FUNCTIONS.items() if globals().get(name) is row}
