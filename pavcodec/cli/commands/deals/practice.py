"""`pavcodec practice`: boards to practise with, a page for each player and one of solutions.

The topics of a set are situations of the library and conditions, with weights, or the types of a
script. A session draws the boards, and has the command that makes the same set again.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import repeat
from typing import TYPE_CHECKING, cast

from pavcodec.boards import Context
from pavcodec.cards import Seat
from pavcodec.chances.figures import chances
from pavcodec.cli.asking import add_fields, question_of
from pavcodec.cli.commands.deals.deal_session import watched
from pavcodec.cli.options.event_tags import EventTags, add_event_tags, event_tags
from pavcodec.cli.options.sessions import add_draw, add_rules, refuse_together
from pavcodec.cli.options.solving import add_solved, use_solved_files
from pavcodec.cli.output.losses import tell_event, tell_tricks
from pavcodec.cli.output.progress import waiting
from pavcodec.cli.output.streams import add_common, complain, open_binary_output, refuse_screen
from pavcodec.cli.output.targets import UsageError, format_of_output, refuse_same_file
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import NumberError, PavError, suggest
from pavcodec.files.compressed import split_suffix
from pavcodec.formats import Format, format_names, format_of
from pavcodec.numberings import numbering
from pavcodec.practice import (
    LEVELS,
    PracticeSet,
    Question,
    Seating,
    Situation,
    practice_document,
    situation,
    situation_names,
    text_pages,
)
from pavcodec.practice.exercises import (
    HANDS,
    NAME,
    TITLE,
    Exercise,
    PracticeSession,
    Topic,
    title_of,
    with_level,
)
from pavcodec.practice.making import MOST_BOARDS, MOST_WITH_ODDS, USUAL_BOARDS
from pavcodec.printing.document import PAPERS, Paper
from pavcodec.questions.dealing import chosen_seed, given_seed, overrides, rules_of
from pavcodec.questions.deals import (
    Deals,
    Request,
    condition_of_node,
    condition_of_text,
    refuse_empty,
    space_of,
)
from pavcodec.questions.shares import Types, level_of, mix_of, types_of_text
from pavcodec.questions.sources import DealSource, Draw, MixedSource, draw
from pavcodec.questions.tables import fact_lines, print_table

if TYPE_CHECKING:
    from pavcodec.boards import Vulnerability
    from pavcodec.chances.questions import Space
    from pavcodec.constraints import Levelled, Mix
    from pavcodec.constraints.nodes.syntax import Node
    from pavcodec.constraints.spaces.deals import DealSpace


# The topics of a practice set: its situations and conditions, with weights, and their deals.


_WEIGHTED = re.compile(rf"({NAME.pattern})\s*[=:]\s*([-+]?[\w.][\w./]*)")


@dataclass(frozen=True)
class Choice:
    """The topics of a set, and their deals: a space, a mix, or without both all deals."""

    topics: tuple[Topic, ...]
    request: Request
    space: Space | None = None
    mix: Mix | None = None

    def source(self, wanted: Draw) -> DealSource:
        """Return the source of the deals."""
        return draw(self.space, wanted) if self.mix is None else MixedSource(self.mix, wanted)

    def topics_of(self, wanted: Draw) -> Iterator[Topic]:
        """Yield the topic of each deal."""
        if self.mix is None:
            return repeat(self.topics[0])
        places = self.mix.places(wanted.count, seed=wanted.seed, start=wanted.start)
        return (self.topics[kind] for kind in places)


@dataclass(frozen=True)
class _Scripted(Types, Deals):
    """The deals of a script, which may have types."""


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


def choose(args: argparse.Namespace) -> Choice:
    """Return the topics of the arguments, counted."""
    words: list[str] = args.situations
    if words and args.script is not None:
        raise UsageError("give situations and conditions, or a script with -f, not both")
    wanted = [each for word in words for each in _wanted(word, alone=len(words) == 1)]
    is_mix = len(wanted) > 1
    alone = wanted[0].text if wanted and not is_mix else None
    request = question_of(args, _Scripted, *_FIELDS, *_CHANGES).request(alone, "situations")
    seats = _Seats(args, *rules_of(args, request))
    if is_mix:
        return _mixed(args, request, wanted, seats)
    scripted = _scripted(args, request, seats)
    if scripted is not None:
        return scripted
    if args.interleave is not None:
        raise UsageError("--interleave orders several topics: name more than one")
    chosen = wanted[0].situation if wanted else None
    node = with_level(request.node, args.difficulty, chosen)
    space = None
    if node is not None:
        space = space_of(condition_of_node(node, args.memory), "plan")
        refuse_empty(space)
    where = "" if space is None else str(space.where)
    title = TITLE if chosen is None else chosen.title
    return Choice((Topic(title, where, seats.of(chosen), situation=chosen),), request, space)


@dataclass(frozen=True)
class _Seats:
    """The options of the seating; `of` is the seating of one topic."""

    args: argparse.Namespace
    dealer: Seat | None
    vulnerable: Vulnerability | None

    def of(self, chosen: Situation | None) -> Seating:
        """Return the seating of a situation, or of a condition."""
        dealer = self.dealer
        return Seating(
            players=HANDS[self.args.hands],
            dealer=chosen.dealer if dealer is None and chosen is not None else dealer,
            vulnerable=self.vulnerable,
            turning=self.args.turn,
            across=chosen is not None and self.args.hands == "EW",
        )


def _wanted(word: str, *, alone: bool) -> Iterator[_Wanted]:
    """Yield the topics of one argument: a name, `name=weight`, or a condition."""
    if NAME.fullmatch(word):
        named = situation(word)
        yield _Wanted(named.where, None, named)
        return
    weighted = _WEIGHTED.fullmatch(word.strip())
    if weighted:
        named = situation(weighted[1])
        yield _Wanted(named.where, _weight(weighted[2]), named)
    elif alone:
        yield _Wanted(word)
    else:
        yield from (_Wanted(node, weight) for node, weight in types_of_text(word))


def _weight(text: str) -> Fraction:
    from pavcodec.sampling import weight_of

    try:
        return weight_of(text)
    except NumberError as error:
        raise UsageError(str(error)) from None


def _mixed(
    args: argparse.Namespace, request: Request, wanted: Sequence[_Wanted], seats: _Seats
) -> Choice:
    """Return several topics: each is drawn by its weight, then its deal among all of the topic."""
    from pavcodec.constraints import Mix
    from pavcodec.constraints.mixes.types import MixType, joined
    from pavcodec.constraints.nodes.syntax import Number
    from pavcodec.sampling import proportion

    if args.level:
        raise UsageError("--level names variables of a script: give the script with -f")
    base = Number(1) if request.node is None else request.node
    weights = [Fraction(1) if each.weight is None else each.weight for each in wanted]
    try:
        proportion(weights)  # which refuses sums that are too large for a draw
    except NumberError as error:
        raise UsageError(str(error)) from None
    kinds, topics = [], []
    for each, weight in zip(wanted, weights, strict=True):
        node = with_level(each.node, args.difficulty, each.situation)
        assert node is not None
        whole = node if request.node is None else joined(base, node)
        space = cast("DealSpace", space_of(condition_of_node(whole, args.memory), "plan"))
        refuse_empty(space)
        share = weight / sum(weights)
        kinds.append(MixType(node, weight, share, space, base))
        title = TITLE if each.situation is None else each.situation.title
        seating = seats.of(each.situation)
        topics.append(Topic(title, str(space.where), seating, share, each.situation))
    mix = Mix(tuple(kinds), base, is_natural=False)
    mix = mix.interleaved if args.interleave else mix
    return Choice(tuple(topics), request, mix=mix)


def _scripted(args: argparse.Namespace, request: Request, seats: _Seats) -> Choice | None:
    """Return the types of a script, its own mix or those of --level; None without types."""
    own = replace(request, node=with_level(request.node, args.difficulty, None))
    names = argparse.Namespace(**vars(args) | {"mix": []})
    levelled: Levelled | None = level_of(names, own)
    mix: Mix | None = levelled
    if levelled is None and request.script is not None and request.script.mix:
        mix = mix_of(names, own)
    if mix is None:
        return None
    topics = []
    for index, kind in enumerate(mix.types):
        name = "" if levelled is None else " ".join(levelled.names_of(index))
        where = str(kind.space.where)
        topics.append(Topic(name or TITLE, where, seats.of(None), kind.share, kind=name))
    return Choice(tuple(topics), request, mix=mix)


# The session of a practice set: its topics, and the command that makes it again.


def session_of(
    args: argparse.Namespace, choice: Choice, event: EventTags, draw: Draw, odds: str
) -> PracticeSession:
    """Return the values that the boards of a run share."""
    return PracticeSession(
        choice.topics,
        draw.count,
        draw.seed,
        draw.start,
        odds,
        event.title or event.tags.get("Event") or title_of(choice.topics),
        shlex.join(_words(args, draw)),
        tags=event.tags,
        difficulty=args.difficulty,
        script=args.script,
        busy=waiting,
    )


def _words(args: argparse.Namespace, draw: Draw) -> Iterator[str]:
    yield from ("pavcodec", "practice")
    yield from _option("-f", args.script)
    for cards in args.predeal:
        yield from ("--predeal", cards)
    yield from _option("--template", args.template)
    yield from ("-n", str(draw.count), "--seed", str(draw.seed))
    yield from _option("--start", args.start or None)
    yield from _option("--hands", args.hands if args.hands != "all" else None)
    yield from ["--turn"] if args.turn else []
    yield from _option("--dealer", args.dealer)
    yield from _option("--vulnerable", args.vulnerable)
    yield from _option("--difficulty", args.difficulty)
    yield from _words_of_types(args)
    for name in ("event", "site", "date", "session", "title"):
        yield from _option(f"--{name}", getattr(args, name))
    yield from ["--solve"] if args.solve else []
    yield from _option("--odds", args.odds)
    words = args.situations
    yield from ["--"] if any(word[:1] == "-" for word in words) else []
    yield from words


def _words_of_types(args: argparse.Namespace) -> Iterator[str]:
    """Yield the options of types."""
    for option in ("level", "shares", "without"):
        for value in getattr(args, option):
            yield f"--{option}={value}" if value else f"--{option}"
    yield from _option("--condition", args.condition_instead)
    if args.interleave is not None:
        yield "--interleave" if args.interleave else "--no-interleave"


def _option(name: str, value: object) -> tuple[str, ...]:
    """Return an option with its value; nothing for None."""
    return () if value is None else (name, str(value))


# The list of situations, and all facts of one.


def list_situations(chosen: Situation | None, *, as_json: bool) -> None:
    """Print all situations, or everything about one."""
    every = [situation(name) for name in situation_names()]
    if as_json:
        rows = list(map(_row, every))
        print(json.dumps(rows if chosen is None else _row(chosen), indent=2))
    elif chosen is None:
        print_table(
            ("situation", "deals", "chance", "what it is"),
            [
                (one.name, f"{one.cardinality:,}", chances(one.probability), one.summary)
                for one in every
            ],
            folds=True,
        )
    else:
        print(*fact_lines(_lines(chosen), 11), sep="\n")


def _lines(situation: Situation) -> tuple[tuple[str, str], ...]:
    """Return the heads and values of a situation."""
    question = situation.question
    return (
        ("situation", situation.name),
        ("title", situation.title),
        ("what", situation.summary),
        ("dealer", situation.dealer.name.title()),
        ("deals", f"{situation.cardinality:,}"),
        ("chance", f"{situation.probability}: {chances(situation.probability)}"),
        ("condition", situation.where),
        *((level, situation.difficulty.meaning(level)) for level in LEVELS),
        *((("decision", _decision(question)),) if question else ()),
    )


def _decision(question: Question) -> str:
    """Return the key decision in words."""
    return f"{question.asker.name.title()}: what is the chance that {question.text}?"


def _row(situation: Situation) -> dict[str, object]:
    """Return a situation for JSON."""
    question = situation.question
    return {
        "name": situation.name,
        "title": situation.title,
        "summary": situation.summary,
        "dealer": situation.dealer.letter,
        "cardinality": str(situation.cardinality),
        "probability": str(situation.probability),
        "where": situation.where,
        "difficulty": {
            level: {
                "meaning": situation.difficulty.meaning(level),
                "where": situation.difficulty.where(level),
            }
            for level in LEVELS
        },
        "question": None
        if question is None
        else {
            "seat": question.asker.letter,
            "meaning": question.text,
            "event": question.event,
        },
    }


Pages = Callable[[PracticeSet, Paper], bytes]

_ODDS = ("none", "set", "boards")
_SUFFIXES = {".txt": "text", ".html": "html", ".htm": "html", ".pdf": "pdf"}

_EXAMPLES = """\
  pavcodec practice --list
  pavcodec practice stayman --hands NS --turn -n 24 -o stayman.pdf
  pavcodec practice stayman=2 transfer=1 reverse=1 --difficulty hard -o set.html
  pavcodec practice 'hcp(south) >= 20 : 2' 'spades(south) >= 7 : 1' --turn -n 8"""

_DETAILS = """\
Each player gets a page with only the own hands. The last page has the solutions, the seed, and the
number of each deal, which 'pavcodec decode' turns back into the deal. Every deal that satisfies the
condition is equally likely; the deals are those of 'pavcodec deal' with the same seed and
condition.

--list prints the situations. A situation is for South, who makes the call, and North; --hands EW
turns it to West and East. You can also give a condition of your own, which practice does not turn,
or a script of the classic dealer program, from which practice uses the condition, seed, predeal and
produce, its mix, and the types of --level, but no actions.

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


_CHANGES = ("condition_instead", "without")
_FIELDS = ("script", "predeal", "template", "memory")
"""The fields of deals that the command has."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument(
        "situations",
        nargs="*",
        metavar="SITUATION",
        help="a situation of --list, or a condition, each with a weight if there are several "
        "(default: all deals)",
    )
    add_fields(parser, Deals, *_FIELDS)
    add_draw(
        parser,
        f"the number of boards, 1 to {MOST_BOARDS} "
        f"(default: {USUAL_BOARDS}, or as the script says)",
    )
    _add_boards(parser)
    add_fields(parser, Types, "level", "shares", *_CHANGES, "interleave")
    add_event_tags(parser)
    _add_output(parser)
    add_common(parser)


def _add_boards(parser: argparse.ArgumentParser) -> None:
    """Add the options of the boards."""
    group = option_group(parser, "boards")
    group.add_argument(
        "--hands",
        choices=HANDS,
        default="all",
        help="the players: two partners or all four (default: all)",
    )
    group.add_argument(
        "--turn", action="store_true", help="turn the table, so that each player gets each role"
    )
    group.add_argument(
        "--difficulty", choices=LEVELS, help="deal only boards of this level (default: all boards)"
    )
    add_rules(parser, "of the condition")


def _add_output(parser: argparse.ArgumentParser) -> None:
    """Add the options that say what is written."""
    group = option_group(parser, "output")
    group.add_argument("--list", action="store_true", help="list the situations, or describe one")
    group.add_argument(
        "--odds",
        choices=_ODDS,
        help="the odds of key decisions: none, those of each situation (set), or also those of "
        f"each board (default: boards, and set for more than {MOST_WITH_ODDS} boards)",
    )
    group.add_argument(
        "--solve",
        action="store_true",
        help="compute the double-dummy tricks and par of each board for the solutions",
    )
    add_solved(parser, "output")
    group.add_argument(
        "--paper", choices=PAPERS, default="a4", help="the paper of the pages (default: a4)"
    )
    group.add_argument(
        "--to",
        dest="to_format",
        metavar="FORMAT",
        help="write text, html, pdf or another format (default: by the suffix of -o, else text; "
        "'pavcodec formats' lists all formats)",
    )


def run(args: argparse.Namespace) -> int:
    """Make a practice set, or list the situations."""
    _check(args)
    if args.list:
        words = args.situations
        list_situations(situation(words[0]) if words else None, as_json=args.json)
        return 0
    target = _target(args)
    if not args.json:
        _refuse_target(target, args.output, solves=args.solve)
    given, event = given_seed(args), event_tags(args)
    _refuse_count(args.count, "-n is")
    choice = choose(args)
    request = choice.request
    count = _count(args, request)
    seed = chosen_seed(given, request)
    tries = None if request.script is None else request.script.generate
    wanted = Draw(count, seed, args.start, tries=tries)
    source = choice.source(wanted)
    complain(f"seed {seed}")
    session = session_of(args, choice, event, wanted, _odds(args, target, count))
    if args.json:
        tell_event(None, event.tags)
    elif isinstance(target, Format):
        tell_event(target, event.tags)
    deals = watched(source, source.deals(), args.output)
    exercises = tuple(session.exercises(zip(deals, choice.topics_of(wanted), strict=False)))
    if args.solve:
        use_solved_files(args)
        exercises = session.solved(exercises)
    enough = source.finish()
    _write(args, target, session, exercises)
    return 0 if enough else 1


def _check(args: argparse.Namespace) -> None:
    """Refuse options that exclude each other."""
    refuse_together(
        (
            ("--list", args.list, "-f", args.script is not None),
            ("--list", args.list, "-o", args.output != "-"),
            ("--list", args.list, "--to", args.to_format),
            ("--list", args.list, "--solve", args.solve),
            ("--json", args.json, "--to", args.to_format),
        )
    )
    words = args.situations
    if args.list and len(words) > 1:
        raise UsageError("--list describes one situation: name only one")
    if args.list and words and not NAME.fullmatch(words[0]):
        raise UsageError(f"--list takes the name of a situation, not {words[0]!r}")
    if args.script is not None:
        refuse_same_file([args.script], args.output)


def _target(args: argparse.Namespace) -> Pages | Format:
    """Return the writer of the output: of pages, or of a format of boards."""
    plain, _ = split_suffix(args.output)
    name = args.to_format or _SUFFIXES.get(os.path.splitext(plain)[1].lower())
    if name in _PAGES:
        return _PAGES[name]
    if name is not None:
        if name not in format_names():
            raise suggest("format", name, [*dict.fromkeys((*_PAGES, *format_names()))])
        return format_of(name)
    return format_of_output(args.output) or _text


def _refuse_target(target: Pages | Format, output: str, *, solves: bool) -> None:
    """Refuse bytes on the screen, PDF without its package, and formats whose tricks are missing."""
    if target is _pdf:
        from pavcodec.printing.pages import check_pdf

        check_pdf()
        refuse_screen(format_of("pdf"), output)
    elif isinstance(target, Format):
        refuse_screen(target, output)
        if target.needs_tricks and not solves:
            raise UsageError(
                f"{target.name} needs the double-dummy tricks of each deal: add --solve"
            )


def _text(practice: PracticeSet, _paper: Paper) -> bytes:
    return text_pages(practice).encode()


def _html(practice: PracticeSet, paper: Paper) -> bytes:
    from pavcodec.printing.html import html_document

    return html_document(practice_document(practice, paper)).encode()


def _pdf(practice: PracticeSet, paper: Paper) -> bytes:
    from pavcodec.printing.pages import pdf_document

    return pdf_document(practice_document(practice, paper))


_PAGES: dict[str, Pages] = {"text": _text, "html": _html, "pdf": _pdf}


def _odds(args: argparse.Namespace, target: Pages | Format, count: int) -> str:
    """Return whose odds are computed; none for a format that does not keep comments."""
    if isinstance(target, Format) and not args.json and not target.keeps_tags:
        return "none"
    return args.odds or ("boards" if count <= MOST_WITH_ODDS else "set")


def _count(args: argparse.Namespace, request: Request) -> int:
    """Return the number of boards."""
    produce = None if request.script is None else request.script.produce
    if args.count is not None:
        overrides(request, "-n", f"produce {produce}", both=produce is not None)
        return int(args.count)
    _refuse_count(produce, f"{request.source} says produce")
    return USUAL_BOARDS if produce is None else produce


def _refuse_count(count: int | None, said: str) -> None:
    """Raise `UsageError` for a number of boards that is too small or too large."""
    if count is not None and not 1 <= count <= MOST_BOARDS:
        raise UsageError(f"a set has 1 to {MOST_BOARDS} boards, and {said} {count}")


def _write(
    args: argparse.Namespace,
    target: Pages | Format,
    session: PracticeSession,
    exercises: Sequence[Exercise],
) -> None:
    """Write the boards as pages, in a format, or as JSON."""
    if not exercises:
        raise PavError("there are no boards to write")
    made = target if isinstance(target, Format) else None
    with open_binary_output(args.output, made) as out:
        if args.json:
            out.writelines(f"{json.dumps(session.row(each))}\n".encode() for each in exercises)
        elif isinstance(target, Format):
            tell_tricks(target, exercises[0].board)
            context = Context(
                "practice",
                numbering=numbering("deal"),
                preface=session.preface(),
                title=session.title,
                note=complain,
            )
            practice = session.practice(exercises)
            boards = practice.commented if target.keeps_tags else practice.boards
            target.write(boards, out, context)
        else:
            practice = session.practice(exercises, brief=target is not _text)
            out.write(target(practice, args.paper))
