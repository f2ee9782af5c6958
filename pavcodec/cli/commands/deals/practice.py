"""`pavcodec practice`: boards to practise with, a page for each player and one of solutions."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Sequence

from pavcodec.boards import Context
from pavcodec.cli.commands.deals.deal_sources import Draw, watched
from pavcodec.cli.commands.deals.practice_list import list_situations
from pavcodec.cli.commands.deals.practice_session import session_of
from pavcodec.cli.commands.deals.practice_topics import choose
from pavcodec.cli.options.conditions import Request, add_memory, add_predeal, add_script
from pavcodec.cli.options.event_tags import add_event_tags, event_tags
from pavcodec.cli.options.sessions import (
    add_draw,
    add_rules,
    chosen_seed,
    given_seed,
    overrides,
    refuse_together,
)
from pavcodec.cli.options.shares.levels import add_level
from pavcodec.cli.options.solved import add_solved, use_solved_files
from pavcodec.cli.output.losses import tell_event, tell_tricks
from pavcodec.cli.output.streams import (
    UsageError,
    add_common,
    complain,
    open_binary_output,
    refuse_same_file,
    refuse_screen,
)
from pavcodec.cli.output.targets import format_of_output
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import PavError, suggest
from pavcodec.files.compressed import split_suffix
from pavcodec.formats import Format, format_names, format_of
from pavcodec.numberings import numbering
from pavcodec.practice import LEVELS, PracticeSet, practice_document, situation, text_pages
from pavcodec.practice.exercises import Exercise, PracticeSession
from pavcodec.practice.making import MOST_BOARDS, MOST_WITH_ODDS, USUAL_BOARDS
from pavcodec.practice.topics import HANDS, NAME
from pavcodec.printing.document import PAPERS, Paper

__all__ = ["add_arguments", "run"]

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
    add_script(parser)
    add_predeal(parser, "deal these cards first")
    add_memory(parser)
    add_draw(
        parser,
        f"the number of boards, 1 to {MOST_BOARDS} "
        f"(default: {USUAL_BOARDS}, or as the script says)",
    )
    _add_boards(parser)
    add_level(parser)
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
        from pavcodec.printing.pdf import check_pdf

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
    from pavcodec.printing.pdf import pdf_document

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
