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

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

from pavcodec.cards import UNUSED, Seat, Suit
from pavcodec.errors import suggest
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


_BY_POINTS = Difficulty()
_BY_FIT = {
    "weak-two-diamonds": Difficulty(("diamonds",)),
    "weak-two-hearts": Difficulty(("hearts",)),
    "weak-two-spades": Difficulty(("spades",)),
    "preempt": Difficulty(_SUITS),
    "three-suiter": Difficulty(_SUITS),
    "slam-zone": Difficulty(_MAJORS, long=10),
    "takeout-double": Difficulty(("spades", *_MINORS)),
    "michaels": Difficulty(("spades", *_MINORS)),
    "unusual-notrump": Difficulty(_MINORS),
    "landy": Difficulty(_MAJORS),
}


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
        from pavcodec.constraints.nodes.syntax import Number
        from pavcodec.constraints.nodes.trees import children, distinct

        leaves = (node for node in distinct(part.node) if not children(node))
        return all(
            isinstance(leaf, Number) or getattr(leaf, "seat", None) == self.asker for leaf in leaves
        )


_S, _N = Seat.SOUTH, Seat.NORTH


def _game(asker: Seat) -> Question:
    return Question(asker, "North and South have 25 points or more together", f"{_POINTS} >= 25")


def _slam(asker: Seat) -> Question:
    return Question(asker, "North and South have 33 points or more together", f"{_POINTS} >= 33")


def _weak_two_fit(suit: str) -> Question:
    text = f"North has two {suit} or more, a fit of eight"
    return Question(_S, text, f"{suit}(north) >= 2")


def _fit(*suits: str) -> str:
    return " || ".join(f"{suit}(north) + {suit}(south) >= 8" for suit in suits)


_QUESTIONS = {
    "strong-notrump": Question(_S, "North has 8 points or more", "hcp(north) >= 8"),
    "weak-notrump": Question(_S, "North has 11 points or more", "hcp(north) >= 11"),
    "weak-two-diamonds": _weak_two_fit("diamonds"),
    "weak-two-hearts": _weak_two_fit("hearts"),
    "weak-two-spades": _weak_two_fit("spades"),
    "preempt": Question(_S, "East and West have 25 points or more together", f"{_POINTS} <= 15"),
    "gambling-notrump": Question(
        _S,
        "North has an ace or king in both majors",
        "top2(north, spades) >= 1 && top2(north, hearts) >= 1",
    ),
    "two-clubs": _game(_S),
    "three-suiter": Question(
        _S,
        "North and South have a fit of eight cards or more",
        _fit(*_SUITS),
    ),
    "reverse": _game(_S),
    "flannery-misfit": _game(_N),
    "cardracks": _slam(_S),
    "stayman": Question(
        _N,
        "South has four cards or more in a major in which North has four",
        "spades(north) == 4 && spades(south) >= 4 || hearts(north) == 4 && hearts(south) >= 4",
    ),
    "transfer": Question(
        _N,
        "South has three cards or more in a major in which North has five",
        "spades(north) >= 5 && spades(south) >= 3 || hearts(north) >= 5 && hearts(south) >= 3",
    ),
    "single-raise": Question(_S, "North has 8 or 9 points", "hcp(north) >= 8"),
    "limit-raise": _game(_N),
    "splinter": Question(
        _N,
        "South has no king, queen or jack of spades",
        "hcp(south, spades) == 4 * hascard(south, AS)",
    ),
    "minor-fit": Question(
        _S, "North and South have 29 points or more together", f"{_POINTS} >= 29"
    ),
    "slam-zone": _slam(_S),
    "takeout-double": Question(_S, "North has four spades or more", "spades(north) >= 4"),
    "michaels": Question(_S, "North has three spades or more", "spades(north) >= 3"),
    "unusual-notrump": Question(
        _S,
        "North and South have a fit of eight cards or more in a minor",
        _fit("diamonds", "clubs"),
    ),
    "landy": Question(
        _S, "North and South have a fit of eight cards or more in a major", _fit("spades", "hearts")
    ),
}


@dataclass(frozen=True, slots=True)
class Situation:
    """A condition for practice, with its name, title, summary and dealer.

    `where` is a text in the language of conditions, with South as the player and North as the
    partner. `dealer` makes the first call that matters. `cardinality` is stored, so that listing
    the library counts nothing.

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

    @property
    def probability(self) -> Fraction:
        """The exact share of all deals."""
        return Fraction(self.cardinality, numbering("deal").cardinality)

    @property
    def difficulty(self) -> Difficulty:
        """The levels easy, medium and hard of the situation."""
        return _BY_FIT.get(self.name, _BY_POINTS)

    @property
    def question(self) -> Question | None:
        """The key decision of the situation."""
        return _QUESTIONS.get(self.name)

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


def situation(name: str) -> Situation:
    """Return the situation with a name; raise `UnknownNameError` for an unknown name.

    >>> situation("two-clubs").where
    'hcp(south) >= 22'
    """
    if name not in _SITUATIONS:
        raise suggest("situation", name, situation_names())
    return _SITUATIONS[name]


def situation_names() -> list[str]:
    """Return the names of all situations.

    >>> situation_names()  # doctest: +ELLIPSIS
    ['strong-notrump', 'weak-notrump', 'weak-two-diamonds', ...]
    """
    return list(_SITUATIONS)


def _hcp(seat: str, low: int, high: int) -> str:
    return f"hcp({seat}) >= {low} && hcp({seat}) <= {high}"


def _notrump(seat: str, low: int = 15, high: int = 17) -> str:
    """Return the condition that a seat is balanced, with a range of points."""
    return f"shape({seat}, any 4333 + any 4432 + any 5332) && {_hcp(seat, low, high)}"


def _one_of(suit: str, seat: str) -> str:
    """Return the condition of a one-opening: five cards or more, no other five, 11 to 15 points."""
    others = [other for other in _SUITS if other != suit]
    short = " && ".join(f"{other}({seat}) <= 4" for other in others)
    return f"{suit}({seat}) >= 5 && {short} && {_hcp(seat, 11, 15)}"


def _good(suit: str) -> str:
    return f"(top3(south, {suit}) >= 2 || top5(south, {suit}) >= 3)"


def _weak_two(suit: str, *majors: str) -> str:
    """Return the condition of South's weak two in a suit; at most three cards in `majors`."""
    short = "".join(f" && {major}(south) <= 3" for major in majors)
    shape = f"{suit}(south) == 6 && shape(south, any 6322 + any 6331 + any 6421)"
    return f"{shape}{short} && {_hcp('south', 5, 10)} && {_good(suit)}"


def _preempt() -> str:
    some = " || ".join(f"{suit}(south) == 7 && top3(south, {suit}) >= 2" for suit in _SUITS)
    shape = "shape(south, any 7222 + any 7321 + any 7330)"
    return f"{shape} && {_hcp('south', 5, 9)} && ({some})"


def _solid(suit: str) -> str:
    return f"{suit}(south) >= 7 && top3(south, {suit}) == 3"


_LIBRARY = (
    Situation(
        "strong-notrump",
        "Strong notrump",
        "South is balanced with 15 to 17 points",
        _notrump("south"),
        2_610_137_721_058_114_653_884_217_600,
    ),
    Situation(
        "weak-notrump",
        "Weak notrump",
        "South is balanced with 12 to 14 points",
        _notrump("south", 12, 14),
        5_195_229_386_412_782_430_823_334_400,
    ),
    Situation(
        "weak-two-diamonds",
        "Weak two diamonds",
        "South has six good diamonds, no four-card major, "
        "no other suit of five, no void and 5 to 10 points",
        _weak_two("diamonds", "spades", "hearts"),
        290_271_730_706_761_014_829_195_200,
    ),
    Situation(
        "weak-two-hearts",
        "Weak two hearts",
        "South has six good hearts, at most three spades, "
        "no other suit of five, no void and 5 to 10 points",
        _weak_two("hearts", "spades"),
        332_658_273_771_655_947_483_076_800,
    ),
    Situation(
        "weak-two-spades",
        "Weak two spades",
        "South has six good spades, at most three hearts, "
        "no other suit of five, no void and 5 to 10 points",
        _weak_two("spades", "hearts"),
        332_658_273_771_655_947_483_076_800,
    ),
    Situation(
        "preempt",
        "Opening at the three level",
        "South has seven cards in a suit with two of its three top honours, "
        "no other suit of four, and 5 to 9 points",
        _preempt(),
        216_882_443_206_089_144_302_515_200,
    ),
    Situation(
        "gambling-notrump",
        "Gambling three notrump",
        "South has a minor of seven or more headed by ace, king and queen; no other ace or king",
        f"aces(south) == 1 && kings(south) == 1 && ({_solid('diamonds')} || {_solid('clubs')})",
        50_969_009_439_903_956_383_886_400,
    ),
    Situation(
        "two-clubs",
        "Strong two clubs",
        "South has 22 points or more, of any shape",
        "hcp(south) >= 22",
        227_281_472_367_118_124_317_891_200,
    ),
    Situation(
        "three-suiter",
        "Three-suiter",
        "South is 4-4-4-1 or 5-4-4-0, in any suits, with 11 to 15 points",
        f"shape(south, any 4441 + any 5440) && {_hcp('south', 11, 15)}",
        778_761_589_029_991_789_089_369_600,
    ),
    Situation(
        "reverse",
        "Reverse",
        "South has five or more diamonds and four hearts, or five or more clubs and four hearts "
        "or diamonds; at most three spades and 17 to 21 points",
        f"{_hcp('south', 17, 21)} && spades(south) <= 3 && (diamonds(south) >= 5 && "
        "hearts(south) == 4 || clubs(south) >= 5 && (hearts(south) == 4 || diamonds(south) == 4))",
        244_552_349_775_754_138_113_072_000,
    ),
    Situation(
        "flannery-misfit",
        "Flannery misfit",
        "South has four spades, five hearts and 11 to 15 points; "
        "North at most three spades, at most two hearts and 8 points or more",
        f"spades(south) == 4 && hearts(south) == 5 && {_hcp('south', 11, 15)} && "
        "spades(north) <= 3 && hearts(north) <= 2 && hcp(north) >= 8",
        67_845_366_110_816_618_947_711_200,
    ),
    Situation(
        "cardracks",
        "Transfers opposite a cardrack",
        "South is balanced with 28 to 30 points; North has five or more cards in a major",
        f"{_notrump('south', 28, 30)} && (spades(north) >= 5 || hearts(north) >= 5)",
        338_295_781_978_660_393_372_800,
    ),
    Situation(
        "stayman",
        "Stayman",
        "South is balanced with 15 to 17 points; North has four cards in a major, "
        "at most four in the other, is not 4-3-3-3 and has 8 points or more",
        f"{_notrump('south')} && hcp(north) >= 8 && spades(north) <= 4 && hearts(north) <= 4 && "
        "(spades(north) == 4 || hearts(north) == 4) && !shape(north, any 4333)",
        464_277_909_771_407_016_929_851_200,
    ),
    Situation(
        "transfer",
        "Transfers to a major",
        "South is balanced with 15 to 17 points; North has five or more cards in a major",
        f"{_notrump('south')} && (spades(north) >= 5 || hearts(north) >= 5)",
        858_213_315_693_053_656_635_902_400,
    ),
    Situation(
        "single-raise",
        "Single raise of a major",
        "South opens one spade; North has three or four spades and 6 to 9 points",
        f"{_one_of('spades', 'south')} && "
        f"spades(north) >= 3 && spades(north) <= 4 && {_hcp('north', 6, 9)}",
        458_107_189_802_906_813_866_594_800,
    ),
    Situation(
        "limit-raise",
        "Limit raise of a major",
        "South opens one spade; North has four or more spades and 10 to 12 points",
        f"{_one_of('spades', 'south')} && spades(north) >= 4 && {_hcp('north', 10, 12)}",
        143_306_838_947_594_649_792_880_800,
    ),
    Situation(
        "splinter",
        "Splinter raise of a major",
        "South opens one heart; "
        "North has four or five hearts, at most one spade and 10 to 13 points",
        f"{_one_of('hearts', 'south')} && hearts(north) >= 4 && hearts(north) <= 5 && "
        f"spades(north) <= 1 && {_hcp('north', 10, 13)}",
        20_563_649_263_723_697_878_387_200,
    ),
    Situation(
        "minor-fit",
        "Game or slam in a minor",
        "North and South have 25 points or more together, nine or more cards in a minor "
        "and at most seven in each major",
        "hcp(north) + hcp(south) >= 25 && "
        "(diamonds(north) + diamonds(south) >= 9 || clubs(north) + clubs(south) >= 9) && "
        "spades(north) + spades(south) <= 7 && hearts(north) + hearts(south) <= 7",
        1_463_668_286_342_760_944_952_240_000,
    ),
    Situation(
        "slam-zone",
        "Slam zone",
        "North and South have 31 to 34 points together and eight or more cards in a major",
        "hcp(north) + hcp(south) >= 31 && hcp(north) + hcp(south) <= 34 && "
        "(spades(north) + spades(south) >= 8 || hearts(north) + hearts(south) >= 8)",
        302_878_418_993_321_206_780_080_000,
    ),
    Situation(
        "takeout-double",
        "Takeout double",
        "East opens one heart; South has four spades, at most two hearts, "
        "three or more cards in each minor and 12 points or more",
        "spades(south) == 4 && hearts(south) <= 2 && diamonds(south) >= 3 && clubs(south) >= 3 && "
        f"hcp(south) >= 12 && {_one_of('hearts', 'east')}",
        74_316_360_818_040_713_348_722_200,
        Seat.EAST,
    ),
    Situation(
        "michaels",
        "Michaels cue bid",
        "East opens one heart; South has five spades, five cards in a minor and 8 points or more",
        "spades(south) == 5 && (diamonds(south) == 5 || clubs(south) == 5) && hcp(south) >= 8 && "
        f"{_one_of('hearts', 'east')}",
        42_760_826_279_205_010_358_558_400,
        Seat.EAST,
    ),
    Situation(
        "unusual-notrump",
        "Unusual two notrump",
        "East opens one spade; South has five or more cards in both minors and 6 points or more",
        "diamonds(south) >= 5 && clubs(south) >= 5 && hcp(south) >= 6 && "
        f"{_one_of('spades', 'east')}",
        38_516_390_899_884_368_602_009_200,
        Seat.EAST,
    ),
    Situation(
        "landy",
        "Both majors over a notrump",
        "East is balanced with 15 to 17 points; South has five cards in a major, "
        "four or five in the other and 10 points or more",
        f"shape(south, 55xx + 54xx + 45xx) && hcp(south) >= 10 && {_notrump('east')}",
        43_194_309_096_144_874_747_968_000,
        Seat.EAST,
    ),
)
_SITUATIONS = {situation.name: situation for situation in _LIBRARY}
