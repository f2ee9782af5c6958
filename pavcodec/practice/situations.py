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

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pavcodec.cards import Seat
from pavcodec.errors import suggest
from pavcodec.numberings import numbering
from pavcodec.practice.difficulty import Difficulty, difficulty_of
from pavcodec.practice.questions import Question, question_of

if TYPE_CHECKING:
    from pavcodec.constraints import ConstrainedDeals

__all__ = ["Situation", "situation", "situation_names"]


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
        return difficulty_of(self.name)

    @property
    def question(self) -> Question | None:
        """The key decision of the situation."""
        return question_of(self.name)

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
    others = [other for other in ("spades", "hearts", "diamonds", "clubs") if other != suit]
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
    suits = ("spades", "hearts", "diamonds", "clubs")
    some = " || ".join(f"{suit}(south) == 7 && top3(south, {suit}) >= 2" for suit in suits)
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
_SITUATIONS = {each.name: each for each in _LIBRARY}
