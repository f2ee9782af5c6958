"""The boards of a practice set, with the notes of their solutions and their rows of JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, cast

from pavcodec.boards import Board
from pavcodec.boards.board import board_row
from pavcodec.boards.par import BIDS, BOOK, PAIRS, duplicate_score, par
from pavcodec.boards.tricks import results_row
from pavcodec.boards.turning import Turn
from pavcodec.cards import STRAIN_SIGNS, Seat, Strain, Suit
from pavcodec.chances.figures import percent
from pavcodec.layout import Deal, Hand, TrickTable
from pavcodec.numberings.catalogue import numbering
from pavcodec.practice.sets import SITUATION, PracticeSet, Seating, commented_tags
from pavcodec.practice.situations import Difficulty, Situation
from pavcodec.printing.pages import board_document
from pavcodec.sampling import generator, preface

if TYPE_CHECKING:
    from pavcodec.constraints import ConstrainedDeals
    from pavcodec.constraints.nodes.syntax import Node
    from pavcodec.practice.situations import Question


# The topics of a practice set: a situation or a condition, with its share and its seats.


HANDS = {**PAIRS, "all": tuple(Seat)}
"""The players of `--hands`."""
TITLE = "Practice"
"""The title of a set without situations of the library."""


@dataclass(frozen=True)
class Topic:
    """One topic of a set: a situation or a condition, its share, and its place at the table."""

    title: str
    where: str
    """The whole condition; "" for all deals."""
    seating: Seating
    share: Fraction = Fraction(1)
    situation: Situation | None = None
    kind: str = ""
    """The name of a type that a script marks."""

    @property
    def question(self) -> Question | None:
        """The key decision of the situation; None for a condition."""
        return None if self.situation is None else self.situation.question

    @property
    def difficulty(self) -> Difficulty:
        """The levels of difficulty: those of the situation, else points."""
        return Difficulty() if self.situation is None else self.situation.difficulty


def title_of(topics: Sequence[Topic]) -> str:
    """Return the title of the pages, from up to three topics."""
    *some, last = dict.fromkeys(topic.title for topic in topics)
    if len(some) > 2 or (some and TITLE in [*some, last]):
        return TITLE
    return f"{', '.join(some)} and {last}" if some else last


def with_level(node: Node | None, level: str | None, chosen: Situation | None) -> Node | None:
    """Return a condition with that of a level of difficulty; without a level, the condition."""
    if level is None:
        return node
    from pavcodec.constraints.language.parser import parse_condition
    from pavcodec.constraints.mixes.mixes import joined

    difficulty = Difficulty() if chosen is None else chosen.difficulty
    own = parse_condition(difficulty.where(level))
    return own if node is None else joined(node, own)


# The contract of a partnership by sound rules, which see only its own two hands.
#
# Rule 1: Trumps are a major with a fit of eight, the longer one; without one, a minor with a fit of
# nine, unless 25 to 32 points and a stopper in each suit make notrump better. Rule 2: With trumps,
# a shortness beside three trumps or more counts: 5 for a void, 3 for a singleton, 1 for a
# doubleton. Rule 3: 25 points are enough for game, 29 in a minor, 33 with three aces for a small
# slam, 37 with four aces for a grand slam. Rule 4: With less, a fit of nine or a suit of seven
# stands the three level. Rule 5: With fewer than 20 points and no fit, the opponents play.


_FIT, _LONG_FIT, _LONG_SUIT = 8, 9, 7
_SHORT = {0: 5, 1: 3, 2: 1}
_STOPPED = {"A": 1, "K": 2, "Q": 3, "J": 4}
"""The honours that stop a suit, each with the cards that it needs."""


@dataclass(frozen=True, slots=True)
class Sensible:
    """A contract by the rules, with the points and the trumps that speak for it."""

    level: int
    strain: Strain
    points: int
    trumps: int

    def __str__(self) -> str:
        fit = "" if self.strain == Strain.NOTRUMP else f", a fit of {self.trumps}"
        return f"{_sign((self.level, self.strain))} ({self.points} points{fit})"


def sensible(one: Hand, other: Hand) -> Sensible | None:
    """Return the contract that two partners should reach; None if the opponents play.

    >>> one, other = Hand.from_pbn("AQ32.K85.AJ4.T63"), Hand.from_pbn("KJ854.A2.K32.J52")
    >>> print(sensible(one, other))
    4♠ (27 points, a fit of 9)
    """
    hands = (one, other)
    fits = [sum(lengths) for lengths in zip(one.shape, other.shape, strict=True)]
    points = one.hcp + other.hcp
    stopped = all(map(any, zip(*map(_stops, hands), strict=True)))
    major, minor = (max(pair, key=fits.__getitem__) for pair in (_MAJORS, _MINORS))
    trump = major if fits[major] >= _FIT else None
    if trump is None and fits[minor] >= _LONG_FIT and not (stopped and 25 <= points < _SMALL):
        trump = minor
    if trump is None and points < _HALF:
        return None
    if trump is not None:
        points += max(_shortness(hand, trump) for hand in hands)
    strain = Strain.NOTRUMP if trump is None else Strain(trump + 1)
    aces = sum("A" in hand.suit(suit) for hand in hands for suit in Suit)
    game = 29 if trump in _MINORS else 25
    if points >= _GRAND and aces == len(Suit):
        level = 7
    elif points >= _SMALL and aces >= len(Suit) - 1:
        level = 6
    elif points >= game:
        level = _GAMES[strain]
    elif trump is None:
        level = 2 if points >= game - 2 else 1
    else:
        longest = max(max(hand.shape) for hand in hands)
        level = 3 if fits[trump] >= _LONG_FIT or longest >= _LONG_SUIT else 2
    return Sensible(level, strain, points, 0 if trump is None else fits[trump])


_MAJORS, _MINORS = (Suit.SPADES, Suit.HEARTS), (Suit.DIAMONDS, Suit.CLUBS)
_HALF, _SMALL, _GRAND = 20, 33, 37


def _stops(hand: Hand) -> Iterator[bool]:
    """Yield whether a hand stops each suit."""
    for suit in Suit:
        cards = hand.suit(suit)
        yield any(rank in cards and len(cards) >= least for rank, least in _STOPPED.items())


def _shortness(hand: Hand, trump: Suit) -> int:
    if hand.shape[trump] < 3:
        return 0
    return sum(_SHORT.get(hand.shape[suit], 0) for suit in Suit if suit != trump)


# Tricks against contract: the best contract of a side, and the contracts that fail by one.
#
# Rule 1: A side takes the tricks of its better declarer in each strain, double dummy. Rule 2: Its
# best contract has the highest score, undoubled, among those that it makes. Of several levels with
# the same score, it is the lowest of a game or slam, and the highest of a part-score. Rule 3: One
# trick short are the games at their lowest level (3NT, four of a major, five of a minor), small
# slams and grand slams that fail by one trick. A side that makes a small or a grand slam has only
# the slams of this level or a higher one.


_GAMES = {
    Strain.NOTRUMP: 3,
    Strain.SPADES: 4,
    Strain.HEARTS: 4,
    Strain.DIAMONDS: 5,
    Strain.CLUBS: 5,
}
_SLAMS = (6, 7)


@dataclass(frozen=True, slots=True)
class SideTricks:
    """The best contract of a side with its tricks, and the games and slams that fail by one.

    A contract is a level and a strain. `best` is None if the side makes no contract.
    """

    side: str
    best: tuple[int, Strain] | None
    tricks: int
    short: tuple[tuple[int, Strain], ...]

    def __str__(self) -> str:
        if self.best is None:
            first = f"{self.side} can make no contract"
        else:
            first = f"{self.side} can make {_sign(self.best)} ({self.tricks} tricks)"
        *some, last = map(_sign, self.short) if self.short else ("",)
        if not last:
            return first
        if not some:
            return f"{first}; {last} fails by one"
        return f"{first}; {', '.join(some)} and {last} fail by one"


def _side_of(seat: Seat) -> str:
    return next(side for side, seats in PAIRS.items() if seat in seats)


def side_tricks(tricks: TrickTable, seat: Seat) -> SideTricks:
    """Return the tricks of the side of a seat against its contracts.

    >>> table = TrickTable(bytes([8, 5, 8, 5] + [10, 3, 10, 3] + [5, 8, 5, 8] * 3))
    >>> print(side_tricks(table, Seat.SOUTH))
    NS can make 4♠ (10 tricks); 3NT fails by one
    >>> print(side_tricks(table, Seat.WEST))
    EW can make 2♥ (8 tricks)
    """
    side = _side_of(seat)
    seats = PAIRS[side]
    taken = {strain: max(tricks[partner, strain] for partner in seats) for strain in Strain}
    made = [(level, strain) for level, strain in BIDS if taken[strain] >= BOOK + level]
    best = max(
        made, key=lambda bid: _value(level=bid[0], strain=bid[1], taken=taken[bid[1]]), default=None
    )
    least = best[0] if best is not None and best[0] in _SLAMS else 0
    return SideTricks(
        side,
        best,
        0 if best is None else taken[best[1]],
        tuple(
            (level, strain)
            for level, strain in BIDS
            if level >= least
            and level in (_GAMES[strain], *_SLAMS)
            and taken[strain] == BOOK + level - 1
        ),
    )


def solution_row(board: Board, side: SideTricks) -> dict[str, object]:
    """Return the tricks of a board with tricks, par and the contracts of a side for JSON."""
    assert board.tricks is not None
    assert board.dealer is not None
    assert board.vulnerable is not None
    best = par(board.tricks, board.dealer, board.vulnerable)
    return {
        "tricks": results_row(board.tricks),
        "par": {"score": best.score, "contracts": list(map(str, best.contracts))},
        "contract": {
            "side": side.side,
            "best": None if side.best is None else _letters(side.best),
            "tricks": side.tricks,
            "one_short": list(map(_letters, side.short)),
        },
    }


def _value(level: int, strain: Strain, taken: int) -> tuple[int, int]:
    """Return the score of a contract, and the preference among levels of the same score."""
    score = duplicate_score(level, strain, tricks=taken, vulnerable=False)
    return score, -level if level >= _GAMES[strain] else level


def _sign(contract: tuple[int, Strain]) -> str:
    level, strain = contract
    return f"{level}{STRAIN_SIGNS[strain]}"


def _letters(contract: tuple[int, Strain]) -> str:
    level, strain = contract
    return f"{level}{strain.letters}"


_TURNED = len(" turned=3")


@dataclass(frozen=True)
class Exercise:
    """One board of a set: its topic, and its deal before it is turned."""

    topic: Topic
    deal: Deal
    board: Board
    session: PracticeSession

    @property
    def places(self) -> int:
        """The places by which the board is turned."""
        assert self.board.number is not None
        return self.topic.seating.places(self.board.number)

    @cached_property
    def odds(self) -> Fraction | None:
        """The chance of the key decision for the player's hand; None if it is not wanted."""
        return self.session.chance(self.topic, self.deal)

    @cached_property
    def tricks(self) -> SideTricks | None:
        """The tricks of the side of South of the condition; None without `--solve`."""
        tricks = self.board.tricks
        return (
            None if tricks is None else side_tricks(tricks, Turn.of(self.places).seats[Seat.SOUTH])
        )

    @property
    def sensible(self) -> Sensible | None:
        """The contract of North and South of the condition by sound rules."""
        return sensible(self.deal[Seat.NORTH], self.deal[Seat.SOUTH])

    @property
    def happens(self) -> bool:
        """Whether the event of the question happens on this board."""
        from pavcodec.constraints.evaluation import evaluate
        from pavcodec.constraints.expressions import expression

        assert self.topic.question is not None
        return bool(evaluate(expression(self.topic.question.event).node, self.deal))


@dataclass(frozen=True)
class PracticeSession:
    """The values that the boards of a run share."""

    topics: tuple[Topic, ...]
    count: int
    seed: int
    start: int
    odds: str
    """Whose odds are computed: none, those of each situation (set), or of each board as well."""
    title: str
    again: str
    """The command that makes the same boards again."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """The tags of the event."""
    difficulty: str | None = None
    script: str | None = None
    busy: Callable[[str], AbstractContextManager[object]] = nullcontext
    """Says what takes long while it does."""
    _spaces: dict[str, ConstrainedDeals] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def preface(self) -> tuple[str, ...]:
        """Return the lines of a file before the boards."""
        return tuple(
            line for topic in self.topics for line in preface(topic.where, self._generator(topic))
        )

    def _generator(self, topic: Topic) -> str:
        return generator(self.seed, self.start, topic.where, script=self.script, spare=_TURNED)

    def exercises(self, deals: Iterable[tuple[Deal, Topic]]) -> Iterator[Exercise]:
        """Yield the boards of deals, each with its topic."""
        for number, (deal, topic) in enumerate(deals, self.start + 1):
            board = self._board(number, deal, topic)
            yield Exercise(topic, deal, board, self)

    def solved(self, exercises: Sequence[Exercise]) -> tuple[Exercise, ...]:
        """Return the boards with their double-dummy tricks; raise `PavError` without endplay."""
        from pavcodec.solving.double_dummy import solved_boards

        with self.busy("computing the tricks"):
            boards = solved_boards([exercise.board for exercise in exercises])
        return tuple(
            replace(exercise, board=board)
            for exercise, board in zip(exercises, boards, strict=True)
        )

    def _board(self, number: int, deal: Deal, topic: Topic) -> Board:
        places, command = topic.seating.places(number), self._generator(topic)
        tags = {"Event": topic.title, **self.tags}
        tags["Generator"] = f"{command} turned={places}" if places else command
        if topic.situation is not None:
            tags[SITUATION] = topic.situation.name
        if topic.kind:
            tags["HandType"] = topic.kind
        if self._shows_level(topic):
            tags["Difficulty"] = topic.difficulty.level(deal)
        return topic.seating.board(number, deal, tags)

    def _shows_level(self, topic: Topic) -> bool:
        return topic.situation is not None or self.difficulty is not None

    def chance(self, topic: Topic, deal: Deal) -> Fraction | None:
        """Return the chance of the key decision with the player's hand of a deal."""
        question = topic.question
        if question is None or self.odds != "boards":
            return None
        with self.busy("computing the odds"):
            return question.odds(self._space(topic), deal)

    def _space(self, topic: Topic) -> ConstrainedDeals:
        """Return the deals of a situation, without options such as --difficulty."""
        situation = topic.situation
        assert situation is not None
        if situation.name not in self._spaces:
            self._spaces[situation.name] = situation.deals()
        return self._spaces[situation.name]

    def odds_of(self, topic: Topic) -> Fraction | None:
        """Return the chance of the key decision in all deals of a situation."""
        question = topic.question
        if question is None or self.odds == "none":
            return None
        with self.busy("computing the odds"):
            return question.odds(self._space(topic))

    def practice(self, exercises: Sequence[Exercise], *, brief: bool = False) -> PracticeSet:
        """Return the set, with the notes of its solution; `brief` without known conditions."""
        topics = self.topics
        parts = [list(self._notes(topic, brief=brief)) for topic in topics]
        notes = [" ".join(part) for part in parts] if brief else [*chain.from_iterable(parts)]
        if (level := self.difficulty) is not None:
            meanings = (
                _usual_turn(topic).text(topic.difficulty.meaning(level)) for topic in topics
            )
            notes += [f"Difficulty {level}: {meaning}." for meaning in dict.fromkeys(meanings)]
        turned = dict.fromkeys(topic.seating.describe() for topic in topics)
        notes += [line for line in turned if line]
        notes += [f"Made by: {self.again}"]
        boards = tuple(exercise.board for exercise in exercises)
        return PracticeSet(
            self.title,
            boards,
            topics[0].seating.players,
            tuple(notes),
            tuple(map(self.solution, exercises)),
            board_document(boards, layout="players", title=self.title).lines,
            self.preface(),
        )

    def _notes(self, topic: Topic, *, brief: bool) -> Iterator[str]:
        situation, turn = topic.situation, _usual_turn(topic)
        name = f"{topic.title} ({percent(topic.share)}): " if len(self.topics) > 1 else ""
        if situation is not None:
            yield f"{name}{turn.text(situation.summary)}."
        elif topic.kind:
            yield name.removesuffix(": ")
        elif name:
            yield f"{percent(topic.share)} of the boards:"
        if topic.where and not (brief and situation is not None):
            yield f"Condition: {topic.where}"
        odds = self.odds_of(topic)
        question = topic.question
        if question is not None and odds is not None:
            asker, event = question.asker.name.title(), question.text
            yield turn.text(f"Key decision of {asker}: chance that {event}: ") + percent(odds)

    def commented(self, exercise: Exercise) -> Board:
        """Return a board with its solution as comments, made when somebody reads its tags."""
        return Board(
            exercise.board.layout,
            parse=lambda: commented_tags(exercise.board, self.solution(exercise)),
        )

    def solution(self, exercise: Exercise) -> tuple[str, ...]:
        """Return the lines on the solution of a board."""
        topic, turn = exercise.topic, Turn.of(exercise.places)
        situation = topic.situation
        lines = []
        if situation is not None and turn != _usual_turn(topic):
            lines += [f"{topic.title}: {turn.text(situation.summary)}."]
        elif len(self.topics) > 1 and topic.title != TITLE:
            lines += [f"{topic.title}."]
        if self._shows_level(topic):
            lines += [f"Difficulty: {topic.difficulty.describe(exercise.deal)}"]
        side = _side_of(turn.seats[Seat.SOUTH])
        lines += [f"Contract of {side}: {exercise.sensible or 'none, the opponents play'}"]
        if exercise.tricks is not None:
            lines += [f"Tricks: {exercise.tricks}"]
        question = topic.question
        if question is not None and exercise.odds is not None:
            asker, event = question.asker.name.title(), question.text
            happens = "yes" if exercise.happens else "no"
            chance = turn.text(f"Chance for {asker} that {event}: ")
            lines += [f"{chance}{percent(exercise.odds)}; here: {happens}"]
        return tuple(lines)

    def row(self, exercise: Exercise) -> dict[str, object]:
        """Return a board for JSON."""
        board, topic = exercise.board, exercise.topic
        layout = cast("Deal", board.layout)
        row = board_row(board, "board deal number dealer vulnerable", numbering("deal"))
        row |= {
            "seed": str(self.seed),
            "turned": exercise.places,
            "hands": {seat.letter: str(layout[seat]) for seat in topic.seating.players},
            "hcp": {seat.letter: layout[seat].hcp for seat in Seat},
            "situation": None if topic.situation is None else topic.situation.name,
            "title": topic.kind or topic.title,
        }
        if self._shows_level(topic):
            row["difficulty"] = {
                "level": topic.difficulty.level(exercise.deal),
                "figure": topic.difficulty.figure(exercise.deal),
            }
        by_rules = exercise.sensible
        row["sensible"] = None if by_rules is None else _letters((by_rules.level, by_rules.strain))
        row["question"] = self._question(exercise)
        return row | (solution_row(exercise.board, exercise.tricks) if exercise.tricks else {})

    def _question(self, exercise: Exercise) -> dict[str, object] | None:
        """Return the key decision of a board for JSON."""
        question = exercise.topic.question
        if question is None or self.odds == "none":
            return None
        turn = Turn.of(exercise.places)
        whole = self._odds_of_topics[exercise.topic.title]
        return {
            "seat": turn.seats[question.asker].letter,
            "event": turn.text(question.text),
            "probability": None if exercise.odds is None else str(exercise.odds),
            "probability_of_situation": str(whole),
            "happens": exercise.happens,
        }

    @cached_property
    def _odds_of_topics(self) -> dict[str, Fraction | None]:
        return {topic.title: self.odds_of(topic) for topic in self.topics}


def _usual_turn(topic: Topic) -> Turn:
    """Return the turn of the texts on a topic in the notes of the whole set."""
    return Turn.of(0 if topic.seating.turning else int(topic.seating.across))
