"""The library of situations: conditions for practice, each with a name and a title.

Rule 1: South is the player of a situation, North the partner, East the opponent.
Rule 2: A condition is exactly what its summary says; all other hands are random.
Rule 3: A condition can be counted exactly.
Rule 4: A condition determines the deals of a seed. So another condition gets another name, or the
change is a change of format.

*Balanced* is no void, no singleton and at most one doubleton. *Points* are high-card points. A
*good* suit has two of the three top honours or three of the five. *One of a suit* is opened on five
cards or more, no other suit of five, and 11 to 15 points.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, reduce
from operator import and_
from typing import TYPE_CHECKING

from pavcodec.cards import UNUSED, Seat, Suit
from pavcodec.errors import PavError, check_text, suggest
from pavcodec.layout import Deal
from pavcodec.layout.layout import layout_from_owners
from pavcodec.numberings.catalogue import numbering

if TYPE_CHECKING:
    from pavcodec.constraints import ConstrainedDeals, Expression


# The difficulty of a board: a figure of two partners, and its values at each level.
#
# Rule 1: The figure is that of North and South of the condition: their points together, or the
# length of their longest fit in some suits. Rule 2: Each level is a condition in the language, so
# it can be counted exactly. Each deal has exactly one level. Rule 3: A level and a seed determine
# deals. So a change of a level is a change of format.
#
# *Points*: game needs about 25 points and slam about 33. A board is hard if one point decides, and
# easy if game and slam are at least three points away.
#
# *Fit*: a board is easy with a long fit, and hard without one.


LEVELS = ("easy", "medium", "hard")
"""The names of the levels."""

_POINTS = "hcp(north) + hcp(south)"
_FEWEST, _MOST = 0, 40
_RANGES = {
    "easy": ((_FEWEST, 21), (28, 29), (36, _MOST)),
    "medium": ((22, 23), (26, 27), (30, 31), (34, 35)),
    "hard": ((24, 25), (32, 33)),
}
_SUITS = ("spades", "hearts", "diamonds", "clubs")
_MINORS, _MAJORS = ("diamonds", "clubs"), ("spades", "hearts")


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The levels of a situation: by points, or by the longest fit in `suits`.

    A fit of `long` cards is easy, one of `long` - 1 cards medium, and a shorter one hard.

    >>> Difficulty().meaning("hard")
    'North and South have 24, 25, 32 or 33 points together'
    >>> majors = Difficulty(("spades", "hearts"), long=9)
    >>> majors.meaning("medium")
    'the longest fit of North and South in spades or hearts has 8 cards'
    >>> Difficulty(("spades",), long=9).where("easy")
    '(spades(north) + spades(south) >= 9)'
    """

    suits: tuple[str, ...] = ()
    long: int = 9

    def where(self, level: str) -> str:
        """Return the condition of a level, in the language."""
        if not self.suits:
            return _any_of(_between(_POINTS, *ends) for ends in _RANGES[level])
        if level == "easy":
            return self._fit(self.long)
        least = self._fit(self.long - 1)
        return f"{least} && !{self._fit(self.long)}" if level == "medium" else f"!{least}"

    def meaning(self, level: str) -> str:
        """Return the condition of a level in words."""
        if not self.suits:
            values = [word for ends in _RANGES[level] for word in _in_words(*ends)]
            return f"North and South have {_either(values)} points together"
        where = "" if len(self.suits) == len(Suit) else f" in {_either(self.suits)}"
        fit = f"the longest fit of North and South{where}"
        if len(self.suits) == 1:
            fit = f"the fit of North and South in {self.suits[0]}"
        length = {
            "easy": f"{self.long} cards or more",
            "medium": f"{self.long - 1} cards",
            "hard": f"{self.long - 2} cards or fewer",
        }
        return f"{fit} has {length[level]}"

    def figure(self, deal: Deal) -> int:
        """Return the figure of a deal: points, or cards of the longest fit.

        >>> from pavcodec import numbering
        >>> Difficulty().figure(numbering("deal")[0]), Difficulty(("clubs",)).figure(
        ...     numbering("deal")[0])
        (20, 0)
        """
        pair = deal[Seat.NORTH], deal[Seat.SOUTH]
        if not self.suits:
            return sum(hand.hcp for hand in pair)
        return max(sum(hand.shape[_SUITS.index(suit)] for hand in pair) for suit in self.suits)

    def level(self, deal: Deal) -> str:
        """Return the level of a deal."""
        figure = self.figure(deal)
        if self.suits:
            return LEVELS[min(max(self.long - figure, 0), 2)]
        return next(
            level
            for level, ranges in _RANGES.items()
            if any(low <= figure <= high for low, high in ranges)
        )

    def describe(self, deal: Deal) -> str:
        """Return the level of a deal with its figure, as in `hard (25 points together)`."""
        figure = self.figure(deal)
        unit = f"a fit of {figure} cards" if self.suits else f"{figure} points together"
        return f"{self.level(deal)} ({unit})"

    def _fit(self, least: int) -> str:
        return _any_of(f"{suit}(north) + {suit}(south) >= {least}" for suit in self.suits)


def _between(figure: str, low: int, high: int) -> str:
    if low == _FEWEST:
        return f"{figure} <= {high}"
    if high == _MOST:
        return f"{figure} >= {low}"
    return f"{figure} >= {low} && {figure} <= {high}"


def _in_words(low: int, high: int) -> list[str]:
    """Return the values of a range, or its open end, as words of a list."""
    if low == _FEWEST:
        return [f"at most {high}"]
    return [f"at least {low}"] if high == _MOST else list(map(str, range(low, high + 1)))


def _any_of(conditions: Iterable[str]) -> str:
    return f"({' || '.join(conditions)})"


def _either(words: Sequence[str]) -> str:
    *some, last = words
    return f"{', '.join(some)} or {last}" if some else last


# The key decision of each situation, as a question about hidden hands with an exact answer.
#
# Rule 1: A question is asked by one player, who sees one hand and has read the summary of the
# situation. Its event is a condition in the language. Rule 2: An answer is the exact chance of the
# event: among all deals of the situation, or among those in which the player has the hand of a
# board.


@dataclass(frozen=True, slots=True)
class Question:
    """A key decision: the player who decides, and the event that matters, in words and exactly.

    >>> from pavcodec import situation
    >>> question = situation("two-clubs").question
    >>> question.asker, question.text
    (<Seat.SOUTH: 2>, 'North and South have 25 points or more together')
    >>> space = situation("two-clubs").deals()
    >>> question.odds(space)
    Fraction(432990781891, 472841123081)
    >>> question.odds(space, space.sample(1, seed=7)[0])
    Fraction(2467, 2812)
    """

    asker: Seat
    text: str
    event: str

    def odds(self, space: ConstrainedDeals, deal: Deal | None = None) -> Fraction:
        """Return the exact chance of the event in a space, or for the asker's hand of a deal."""
        from pavcodec.chances import probability
        from pavcodec.constraints.expressions import template

        if deal is None:
            return probability(self.event, given=space)
        own = bytes(owner if owner == self.asker else UNUSED for owner in deal.owners)
        hidden = [part for part in space.where.parts if not self._sees(part)]
        return probability(
            self.event, given=reduce(and_, hidden, template(layout_from_owners(own)))
        )

    def _sees(self, part: Expression) -> bool:
        """Return whether a part of the situation is only about the asker's hand."""
        from pavcodec.constraints.nodes.syntax import Number, children, distinct

        leaves = (node for node in distinct(part.node) if not children(node))
        return all(
            isinstance(leaf, Number) or getattr(leaf, "seat", None) == self.asker for leaf in leaves
        )


_S, _N = Seat.SOUTH, Seat.NORTH


def _game(asker: Seat) -> Question:
    return Question(asker, "North and South have 25 points or more together", f"{_POINTS} >= 25")


def _slam(asker: Seat) -> Question:
    return Question(asker, "North and South have 33 points or more together", f"{_POINTS} >= 33")


def _enough_for_game(high: int) -> Question:
    """Return whether North has enough for game opposite South's most points."""
    least = max(25 - high, 1)
    return Question(_S, f"North has {least} points or more", f"hcp(north) >= {least}")


def _fit(*suits: str) -> str:
    return " || ".join(f"{suit}(north) + {suit}(south) >= 8" for suit in suits)


@dataclass(frozen=True, slots=True)
class Situation:
    """A condition for practice, with its name, title, summary and dealer.

    `where` is a text in the language of conditions, with South as the player and North as the
    partner. `dealer` makes the first call that matters. `cardinality` is stored, so that listing
    the library counts nothing. `points` are the points of the seats that a teacher may change.

    >>> one = situation("strong-notrump")
    >>> one.title, one.dealer, one.cardinality
    ('Strong notrump', <Seat.SOUTH: 2>, 2610137721058114653884217600)
    """

    name: str
    title: str
    summary: str
    where: str
    cardinality: int
    dealer: Seat = Seat.SOUTH
    subject: str = ""
    points: tuple[tuple[str, int, int], ...] = ()

    @property
    def probability(self) -> Fraction:
        """The exact share of all deals."""
        return Fraction(self.cardinality, numbering("deal").cardinality)

    @property
    def difficulty(self) -> Difficulty:
        """The levels easy, medium and hard of the situation."""
        entry = _ENTRIES.get(self._base)
        return Difficulty() if entry is None else entry.difficulty

    @property
    def question(self) -> Question | None:
        """The key decision of the situation."""
        entry = _ENTRIES.get(self._base)
        question = None if entry is None else entry.question
        if question is None or isinstance(question, Question):
            return question
        ((_, _, high),) = self.points
        return question(high)

    @property
    def _base(self) -> str:
        """The name without points."""
        return self.name.partition("(")[0]

    def deals(self) -> ConstrainedDeals:
        """Return the deals of the situation as a numbering, for counting and drawing.

        >>> space = situation("cardracks").deals()
        >>> space.cardinality, space.sample(1, seed=7)[0]["S"].hcp in (28, 29, 30)
        (338295781978660393372800, True)
        """
        from pavcodec.constraints import ConstrainedDeals, deals

        space = deals(self.where)
        assert isinstance(space, ConstrainedDeals), f"{self.name} cannot be counted"
        return space


NAMED = re.compile(r"([A-Za-z][\w-]*)(?:\(([a-z]+ *=[^()]*)\))?")
"""The pattern of the name of a situation, with points in brackets: no condition has this form."""
_POINTS_OF = re.compile(r"([a-z]+) *= *([0-9]{1,2})(?:-([0-9]{1,2})|(\+))?")


def situation(name: str) -> Situation:
    """Return the situation with a name; raise `UnknownNameError` for an unknown name.

    Points in brackets replace those of the library.

    >>> situation("two-clubs").where
    'hcp(south) >= 22'
    >>> situation("stayman(south=12-14, north=11+)").title
    'Stayman (South 12 to 14 points, North 11 points or more)'
    """
    check_text("the name of a situation", name)
    match = NAMED.fullmatch(name)
    base = match[1] if match else name
    if base not in _SITUATIONS:
        raise suggest("situation", base, situation_names())
    return _with_points(base, match[2]) if match and match[2] else _SITUATIONS[base]


@cache
def _with_points(base: str, text: str) -> Situation:
    """Return a situation with other points; raise `PavError` for seats that it has no points of."""
    usual = {seat: (low, high) for seat, low, high in _SITUATIONS[base].points}
    chosen = {}
    for part in text.split(","):
        match = _POINTS_OF.fullmatch(part.strip())
        if match is None or match[1] not in usual:
            may_be = " and ".join(f"{seat}={points_text(*ends)}" for seat, ends in usual.items())
            have = f"the points of {base} are {may_be}" if usual else f"{base} has no other points"
            raise PavError(f"{have}, not {part.strip()!r}")
        low = int(match[2])
        chosen[match[1]] = low, int(match[3]) if match[3] else _MOST if match[4] else low
    made = _ENTRIES[base].filled(usual | chosen)
    said = ", ".join(f"{seat.title()} {_in_points(*ends)}" for seat, ends in chosen.items())
    named = ", ".join(f"{seat}={points_text(*ends)}" for seat, ends in chosen.items())
    made = replace(made, name=f"{base}({named})", title=f"{made.title} ({said})")
    return replace(made, cardinality=made.deals().cardinality)


def points_text(low: int, high: int) -> str:
    """Return a range of points as `situation` reads it."""
    return f"{low}+" if high >= _MOST else f"{low}" if low == high else f"{low}-{high}"


def _in_points(low: int, high: int) -> str:
    """Return a range of points in words."""
    if high >= _MOST:
        return f"{low} points or more"
    return f"{low} points" if low == high else f"{low} to {high} points"


def situation_names() -> list[str]:
    """Return the names of all situations.

    >>> situation_names()  # doctest: +ELLIPSIS
    ['strong-notrump', 'weak-notrump', 'weak-two-diamonds', ...]
    """
    return list(_SITUATIONS)


def find_situations(words: Iterable[str] = ()) -> list[Situation]:
    """Return the situations with a name or a subject among the words, or whose texts have all.

    Without words, these are all. Raises `PavError` if there is none.

    >>> [one.name for one in find_situations(["notrump", "weak"])]
    ['weak-notrump']
    """
    texts = [word.strip().lower() for word in words if word.strip()]
    if any(NAMED.fullmatch(text) and text.partition("(")[0] in _SITUATIONS for text in texts):
        return [situation(text) for text in texts]
    given = " ".join(texts).split()
    found = [one for one in _LIBRARY if all(word in _texts(one) for word in given)]
    if not found:
        if len(given) == 1 and NAMED.fullmatch(given[0]):
            raise suggest("situation", given[0], situation_names())
        raise PavError(f"no situation has {' and '.join(map(repr, given))} in its texts")
    return found


def _texts(one: Situation) -> str:
    return f"{one.name} {one.title} {one.summary} {one.subject}".lower()


def _hcp(seat: str, low: int, high: int) -> str:
    if high >= _MOST:
        return f"hcp({seat}) >= {low}"
    return f"hcp({seat}) >= {low} && hcp({seat}) <= {high}"


@dataclass(frozen=True)
class _Entry:
    """A situation of the library, whose texts have a seat in braces where its points belong.

    A seat with any points has no such place; other points then go to the end.
    """

    subject: str
    name: str
    title: str
    summary: str
    where: str
    cardinality: int
    dealer: Seat = Seat.SOUTH
    points: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    difficulty: Difficulty = Difficulty()
    question: Question | Callable[[int], Question] = field(kw_only=True)
    """The key decision, or what makes it from South's most points."""

    def filled(self, points: Mapping[str, tuple[int, int]]) -> Situation:
        """Return the situation with the points of the seats."""
        where = self.where.format(**{seat: _hcp(seat, *ends) for seat, ends in points.items()})
        said = {seat: _in_points(*ends) for seat, ends in points.items()}
        summary = self.summary.format(**said)
        for seat, ends in points.items():
            if f"{{{seat}}}" not in self.where and ends != (_FEWEST, _MOST):
                where += f" && {_hcp(seat, *ends)}"
                summary += f" and {said[seat]}"
        each = tuple((seat, *ends) for seat, ends in points.items())
        return Situation(
            self.name, self.title, summary, where, self.cardinality, self.dealer, self.subject, each
        )


def _notrump(seat: str) -> str:
    """Return the condition that a seat is balanced, with its points in braces."""
    return f"shape({seat}, any 4333 + any 4432 + any 5332) && {{{seat}}}"


def _one_of(suit: str, seat: str) -> str:
    """Return the condition of a one-opening: five cards or more, no other five, 11 to 15 points."""
    others = [other for other in _SUITS if other != suit]
    short = " && ".join(f"{other}({seat}) <= 4" for other in others)
    return f"{suit}({seat}) >= 5 && {short} && {_hcp(seat, 11, 15)}"


def _good(suit: str) -> str:
    return f"(top3(south, {suit}) >= 2 || top5(south, {suit}) >= 3)"


def _weak_two(suit: str, majors: Iterable[str], limit: str, cardinality: int) -> _Entry:
    """Return South's weak two in a suit, with at most three cards in `majors`: the `limit`."""
    short = "".join(f" && {major}(south) <= 3" for major in majors)
    shape = f"{suit}(south) == 6 && shape(south, any 6322 + any 6331 + any 6421)"
    return _Entry(
        "openings",
        f"weak-two-{suit}",
        f"Weak two {suit}",
        f"South has six good {suit}, {limit}, no other suit of five, no void and {{south}}",
        f"{shape}{short} && {{south}} && {_good(suit)}",
        cardinality,
        points={"south": (5, 10)},
        difficulty=Difficulty((suit,)),
        question=Question(
            _S, f"North has two {suit} or more, a fit of eight", f"{suit}(north) >= 2"
        ),
    )


def _preempt() -> str:
    some = " || ".join(f"{suit}(south) == 7 && top3(south, {suit}) >= 2" for suit in _SUITS)
    shape = "shape(south, any 7222 + any 7321 + any 7330)"
    return f"{shape} && {{south}} && ({some})"


def _solid(suit: str) -> str:
    return f"{suit}(south) >= 7 && top3(south, {suit}) == 3"


_LIST = (
    _Entry(
        "openings",
        "strong-notrump",
        "Strong notrump",
        "South is balanced with {south}",
        _notrump("south"),
        2_610_137_721_058_114_653_884_217_600,
        points={"south": (15, 17)},
        question=_enough_for_game,
    ),
    _Entry(
        "openings",
        "weak-notrump",
        "Weak notrump",
        "South is balanced with {south}",
        _notrump("south"),
        5_195_229_386_412_782_430_823_334_400,
        points={"south": (12, 14)},
        question=_enough_for_game,
    ),
    _weak_two(
        "diamonds", ("spades", "hearts"), "no four-card major", 290_271_730_706_761_014_829_195_200
    ),
    _weak_two("hearts", ("spades",), "at most three spades", 332_658_273_771_655_947_483_076_800),
    _weak_two("spades", ("hearts",), "at most three hearts", 332_658_273_771_655_947_483_076_800),
    _Entry(
        "openings",
        "preempt",
        "Opening at the three level",
        "South has seven cards in a suit with two of its three top honours, "
        "no other suit of four, and {south}",
        _preempt(),
        216_882_443_206_089_144_302_515_200,
        points={"south": (5, 9)},
        difficulty=Difficulty(_SUITS),
        question=Question(_S, "East and West have 25 points or more together", f"{_POINTS} <= 15"),
    ),
    _Entry(
        "openings",
        "gambling-notrump",
        "Gambling three notrump",
        "South has a minor of seven or more headed by ace, king and queen; no other ace or king",
        f"aces(south) == 1 && kings(south) == 1 && ({_solid('diamonds')} || {_solid('clubs')})",
        50_969_009_439_903_956_383_886_400,
        question=Question(
            _S,
            "North has an ace or king in both majors",
            "top2(north, spades) >= 1 && top2(north, hearts) >= 1",
        ),
    ),
    _Entry(
        "openings",
        "two-clubs",
        "Strong two clubs",
        "South has {south}, of any shape",
        "{south}",
        227_281_472_367_118_124_317_891_200,
        points={"south": (22, _MOST)},
        question=_game(_S),
    ),
    _Entry(
        "openings",
        "three-suiter",
        "Three-suiter",
        "South is 4-4-4-1 or 5-4-4-0, in any suits, with {south}",
        "shape(south, any 4441 + any 5440) && {south}",
        778_761_589_029_991_789_089_369_600,
        points={"south": (11, 15)},
        difficulty=Difficulty(_SUITS),
        question=Question(
            _S,
            "North and South have a fit of eight cards or more",
            _fit(*_SUITS),
        ),
    ),
    _Entry(
        "rebids",
        "reverse",
        "Reverse",
        "South has five or more diamonds and four hearts, or five or more clubs and four hearts "
        "or diamonds; at most three spades and {south}",
        "{south} && spades(south) <= 3 && (diamonds(south) >= 5 && "
        "hearts(south) == 4 || clubs(south) >= 5 && (hearts(south) == 4 || diamonds(south) == 4))",
        244_552_349_775_754_138_113_072_000,
        points={"south": (17, 21)},
        question=_game(_S),
    ),
    _Entry(
        "rebids",
        "flannery-misfit",
        "Flannery misfit",
        "South has four spades, five hearts and {south}; "
        "North at most three spades, at most two hearts and {north}",
        "spades(south) == 4 && hearts(south) == 5 && {south} && "
        "spades(north) <= 3 && hearts(north) <= 2 && {north}",
        67_845_366_110_816_618_947_711_200,
        points={"south": (11, 15), "north": (8, _MOST)},
        question=_game(_N),
    ),
    _Entry(
        "answers to notrump",
        "cardracks",
        "Transfers opposite a cardrack",
        "South is balanced with {south}; North has five or more cards in a major",
        f"{_notrump('south')} && (spades(north) >= 5 || hearts(north) >= 5)",
        338_295_781_978_660_393_372_800,
        points={"south": (28, 30)},
        question=_slam(_S),
    ),
    _Entry(
        "answers to notrump",
        "stayman",
        "Stayman",
        "South is balanced with {south}; North has four cards in a major, "
        "at most four in the other, is not 4-3-3-3 and has {north}",
        f"{_notrump('south')} && {{north}} && spades(north) <= 4 && hearts(north) <= 4 && "
        "(spades(north) == 4 || hearts(north) == 4) && !shape(north, any 4333)",
        464_277_909_771_407_016_929_851_200,
        points={"south": (15, 17), "north": (8, _MOST)},
        question=Question(
            _N,
            "South has four cards or more in a major in which North has four",
            "spades(north) == 4 && spades(south) >= 4 || hearts(north) == 4 && hearts(south) >= 4",
        ),
    ),
    _Entry(
        "answers to notrump",
        "transfer",
        "Transfers to a major",
        "South is balanced with {south}; North has five or more cards in a major",
        f"{_notrump('south')} && (spades(north) >= 5 || hearts(north) >= 5)",
        858_213_315_693_053_656_635_902_400,
        points={"south": (15, 17), "north": (_FEWEST, _MOST)},
        question=Question(
            _N,
            "South has three cards or more in a major in which North has five",
            "spades(north) >= 5 && spades(south) >= 3 || hearts(north) >= 5 && hearts(south) >= 3",
        ),
    ),
    _Entry(
        "raises",
        "single-raise",
        "Single raise of a major",
        "South opens one spade; North has three or four spades and {north}",
        f"{_one_of('spades', 'south')} && spades(north) >= 3 && spades(north) <= 4 && {{north}}",
        458_107_189_802_906_813_866_594_800,
        points={"north": (6, 9)},
        question=Question(_S, "North has 8 or 9 points", "hcp(north) >= 8"),
    ),
    _Entry(
        "raises",
        "limit-raise",
        "Limit raise of a major",
        "South opens one spade; North has four or more spades and {north}",
        f"{_one_of('spades', 'south')} && spades(north) >= 4 && {{north}}",
        143_306_838_947_594_649_792_880_800,
        points={"north": (10, 12)},
        question=_game(_N),
    ),
    _Entry(
        "raises",
        "splinter",
        "Splinter raise of a major",
        "South opens one heart; North has four or five hearts, at most one spade and {north}",
        f"{_one_of('hearts', 'south')} && hearts(north) >= 4 && hearts(north) <= 5 && "
        "spades(north) <= 1 && {north}",
        20_563_649_263_723_697_878_387_200,
        points={"north": (10, 13)},
        question=Question(
            _N,
            "South has no king, queen or jack of spades",
            "hcp(south, spades) == 4 * hascard(south, AS)",
        ),
    ),
    _Entry(
        "games and slams",
        "minor-fit",
        "Game or slam in a minor",
        "North and South have 25 points or more together, nine or more cards in a minor "
        "and at most seven in each major",
        "hcp(north) + hcp(south) >= 25 && "
        "(diamonds(north) + diamonds(south) >= 9 || clubs(north) + clubs(south) >= 9) && "
        "spades(north) + spades(south) <= 7 && hearts(north) + hearts(south) <= 7",
        1_463_668_286_342_760_944_952_240_000,
        question=Question(
            _S, "North and South have 29 points or more together", f"{_POINTS} >= 29"
        ),
    ),
    _Entry(
        "games and slams",
        "slam-zone",
        "Slam zone",
        "North and South have 31 to 34 points together and eight or more cards in a major",
        "hcp(north) + hcp(south) >= 31 && hcp(north) + hcp(south) <= 34 && "
        "(spades(north) + spades(south) >= 8 || hearts(north) + hearts(south) >= 8)",
        302_878_418_993_321_206_780_080_000,
        difficulty=Difficulty(_MAJORS, long=10),
        question=_slam(_S),
    ),
    _Entry(
        "competition",
        "takeout-double",
        "Takeout double",
        "East opens one heart; South has four spades, at most two hearts, "
        "three or more cards in each minor and {south}",
        "spades(south) == 4 && hearts(south) <= 2 && diamonds(south) >= 3 && clubs(south) >= 3 && "
        f"{{south}} && {_one_of('hearts', 'east')}",
        74_316_360_818_040_713_348_722_200,
        Seat.EAST,
        points={"south": (12, _MOST)},
        difficulty=Difficulty(("spades", *_MINORS)),
        question=Question(_S, "North has four spades or more", "spades(north) >= 4"),
    ),
    _Entry(
        "competition",
        "michaels",
        "Michaels cue bid",
        "East opens one heart; South has five spades, five cards in a minor and {south}",
        "spades(south) == 5 && (diamonds(south) == 5 || clubs(south) == 5) && {south} && "
        f"{_one_of('hearts', 'east')}",
        42_760_826_279_205_010_358_558_400,
        Seat.EAST,
        points={"south": (8, _MOST)},
        difficulty=Difficulty(("spades", *_MINORS)),
        question=Question(_S, "North has three spades or more", "spades(north) >= 3"),
    ),
    _Entry(
        "competition",
        "unusual-notrump",
        "Unusual two notrump",
        "East opens one spade; South has five or more cards in both minors and {south}",
        f"diamonds(south) >= 5 && clubs(south) >= 5 && {{south}} && {_one_of('spades', 'east')}",
        38_516_390_899_884_368_602_009_200,
        Seat.EAST,
        points={"south": (6, _MOST)},
        difficulty=Difficulty(_MINORS),
        question=Question(
            _S,
            "North and South have a fit of eight cards or more in a minor",
            _fit("diamonds", "clubs"),
        ),
    ),
    _Entry(
        "competition",
        "landy",
        "Both majors over a notrump",
        "East is balanced with {east}; South has five cards in a major, "
        "four or five in the other and {south}",
        f"shape(south, 55xx + 54xx + 45xx) && {{south}} && {_notrump('east')}",
        43_194_309_096_144_874_747_968_000,
        Seat.EAST,
        points={"south": (10, _MOST), "east": (15, 17)},
        difficulty=Difficulty(_MAJORS),
        question=Question(
            _S,
            "North and South have a fit of eight cards or more in a major",
            _fit("spades", "hearts"),
        ),
    ),
)
_ENTRIES = {entry.name: entry for entry in _LIST}
_LIBRARY = tuple(entry.filled(entry.points) for entry in _LIST)
_SITUATIONS = {situation.name: situation for situation in _LIBRARY}
