"""Practice: boards of situations and conditions, with a page for each player and solutions."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby, repeat
from operator import index
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Literal, SupportsIndex, cast

from pavcodec.boards import Board, Context, Vulnerability
from pavcodec.cards import Seat
from pavcodec.chances.figures import chances
from pavcodec.errors import NumberError, PavError, check_text, shown, suggest
from pavcodec.numberings import numbering
from pavcodec.practice import (
    LEVELS,
    PracticeSet,
    Seating,
    Situation,
    practice_document,
    situation,
    text_pages,
)
from pavcodec.practice.exercises import (
    HANDS,
    TITLE,
    Exercise,
    PracticeSession,
    Topic,
    title_of,
    with_level,
)
from pavcodec.practice.sets import MOST_BOARDS, MOST_WITH_ODDS, USUAL_BOARDS
from pavcodec.practice.situations import NAMED, find_situations, points_text
from pavcodec.printing.document import PAPERS, Paper
from pavcodec.questions.asking import (
    Answer,
    Question,
    QuestionError,
    as_in,
    ask,
    note,
    progress,
    working,
)
from pavcodec.questions.deals import (
    Deals,
    Request,
    condition_of_node,
    condition_of_text,
    refuse_empty,
    space_of,
)
from pavcodec.questions.events import OfEvent
from pavcodec.questions.shares import Types, level_of, mix_of, types_of_text
from pavcodec.questions.solving import Solving, use_solved_files
from pavcodec.questions.sources import DealSource, Draw, MixedSource, draw
from pavcodec.questions.tables import fact_lines, ruled_lines
from pavcodec.questions.words import whole
from pavcodec.sampling import fresh_seed, given_seed, parse_seed, proportion, weight_of

if TYPE_CHECKING:
    from pavcodec.constraints import Levelled, Mix
    from pavcodec.constraints.nodes.syntax import Node
    from pavcodec.constraints.spaces.deals import CountableSpace as Space
    from pavcodec.constraints.spaces.deals import DealSpace
    from pavcodec.layout import Deal

_WEIGHTED = re.compile(r"([^=:]*|[^(]*\([^)]*\))\s*[=:]\s*([-+]?[\w.][\w./]*)")
_FARTHEST = 1 << 48
_ODDS = ("none", "set", "boards")
_VULNERABLE = {word.value.lower(): word for word in Vulnerability} | {"both": Vulnerability.ALL}


def _seat_text(text: str) -> str:
    return Seat.parse(text).letter


def _vulnerable_text(text: str) -> str:
    if text.lower() not in _VULNERABLE:
        raise PavError(f"expected none, NS, EW or all, not {text!r}")
    return _VULNERABLE[text.lower()].value


# The library of situations.


@dataclass(frozen=True)
class Situations(Question):
    """List the situations for practice, or describe one."""

    name: ClassVar[str] = "practice --list"
    call: ClassVar[str] = "situations"
    indent: ClassVar[int | None] = 2
    examples: ClassVar[str] = """\
  pavcodec practice --list
  pavcodec practice --list raises
  pavcodec practice --list 'stayman(south=12-14, north=8-11)'"""
    details: ClassVar[str] = "The words are those of names, titles, summaries and subjects."

    words: tuple[str, ...] = ask(
        "a name or a subject, or words to find",
        default=(), flag="", metavar="WORD", label="Words", most=100,
    )  # fmt: skip

    keys: ClassVar[dict[str, str]] = {
        "situations": "the situations, each with its condition, its exact chance and its levels",
    }

    def find(self) -> Library:
        """Return the situations that have the words."""
        return Library(find_situations(self.words), is_one=len(self.words) == 1)


def situations(*words: str) -> Answer:
    """Return the situations for practice that have the words, as `practice --list`.

    >>> [row["name"] for row in situations("raises").to_dict()["situations"]]
    ['single-raise', 'limit-raise', 'splinter']
    """
    return Situations(words).answer()


@dataclass
class Library(Answer):
    """Situations; if one is named, everything about it."""

    found: list[Situation]
    is_one: bool

    def lines(self) -> Iterator[str]:
        """Yield a table by subjects, or all facts of one."""
        if self.is_one and len(self.found) == 1:
            yield from fact_lines(_facts(self.found[0]), 11)
            return
        for place, (subject, some) in enumerate(groupby(self.found, lambda one: one.subject)):
            yield from ([""] if place else [])
            yield f"{subject[0].upper()}{subject[1:]}"
            rows = [
                (one.name, f"{one.cardinality:,}", chances(one.probability), one.summary)
                for one in some
            ]
            yield from ruled_lines(("situation", "deals", "chance", "what it is"), rows, folds=True)

    def documents(self) -> Iterator[Any]:
        """Yield the situation that is named, or the list of them."""
        rows = self.to_dict()["situations"]
        yield rows[0] if self.is_one and len(rows) == 1 else rows

    def to_dict(self) -> dict[str, Any]:
        """Return the situations for JSON."""
        return {"situations": list(map(_row, self.found))}


def _facts(one: Situation) -> Iterator[tuple[str, str]]:
    """Yield the heads and values of a situation."""
    yield "situation", one.name
    yield "title", one.title
    yield "what", one.summary
    yield "subject", one.subject
    yield "dealer", one.dealer.name.title()
    yield "deals", f"{one.cardinality:,}"
    yield "chance", f"{one.probability}: {chances(one.probability)}"
    yield "condition", one.where
    if one.points:
        yield (
            "points",
            ", ".join(f"{seat}={points_text(low, high)}" for seat, low, high in one.points),
        )
    yield from ((level, one.difficulty.meaning(level)) for level in LEVELS)
    if one.question is not None:
        asker = one.question.asker.name.title()
        yield "decision", f"{asker}: what is the chance that {one.question.text}?"


def _row(one: Situation) -> dict[str, object]:
    """Return a situation for JSON."""
    asked = one.question
    return {
        "name": one.name,
        "title": one.title,
        "summary": one.summary,
        "subject": one.subject,
        "dealer": one.dealer.letter,
        "cardinality": str(one.cardinality),
        "probability": str(one.probability),
        "where": one.where,
        "points": {seat: points_text(low, high) for seat, low, high in one.points},
        "difficulty": {
            level: {
                "meaning": one.difficulty.meaning(level),
                "where": one.difficulty.where(level),
            }
            for level in LEVELS
        },
        "question": asked
        and {"seat": asked.asker.letter, "meaning": asked.text, "event": asked.event},
    }


# A practice set.


@dataclass(frozen=True)
class _Solutions(Question):
    """What the solutions of a set have."""

    odds: str | None = ask(
        "the odds of key decisions: none, those of each situation (set), or also those of each "
        f"board (default: boards, and set for more than {MOST_WITH_ODDS} boards)",
        default=None, group="output", choices=_ODDS,
    )  # fmt: skip
    solve: bool = ask(
        "compute the double-dummy tricks and par of each board for the solutions",
        default=False, group="output", label="Compute double-dummy tricks for the solutions",
    )  # fmt: skip
    solved: tuple[str, ...] = as_in(Solving, "solved")
    paper: str = ask(
        "the paper of the pages (default: a4)", default="a4", group="output", choices=PAPERS
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class _Scripted(Types, Deals):
    """The deals and the types of a set, whose own `hands` are its players."""


@dataclass(frozen=True)
class Practice(OfEvent, _Solutions):
    """Make practice boards, with a page for each player."""

    name: ClassVar[str] = "practice"
    call: ClassVar[str] = "practise"
    gives_boards: ClassVar[bool] = True
    pages: ClassVar[tuple[str, ...]] = ("text", "html", "pdf")
    examples: ClassVar[str] = """\
  pavcodec practice --list
  pavcodec practice stayman --hands NS --turn -n 24 -o stayman.pdf
  pavcodec practice stayman=2 transfer=1 reverse=1 --difficulty hard -o set.html
  pavcodec practice 'hcp(south) >= 20 : 2' 'spades(south) >= 7 : 1' --turn -n 8"""
    details: ClassVar[str] = """\
Each player gets a page with only the own hands. The last page has the solutions, the seed, and the
number of each deal, which 'pavcodec decode' turns back into the deal. Every deal that satisfies the
condition is equally likely; the deals are those of 'pavcodec deal' with the same seed and
condition.

--list prints the situations by subject, --list with words those that have them, such as raises. A
situation is for South, who makes the call, and North; --hands EW turns it to West and East. Points
in brackets replace those of the situation, as in 'stayman(south=12-14, north=8-11)' or
'transfer(north=10+)'; --list with a name prints whose points it has. You can also give a condition
of your own, which practice does not turn, or a script of the classic dealer program, from which
practice uses the condition, seed, predeal and produce, its mix, and the types of --level, but no
actions.

Several situations and conditions make one set. Each may have a weight, as in stayman=2 or
'hcp(south) >= 20 : 2'; without one, the weight is 1. The situation of a board is drawn by exactly
these weights, then its deal among all deals of the situation. Deal k of such a set is deal k of its
situation with the same seed. --interleave gives each situation its share of any few boards.

--difficulty easy, medium or hard deals only such boards. By points: a board is hard if North and
South have 24, 25, 32 or 33 points together, where one point decides about game or slam; medium with
22, 23, 26, 27, 30, 31, 34 or 35; else easy. Some situations have levels by the longest fit instead:
a long fit is easy, a short one hard. --list with a name prints the levels.

Each situation has a key decision, a question of one player about the hidden hands. The solutions
have its exact odds: in all deals of the situation, and for the player's hand of each board. --odds
set leaves out those of the boards, as sets of more than 36 boards do; --odds none leaves out all.

The solution of a board has a contract that North and South of the condition should reach by their
own two hands: a major with eight cards before notrump, game from 25 points, a slam from 33.

--solve computes the double-dummy tricks of each board with the package endplay. The solutions have
the tricks, par, and the best contract of North and South of the condition, with the games and slams
that fail by one.

--turn turns the table from board to board; hands, dealer and vulnerability move together. For four
players, the dealer of the condition sits North on board 1, East on board 2 and so on, as in
tournaments. For two players, the partners change places on every second board.

The dealer comes from --dealer, else from the script or the situation, else from the board number as
in tournaments; the vulnerability comes from --vulnerable, else from the script, else from the board
number. Dealer and vulnerability of options and scripts refer to the condition before any turn.

In the situations, a balanced hand has no void, no singleton and at most one doubleton; a good suit
has two of the top three honours or three of the top five; an opening of one of a suit has five or
more cards in it, no other five-card suit, and 11 to 15 points."""

    situations: tuple[str, ...] = ask(
        "a situation of --list, or a condition, each with a weight if there are several "
        "(default: all deals)",
        default=(), flag="", metavar="SITUATION", most=50,
    )  # fmt: skip
    script: str = as_in(Deals, "script")
    predeal: tuple[str, ...] = as_in(Deals, "predeal")
    template: str = as_in(Deals, "template")
    memory: int | None = as_in(Deals, "memory")
    n: int | None = ask(
        f"the number of boards, 1 to {MOST_BOARDS} (default: {USUAL_BOARDS}, or as the script "
        "says)",
        default=None, flag="-n", group="random draw", metavar="N", read=whole, label="Boards",
        most=MOST_WITH_ODDS,
    )  # fmt: skip
    seed: str | None = ask(
        "a number below 2^128, or a text (default: a fresh number)",
        default=None, group="random draw", metavar="SEED", label="Seed", most=200,
    )  # fmt: skip
    start: int = ask(
        "skip the first K deals (default: 0)",
        default=0, group="random draw", metavar="K", read=whole, most=10**9,
    )  # fmt: skip
    board: int | None = ask(
        "only this board of the set, counted from 1",
        default=None, group="random draw", metavar="K", read=whole, most=MOST_WITH_ODDS,
    )  # fmt: skip
    hands: str = ask(
        "the players: two partners or all four (default: all)",
        default="all", group="boards", choices=tuple(HANDS), label="Players",
    )  # fmt: skip
    turn: bool = ask(
        "turn the table, so that each player gets each role", default=False, group="boards",
        label="Turn the table, so that each player gets each role",
    )  # fmt: skip
    difficulty: str | None = ask(
        "deal only boards of this level (default: all boards)",
        default=None, group="boards", choices=tuple(LEVELS), label="Difficulty",
    )  # fmt: skip
    dealer: str | None = ask(
        "the dealer of the condition", default=None, group="boards", metavar="SEAT",
        read=_seat_text, most=10,
    )  # fmt: skip
    vulnerable: str | None = ask(
        "the vulnerability of the condition: none, NS, EW or all",
        default=None, group="boards", metavar="WORD", read=_vulnerable_text, most=10,
    )  # fmt: skip
    level: tuple[str, ...] = as_in(Types, "level")
    shares: tuple[str, ...] = as_in(Types, "shares")
    condition_instead: str | None = as_in(Types, "condition_instead")
    without: tuple[str, ...] = as_in(Types, "without")
    interleave: bool | None = as_in(Types, "interleave")

    keys: ClassVar[dict[str, str]] = {
        "title": "the title of the set",
        "seed": "the seed of the deals",
        "boards": "the boards, each with its hands, its key decision, and its tricks with `solve`",
    }

    def find(self) -> PracticeBoards:
        """Return the boards of the set, or one of them."""
        chosen = self.chosen()
        note(f"seed {chosen.seed}")
        source = chosen.source
        watching = progress(None, "dealing", "deals", total=source.count, note=source.note)
        answer = chosen.answered(watching.watch(source.deals()))
        answer.is_fault = not source.finish()
        if not answer.exercises:
            raise PavError("there are no boards to write")
        return answer

    def chosen(self) -> Choice:
        """Return the topics of the set, counted, with the number of boards and the seed."""
        if self.n is not None and not 1 <= self.n <= MOST_BOARDS:
            reason = f"a set has 1 to {MOST_BOARDS} boards, and {{n}} is {self.n}"
            raise QuestionError(reason, "n")
        words = self.situations
        if words and self.script:
            raise QuestionError(
                "give situations and conditions, or a script with -f, not both", "situations"
            )
        wanted = [each for word in words for each in _wanted(word, alone=len(words) == 1)]
        is_mix = len(wanted) > 1
        alone = wanted[0].text if wanted and not is_mix else None
        request = self._deals.request(alone, "situations")
        seats = _Seats(self, *self._rules(request))
        if is_mix:
            topics, mix = self._mixed(request, wanted, seats)
            return self._choice(topics, request, mix=mix)
        scripted = self._types(request, seats)
        if scripted is not None:
            topics, mix = scripted
            return self._choice(topics, request, mix=mix)
        if self.interleave is not None:
            raise QuestionError(
                "{interleave} orders several topics: name more than one", "interleave"
            )
        chosen = wanted[0].situation if wanted else None
        node = with_level(request.node, self.difficulty, chosen)
        space = None
        if node is not None:
            space = space_of(condition_of_node(node, self.memory), "plan")
            refuse_empty(space)
        where = "" if space is None else str(space.where)
        title = TITLE if chosen is None else chosen.title
        topic = Topic(title, where, seats.of(chosen), situation=chosen)
        return self._choice((topic,), request, space=space)

    @property
    def _deals(self) -> _Scripted:
        """The deals and types, as a question about deals has them."""
        shared = (
            "script", "predeal", "template", "memory",
            "level", "shares", "condition_instead", "without", "interleave",
        )  # fmt: skip
        return _Scripted(**{name: getattr(self, name) for name in shared})

    def _choice(
        self,
        topics: tuple[Topic, ...],
        request: Request,
        *,
        space: Space | None = None,
        mix: Mix | None = None,
    ) -> Choice:
        """Return topics with the number of boards and the seed of the fields or the script."""
        script = request.script
        produce = None if script is None else script.produce
        if self.n is None and produce is not None and not 1 <= produce <= MOST_BOARDS:
            reason = f"a set has 1 to {MOST_BOARDS} boards, and {{source}} says produce {produce}"
            raise QuestionError(reason, "script", source=request.source)
        if self.n is not None and produce is not None:
            request.warn(f"-n replaces {f'produce {produce}'!r}")
        count = self.n or produce or USUAL_BOARDS
        own = None if script is None else script.seed
        if self.seed is not None and own is not None:
            request.warn(f"--seed replaces {f'seed {own}'!r}")
        try:
            seed = own if self.seed is None else parse_seed(self.seed)
        except NumberError as error:
            raise QuestionError("{seed}: {said}", "seed", said=error) from None
        seed = fresh_seed() if seed is None else seed
        if self.board is not None and not 1 <= self.board <= count:
            reason = f"the set has {count} boards, and no board {self.board}"
            raise QuestionError(reason, "board")
        return Choice(replace(self, n=count, seed=str(seed)), topics, request, space, mix, seed)

    def _rules(self, request: Request) -> tuple[Seat | None, Vulnerability | None]:
        """Return dealer and vulnerability of the fields, else of the script; None for neither."""
        dealer = Seat.parse(self.dealer) if self.dealer else None
        words = self.vulnerable
        vulnerable = _VULNERABLE[_vulnerable_text(words).lower()] if words else None
        script = request.script
        if script is None:
            return dealer, vulnerable
        if dealer is not None and script.dealer is not None:
            request.warn("--dealer replaces 'dealer'")
        if vulnerable is not None and script.vulnerable is not None:
            request.warn("--vulnerable replaces 'vulnerable'")
        return (
            script.dealer if dealer is None else dealer,
            script.vulnerable if vulnerable is None else vulnerable,
        )

    def _mixed(
        self, request: Request, wanted: Sequence[_Wanted], seats: _Seats
    ) -> tuple[tuple[Topic, ...], Mix]:
        """Return several topics: each is drawn by its weight, then its deal among all of it."""
        from pavcodec.constraints import Mix
        from pavcodec.constraints.mixes.mixes import MixType, joined
        from pavcodec.constraints.nodes.syntax import Number

        if self.level:
            raise QuestionError(
                "{level} names variables of a script: give the script with -f", "level"
            )
        base = Number(1) if request.node is None else request.node
        weights = [Fraction(1) if each.weight is None else each.weight for each in wanted]
        try:
            proportion(weights)  # which refuses sums that are too large for a draw
        except NumberError as error:
            raise QuestionError("{said}", "situations", said=error) from None
        kinds, topics = [], []
        for each, weight in zip(wanted, weights, strict=True):
            node = with_level(each.node, self.difficulty, each.situation)
            assert node is not None
            joint = node if request.node is None else joined(base, node)
            space = cast("DealSpace", space_of(condition_of_node(joint, self.memory), "plan"))
            refuse_empty(space)
            share = weight / sum(weights)
            kinds.append(MixType(node, weight, share, space, base))
            title = TITLE if each.situation is None else each.situation.title
            seating = seats.of(each.situation)
            topics.append(Topic(title, str(space.where), seating, share, each.situation))
        mix = Mix(tuple(kinds), base, is_natural=False)
        return tuple(topics), mix.interleaved if self.interleave else mix

    def _types(self, request: Request, seats: _Seats) -> tuple[tuple[Topic, ...], Mix] | None:
        """Return the types of a script, its own mix or those of --level; None without types."""
        own = replace(request, node=with_level(request.node, self.difficulty, None))
        levelled: Levelled | None = level_of(self._deals, own)
        mix: Mix | None = levelled
        if levelled is None and request.script is not None and request.script.mix:
            mix = mix_of(self._deals, own)
        if mix is None:
            return None
        topics = []
        for place, kind in enumerate(mix.types):
            name = "" if levelled is None else " ".join(levelled.names_of(place))
            where = str(kind.space.where)
            topics.append(Topic(name or TITLE, where, seats.of(None), kind.share, kind=name))
        return tuple(topics), mix


def practise(*situations: str, **fields: Any) -> Answer:
    """Make practice boards, as the command `practice`, of situations and conditions.

    The fields are those of `Practice`. The answer has `practice()`, the set to write.
    """
    return Practice(situations=fields.pop("situations", situations), **fields).answer()


def practice_set(  # noqa: PLR0913 (the options of a set, each by its name)
    situations: str | Iterable[str],
    n: SupportsIndex = USUAL_BOARDS,
    *,
    seed: int | str | None = None,
    start: SupportsIndex = 0,
    hands: Literal["NS", "EW", "all"] = "all",
    turning: bool = False,
    difficulty: Literal["easy", "medium", "hard"] | None = None,
    solve: bool = False,
) -> PracticeSet:
    """Return boards of situations for practice, as `pavcodec practice` makes them.

    `situations` is a name of the library or a condition, or several, each with a weight if they
    are not equally frequent. Board k depends only on the seed and k. With `solve`, the boards have
    their double-dummy tricks. Raises `UnknownNameError` for unknown names, `NumberError` for wrong
    numbers and weights, and `PavError` without the package endplay, if tricks are wanted.

    >>> practice = practice_set(["stayman=2", "two-clubs"], 2, seed=7, hands="NS")
    >>> practice.title, [board.number for board in practice.boards]
    ('Stayman and Strong two clubs', [1, 2])
    """
    given: object = [situations] if isinstance(situations, str) else situations
    if not isinstance(given, Iterable):
        kind = type(given).__name__
        raise TypeError(f"situations are names, as in ['stayman=2', 'transfer'], not {kind!r}")
    words = tuple(given)
    for word in words:
        check_text("a situation", word)
    count, first = index(n), index(start)
    if not 1 <= count <= MOST_BOARDS:
        raise NumberError(f"a set has 1 to {MOST_BOARDS} boards, not {shown(count)}")
    if not 0 <= first <= _FARTHEST:
        raise NumberError(f"a start is 0 to 2^48, not {shown(first)}")
    if hands not in HANDS:
        raise suggest("choice of hands", hands, list(HANDS))
    if difficulty is not None and difficulty not in LEVELS:
        raise suggest("level", difficulty, list(LEVELS))
    if not words:
        raise PavError("name a situation to practise")
    question = Practice(
        situations=words,
        n=count,
        seed=seed if isinstance(seed, str) else str(given_seed(seed)),
        start=first,
        hands=hands,
        turn=turning,
        difficulty=difficulty,
        solve=solve,
    )
    return cast("PracticeBoards", question.answer()).practice()


@dataclass(frozen=True)
class _Seats:
    """The fields of the seating; `of` is the seating of one topic."""

    asked: Practice
    dealer: Seat | None
    vulnerable: Vulnerability | None

    def of(self, chosen: Situation | None) -> Seating:
        """Return the seating of a situation, or of a condition."""
        dealer = self.dealer
        return Seating(
            players=HANDS[self.asked.hands],
            dealer=chosen.dealer if dealer is None and chosen is not None else dealer,
            vulnerable=self.vulnerable,
            turning=self.asked.turn,
            across=chosen is not None and self.asked.hands == "EW",
        )


@dataclass(frozen=True)
class _Wanted:
    """A topic as it is requested."""

    condition: str | Node
    weight: Fraction | None = None
    situation: Situation | None = None

    @property
    def text(self) -> str:
        """The condition as a text."""
        from pavcodec.constraints.operators import Expression

        condition = self.condition
        return condition if isinstance(condition, str) else str(Expression(condition))

    @property
    def node(self) -> Node:
        """The condition as a tree."""
        condition = self.condition
        return condition_of_text(condition) if isinstance(condition, str) else condition


def _wanted(word: str, *, alone: bool) -> Iterator[_Wanted]:
    """Yield the topics of one argument: a name, `name=weight`, or a condition."""
    if NAMED.fullmatch(word):
        named = situation(word)
        yield _Wanted(named.where, None, named)
        return
    weighted = _WEIGHTED.fullmatch(word.strip())
    if weighted and NAMED.fullmatch(weighted[1].strip()):
        named = situation(weighted[1].strip())
        try:
            yield _Wanted(named.where, weight_of(weighted[2]), named)
        except NumberError as error:
            raise QuestionError("{said}", "situations", said=error) from None
    elif alone:
        yield _Wanted(word)
    else:
        yield from (_Wanted(node, weight) for node, weight in types_of_text(word))


@dataclass(frozen=True)
class Choice:
    """The topics of a set and their deals: a space, a mix, or without both all deals.

    `asked` has the number of boards and the seed.
    """

    asked: Practice
    topics: tuple[Topic, ...]
    request: Request
    space: Space | None
    mix: Mix | None
    seed: int

    @property
    def draw(self) -> Draw:
        """The deals of the set that are wanted: all, or that of one board."""
        asked, script = self.asked, self.request.script
        assert asked.n is not None
        count, start = (asked.n, 0) if asked.board is None else (1, asked.board - 1)
        tries = None if script is None else script.generate
        return Draw(count, self.seed, asked.start + start, tries=tries)

    @cached_property
    def source(self) -> DealSource:
        """The deals; fewer only if the script limits the tested deals."""
        return draw(self.space, self.draw) if self.mix is None else MixedSource(self.mix, self.draw)

    def _topics_of_deals(self) -> Iterator[Topic]:
        if self.mix is None:
            return repeat(self.topics[0])
        draw = self.draw
        places = self.mix.places(draw.count, seed=draw.seed, start=draw.start)
        return (self.topics[kind] for kind in places)

    def answered(self, deals: Iterable[Deal]) -> PracticeBoards:
        """Return the boards of the deals."""
        session = self.session()
        pairs = zip(deals, self._topics_of_deals(), strict=False)
        exercises = tuple(session.exercises(pairs))
        if self.asked.solve:
            use_solved_files(self.asked.solved)
            exercises = session.solved(exercises)
        answer = PracticeBoards(self.asked, session, exercises)
        answer.again = self.asked
        return answer

    def session(self) -> PracticeSession:
        """Return the values that the boards share."""
        event, draw = self.asked.event_tags, self.draw
        few = (self.asked.n or 0) <= MOST_WITH_ODDS
        return PracticeSession(
            self.topics,
            draw.count,
            draw.seed,
            draw.start,
            self.asked.odds or ("boards" if few else "set"),
            event.title or event.tags.get("Event") or title_of(self.topics),
            shlex.join(self._words()),
            tags=event.tags,
            difficulty=self.asked.difficulty,
            script=self.asked.script or None,
            busy=working,
        )

    def _words(self) -> Iterator[str]:
        """Yield the words of the command in the notes and tags, of which old sets have these."""
        asked = self.asked
        yield from ("pavcodec", "practice")
        yield from _option("-f", asked.script)
        for cards in asked.predeal:
            yield from ("--predeal", cards)
        yield from _option("--template", asked.template)
        yield from ("-n", str(asked.n), "--seed", str(self.seed))
        yield from _option("--start", asked.start)
        yield from _option("--board", asked.board)
        yield from _option("--hands", asked.hands if asked.hands != "all" else "")
        yield from ["--turn"] if asked.turn else []
        for name in ("dealer", "vulnerable", "difficulty"):
            yield from _option(f"--{name}", getattr(asked, name))
        for name in ("level", "shares", "without"):
            for value in getattr(asked, name):
                yield f"--{name}={value}" if value else f"--{name}"
        yield from _option("--condition", asked.condition_instead)
        if asked.interleave is not None:
            yield "--interleave" if asked.interleave else "--no-interleave"
        tags = asked.event_tags.tags
        for name in ("event", "site", "date", "session", "title"):
            value = tags.get("Date") if name == "date" else getattr(asked, name)
            yield from _option(f"--{name}", value)
        yield from ["--solve"] if asked.solve else []
        yield from _option("--odds", asked.odds)
        words = asked.situations
        yield from ["--"] if any(word[:1] == "-" for word in words) else []
        yield from words


def _option(name: str, value: object) -> tuple[str, ...]:
    """Return an option with its value; nothing without one."""
    return (name, str(value)) if value else ()


@dataclass
class PracticeBoards(Answer):
    """The boards of a set, with their solutions."""

    asked: Practice
    session: PracticeSession
    exercises: tuple[Exercise, ...]
    is_fault: bool = False
    """Whether the script allowed too few tests."""

    @property
    def tags(self) -> Mapping[str, str]:
        """The tags of the event."""
        return self.session.tags

    @property
    def context(self) -> Context:
        """The context in which a format writes the boards."""
        session = self.session
        return Context(
            "practice", numbering=numbering("deal"), preface=session.preface(), note=note,
            title=session.title,
        )  # fmt: skip

    def boards(self) -> Iterator[Board]:
        """Yield the boards, with their solutions as comments."""
        return map(self.session.commented, self.exercises)

    def practice(self, *, brief: bool = True) -> PracticeSet:
        """Return the set with the notes of its solution; `brief` without known conditions."""
        return self.session.practice(self.exercises, brief=brief)

    def write_pages(self, kind: str, stream: BinaryIO) -> None:
        """Write a page for each player, and the solutions."""
        if kind == "text":
            stream.write(text_pages(self.practice(brief=False)).encode())
            return
        from pavcodec.printing.pages import WRITERS

        paper = cast("Paper", self.asked.paper)
        stream.write(WRITERS[kind](practice_document(self.practice(), paper)))

    def lines(self) -> Iterator[str]:
        """Yield the pages as text."""
        yield from text_pages(self.practice(brief=False)).splitlines()

    def documents(self) -> Iterator[dict[str, Any]]:
        """Yield the boards for JSON."""
        return map(self.session.row, self.exercises)

    def to_dict(self) -> dict[str, Any]:
        """Return the set for JSON."""
        title, seed = self.session.title, str(self.session.seed)
        return {"title": title, "seed": seed, "boards": list(self.documents())}
