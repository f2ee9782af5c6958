"""`pavcodec ending`: whether legal play can reach an ending, why not, or a line of play."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from itertools import count

from pavcodec.boards import Board, Context
from pavcodec.boards.play import board_of_line
from pavcodec.cards import SEAT_LETTERS, Card, Seat, Strain
from pavcodec.cli.output.streams import (
    add_common,
    add_reading,
    add_target,
    open_binary_output,
    open_text_output,
    refuse_nothing,
    refuse_screen,
)
from pavcodec.cli.output.targets import UsageError, refuse_same_file
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import LayoutError, UnknownNameError
from pavcodec.formats import Format, format_of, output_format
from pavcodec.legal import Legality, PlayedTrick, legality
from pavcodec.questions.inputs import Problems, boards_of, named_format
from pavcodec.questions.tables import table_lines

_EXAMPLES = """\
  pavcodec ending 'N:A... K... Q... J...'
  pavcodec ending --denomination NT --on-lead S 'N:AK.Q.. J9.K.. .A.K4. .J.Q3.'
  pavcodec ending --table H3,H2 'N:A..2. K... Q... J..4.'"""

_DETAILS = """\
An ending is a deal text with equally many cards in each hand; the players have played all other
cards. For a legal ending, ending prints a deal and all tricks that lead to it; for an illegal one,
the reason. The exit code is 1 if an ending is illegal.

In the middle of a trick, the players who have played have one card fewer. --table names their cards
in the order of play; without it, any cards will do.

--to pbn, or -o FILE.pbn, writes a board for each legal ending: the deal and its play, with the
denomination in a contract of one."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument(
        "layouts", nargs="*", metavar="LAYOUT", help="endings, or files of them; - or none is stdin"
    )
    group = option_group(parser, "lines of play")
    group.add_argument(
        "--denomination",
        type=Strain.parse,
        metavar="STRAIN",
        help="only lines of play in this denomination: NT, S, H, D or C (default: any)",
    )
    group.add_argument(
        "--first-leader",
        type=Seat.parse,
        metavar="SEAT",
        help="only lines in which this seat led to the first trick",
    )
    group.add_argument(
        "--on-lead",
        type=Seat.parse,
        metavar="SEAT",
        help="only lines after which this seat is on lead",
    )
    group.add_argument(
        "--table", type=_cards, metavar="CARDS", help="the cards on the table, as in SA,S3"
    )
    add_reading(parser)
    add_target(parser, "text")
    add_common(parser)


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split(",")))


def run(args: argparse.Namespace) -> int:
    """Answer for each ending."""
    problems = Problems(strict=args.strict)
    refuse_same_file(args.layouts, args.output)
    target = _target(args)
    answers = _answers(args, problems)
    if target is not None:
        refuse_screen(target, args.output)
        with open_binary_output(args.output, target) as out:
            context = Context(args.output, problems)
            done = target.write(_boards(answers, problems), out, context)
            refuse_nothing(args.output, done, problems, "no endings")
        return problems.exit_code
    verdicts = []
    with open_text_output(args.output) as out:
        for _, _, answer in answers:
            text = json.dumps(_row(answer)) if args.json else "\n".join([*_lines(answer), ""])
            out.write(f"{text}\n")
            verdicts.append(bool(answer))
        refuse_nothing(args.output, len(verdicts), problems, "no endings")
    return problems.exit_code or int(not all(verdicts))


def _target(args: argparse.Namespace) -> Format | None:
    """Return the format of boards to write; None for a report."""
    if args.to_format and args.json:
        raise UsageError("--json prints a report, so it does not go with --to")
    if args.to_format or args.output == "-":
        return None if args.to_format in {None, "text"} else format_of(args.to_format)
    try:
        target = output_format(args.output, None)
    except UnknownNameError:
        return None
    return None if target.name == "lines" else target  # .txt is the suffix of any text


def _answers(
    args: argparse.Namespace, problems: Problems
) -> Iterator[tuple[str, int | None, Legality]]:
    """Yield each ending's place and legality; report texts and boards that are no endings."""
    boards = boards_of(args.layouts, problems, format_name=named_format(args))
    for source, board in boards:
        if board.layout is None:
            continue
        try:
            answer = legality(
                board.layout,
                denomination=args.denomination,
                first_leader=args.first_leader,
                on_lead=args.on_lead,
                table=args.table,
            )
        except LayoutError as error:
            problems.report(source, board.line, f"{error}: '{board.layout}'")
        else:
            yield source, board.line, answer


def _boards(
    answers: Iterable[tuple[str, int | None, Legality]], problems: Problems
) -> Iterator[Board]:
    """Yield the deal and play of each legal ending; report illegal endings."""
    numbers = count(1)
    for source, line, answer in answers:
        if answer.line is None:
            problems.report(source, line, f"{answer.reason}: '{answer.layout}'")
        else:
            yield board_of_line(answer.line, next(numbers))


def _lines(answer: Legality) -> Iterator[str]:
    """Yield the lines of text about an ending."""
    yield str(answer.layout)
    line = answer.line
    if line is None:
        yield f"not legal: {answer.reason}"
        return
    yield f"legal in {', '.join(strain.letters for strain in answer.denominations)}"
    yield f"a line of play in {line.denomination.letters}, from the deal"
    yield str(line.deal)
    if line.tricks:
        rows = [_cells(number, trick) for number, trick in enumerate(line.tricks, 1)]
        yield from table_lines(("trick", "led by", *SEAT_LETTERS, "won by"), rows)


def _cells(number: int, trick: PlayedTrick) -> list[str]:
    """Return a row of the play table."""
    cards = trick.by_seat
    played = [str(cards[seat]) if seat in cards else "-" for seat in Seat]
    won = "-" if trick.winner is None else trick.winner.letter
    return [str(number), trick.leader.letter, *played, won]


def _row(answer: Legality) -> dict[str, object]:
    """Return the answer about an ending for JSON."""
    row: dict[str, object] = {"ending": str(answer.layout), "legal": bool(answer)}
    line = answer.line
    if line is None:
        return row | {"reason": answer.reason}
    return row | {
        "denominations": [strain.letters for strain in answer.denominations],
        "deal": str(line.deal),
        "denomination": line.denomination.letters,
        "tricks": [
            {
                "leader": trick.leader.letter,
                "cards": [str(card) for card in trick.cards],
                "winner": None if trick.winner is None else trick.winner.letter,
            }
            for trick in line.tricks
        ],
    }
