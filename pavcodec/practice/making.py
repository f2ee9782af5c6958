"""Practice sets of the library's situations: the interface for Python, and for the browser."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import repeat
from operator import index
from typing import TYPE_CHECKING, Literal, SupportsIndex, cast

from pavcodec.errors import NumberError, PavError, UnknownNameError, check_text, shown, suggest
from pavcodec.files.opening import open_output
from pavcodec.layout import Deal
from pavcodec.practice.exercises import (
    HANDS,
    NAME,
    Exercise,
    PracticeSession,
    Topic,
    title_of,
    with_level,
)
from pavcodec.practice.sets import PracticeSet, Seating, practice_document
from pavcodec.practice.situations import LEVELS, Situation, situation
from pavcodec.printing.document import PAPERS, Paper
from pavcodec.printing.pages import WRITERS, format_of_suffix
from pavcodec.sampling import Stream, given_seed, parse_seed, proportion, weight_of

if TYPE_CHECKING:
    from pavcodec.constraints import ConstrainedDeals, Mix


USUAL_BOARDS = 16
"""The boards of a set, unless another number is given."""
MOST_BOARDS = 1000
MOST_WITH_ODDS = 36
"""The most boards of a set in which each board has its own odds."""
_FARTHEST = 1 << 48
_WEIGHTED = re.compile(rf"({NAME.pattern})(?:\s*[=:]\s*([-+]?[\w.][\w./]*))?")


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

    `situations` is a name of the library, or several, each with a weight after `=` if they are not
    equally frequent. Board k depends only on the seed and k. With `solve`, the boards have their
    double-dummy tricks. Raises `UnknownNameError` for unknown names, `NumberError` for wrong
    numbers and weights, and `PavError` without the package endplay, if tricks are wanted.

    >>> practice = practice_set(["stayman=2", "two-clubs"], 2, seed=7, hands="NS")
    >>> practice.title, [board.number for board in practice.boards]
    ('Stayman and Strong two clubs', [1, 2])
    """
    given: object = [situations] if isinstance(situations, str) else situations
    if not isinstance(given, Iterable):
        kind = type(given).__name__
        raise TypeError(f"situations are names, as in ['stayman=2', 'transfer'], not {kind!r}")
    words = list(given)
    for word in words:
        check_text("a situation", word)
    session, source = session_of_library(
        words,
        index(n),
        seed=parse_seed(seed) if isinstance(seed, str) else given_seed(seed),
        start=index(start),
        hands=hands,
        turning=turning,
        difficulty=difficulty,
        solve=solve,
    )
    exercises = exercises_of(session, source, solve=solve)
    return session.practice(exercises, brief=True)


def exercises_of(
    session: PracticeSession, source: Source, *, solve: bool = False
) -> tuple[Exercise, ...]:
    """Return the boards of a session with their chances, and with their tricks if wanted."""
    exercises = tuple(session.exercises(source.deals(session)))
    return session.solved(exercises) if solve else exercises


def write_practice(
    practice: PracticeSet,
    target: str | os.PathLike[str],
    *,
    format: str | None = None,
    paper: Paper = "a4",
) -> None:
    """Write the pages of a practice set: a page for each player, and the solutions.

    The format is `format`, `pdf` or `html`, else that of the suffix. A file is complete or absent.
    Raises `UnknownNameError` for another format or paper, and `PavError` without the package typst.
    """
    if not isinstance(practice, PracticeSet):
        raise TypeError(f"a PracticeSet is written, not {type(practice).__name__!r}")
    check_text("the name of a paper", paper)
    if paper not in PAPERS:
        raise UnknownNameError(f"no paper is called {paper!r}; expected {' or '.join(PAPERS)}")
    if format is not None:
        check_text("the name of a format", format)
    kind = format or format_of_suffix(target)
    if kind not in WRITERS:
        named = repr(format or os.fspath(target))
        raise UnknownNameError(f"pages are written as pdf or html, not as {named}: name the format")
    data = WRITERS[kind](practice_document(practice, paper))
    with open_output(target) as stream:
        stream.write(data)


class Source:
    """The deals of one situation, or of several by their weights."""

    def __init__(
        self, topics: Sequence[Topic], space: ConstrainedDeals | None, mix: Mix | None
    ) -> None:
        self._topics, self._space, self._mix = topics, space, mix

    def deals(self, session: PracticeSession) -> Iterator[tuple[Deal, Topic]]:
        """Yield the deals of a session, each with its topic."""
        count, seed, start = session.count, session.seed, session.start
        if self._mix is None:
            assert self._space is not None
            numbers = Stream(seed).indexes(self._space.cardinality, count, start)
            deals = map(self._space.unrank, numbers)
            return zip(deals, repeat(self._topics[0]), strict=False)
        evaluations = self._mix.evaluations(count, seed=seed, start=start)
        types = self._mix.places(count, seed=seed, start=start)
        return (
            (cast("Deal", evaluation.deal), self._topics[kind])
            for evaluation, kind in zip(evaluations, types, strict=True)
        )


def session_of_library(  # noqa: PLR0913 (those of `practice_set`)
    words: Sequence[str],
    count: int,
    *,
    seed: int,
    start: int,
    hands: str,
    turning: bool,
    difficulty: str | None,
    solve: bool,
) -> tuple[PracticeSession, Source]:
    """Return the session of situations of the library, and the source of their deals."""
    if not 1 <= count <= MOST_BOARDS:
        raise NumberError(f"a set has 1 to {MOST_BOARDS} boards, not {shown(count)}")
    if not 0 <= start <= _FARTHEST:
        raise NumberError(f"a start is 0 to 2^48, not {shown(start)}")
    if hands not in HANDS:
        raise suggest("choice of hands", hands, list(HANDS))
    if difficulty is not None and difficulty not in LEVELS:
        raise suggest("level", difficulty, list(LEVELS))
    wanted = [_wanted(word) for word in words]
    if not wanted:
        raise PavError("name a situation to practise")
    topics, source = _chosen(wanted, hands, difficulty, turning=turning)
    command = ["pavcodec", "practice", "-n", str(count), "--seed", str(seed)]
    command += ["--start", str(start)] if start else []
    command += ["--hands", hands] if hands != "all" else []
    command += ["--turn"] if turning else []
    command += ["--difficulty", difficulty] if difficulty else []
    command += ["--solve"] if solve else []
    session = PracticeSession(
        topics,
        count,
        seed,
        start,
        "boards" if count <= MOST_WITH_ODDS else "set",
        title_of(topics),
        shlex.join([*command, *words]),
        difficulty=difficulty,
    )
    return session, source


def _wanted(word: str) -> tuple[Situation, Fraction]:
    """Return the situation and the weight of a word such as `stayman=2`."""
    match = _WEIGHTED.fullmatch(word.strip())
    if match is None:
        raise UnknownNameError(f"expected a situation, as in stayman or stayman=2, not {word!r}")
    return situation(match[1]), weight_of(match[2]) if match[2] else Fraction(1)


def _chosen(
    wanted: Sequence[tuple[Situation, Fraction]],
    hands: str,
    difficulty: str | None,
    *,
    turning: bool,
) -> tuple[tuple[Topic, ...], Source]:
    """Return the topics of situations, and their deals."""
    from pavcodec.constraints import Mix
    from pavcodec.constraints.counting.condition import Condition
    from pavcodec.constraints.language.parser import parse_condition
    from pavcodec.constraints.mixes.types import MixType
    from pavcodec.constraints.nodes.syntax import Number
    from pavcodec.constraints.spaces.deals import deals_of

    weights = [weight for _, weight in wanted]
    proportion(weights)  # which refuses sums that are too large for a draw
    base, kinds, topics = Number(1), [], []
    for chosen, weight in wanted:
        node = with_level(parse_condition(chosen.where), difficulty, chosen)
        assert node is not None
        space = deals_of(Condition(node))
        if not space.cardinality:
            raise PavError(f"{chosen.name} has no deals of this difficulty: {difficulty}")
        seating = Seating(
            players=HANDS[hands], dealer=chosen.dealer, turning=turning, across=hands == "EW"
        )
        share = weight / sum(weights)
        kinds.append(MixType(node, weight, share, space, base))
        topics.append(Topic(chosen.title, str(space.where), seating, share, chosen))
    if len(kinds) == 1:
        return tuple(topics), Source(topics, cast("ConstrainedDeals", kinds[0].space), None)
    return tuple(topics), Source(topics, None, Mix(tuple(kinds), base, is_natural=False))
