"""`pavcodec deal`: deals at random, or all deals of a condition."""

from __future__ import annotations

import argparse
from dataclasses import replace

from pavcodec.chances.plans import plan_lines
from pavcodec.cli.asking import add_common, add_fields, add_target, question_of
from pavcodec.cli.commands.deals.deal_session import (
    add_solve,
    check_solved_target,
    write_deals,
    write_set_archive,
)
from pavcodec.cli.commands.deals.script_actions import (
    add_actions,
    answer_exactly,
    check_actions,
    run_script,
)
from pavcodec.cli.commands.deals.sets import (
    add_parts,
    add_sets,
    check_parts_options,
    check_sets,
    write_parts,
    writes_set,
)
from pavcodec.cli.output.streams import complain, is_of_parts
from pavcodec.cli.parsers import describe, option_group
from pavcodec.collection.session import Session
from pavcodec.formats import Format
from pavcodec.questions.asking import QuestionError, refuse_together
from pavcodec.questions.dealing import (
    Dealing,
    Methods,
    Which,
    check,
    chosen_seed,
    given_seed,
    overrides,
    rules_of,
    session_of,
    source_of,
)
from pavcodec.questions.deals import Request
from pavcodec.questions.events import OfEvent
from pavcodec.questions.inputs import Problems
from pavcodec.questions.losses import tell_event
from pavcodec.questions.outputs import (
    BoardsOutput,
    refuse_append,
    refuse_same_file,
    refuse_screen,
    refuse_text_suffix,
    target_of,
)
from pavcodec.questions.solving import Solving, use_solved_files
from pavcodec.questions.sources import DealSource, OrderedSource, RemainingSource, dealt_of
from pavcodec.questions.workers import Workers

_EXAMPLES = """\
  pavcodec deal 'hcp(south) >= 20' -n 16 --seed 7 --to pbn -o strong.pbn
  pavcodec deal 'spades(west) == 9' --predeal 'north SAK,HQJT' --numbers
  pavcodec deal --hand 'S AKQ2.K85.AJ4.T63' --shown-out 'E spades' -n 10
  pavcodec deal 'spades(north) >= 5' --weights 'N: hcp {11: 1, 12-15: 3}'
  pavcodec deal -f notrump.dlr --level weak,strong -n 24 -o practice.pbn
  pavcodec deal 'hcp(south) >= 20' -n 1e9 --parts 1000 --seed 7 -o strong/"""

_DETAILS = """\
Every deal of the condition is equally likely. deal prints the seed on the error stream; the same
seed, condition and --start give the same deals on every machine. Deal k of a seed does not depend
on the other deals, so you can deal a run in parts: -n 10 gives the same deals as -n 5 and then
--start 5 -n 5.

Deals may repeat in a small set of deals. With --permuted none does, in any part: the seed gives an
order of all deals of the condition, and deal takes them from --start on. With --sorted, N different
deals come in the order of their numbers; every set of N deals is equally likely, and a file .pav is
a set archive, without tags, in the fewest bits.

Scripts of the classic dealer program run unchanged. Options override the script's produce, seed,
dealer and vulnerable, with a warning; --to, --numbers and --json replace its actions. Without
produce, a script deals 40 deals, or 100,000 if its actions only make tables. A script without
actions prints one deal a line. --exact computes averages and tables over all deals of the
condition; it accepts average, frequency and bktfreq, and refuses rnd and tricks.

Known cards are those of a player at the table: --hand, --play or --played, --shown-out and
--unused. deal prints the original deals that agree with all of them; with --remaining it takes the
played and the unused cards out of each deal, so that in the middle of a trick hands have different
sizes. With --play, the players and the suits that they do not hold follow from the rules of play.

--weights makes some deals more likely than others: the chance of a deal is proportional to the
product of its weights. A weight is a number that is not negative, or a table of the weights of
values: 'hcp(north) + hcp(south) {20-24: 1, 25+: 3, else: 1/2}'. Other values have the weight of
else, or 0. Functions after a seat have no seat, as in 'N: shape {any 4333: 2, 5xxx: 1}'. Scripts
have the statement weight.

--mix deals several types, each as often as its weight says. A deal that fits several types belongs
to the first of them. EXPR, --predeal and the script's condition apply to all types. Without
weights, every deal that fits any type is equally likely.

--level deals types of a script equally often, or in the proportions of --shares. The types are
variables of the script; --level without names takes the variables HandType_NAME, with shares from
HandType_NAME_Share. Two --level options level two lists at once. A table on the error stream gives
the natural frequency of each type, and how many deals of a run without levels one board of the type
replaces. PBN boards have the tag HandType.

No deals are rejected, so 'generate' is ignored. The exception is a part of the condition that uses
rnd or tricks: deal tests it on each deal and reports the share that passes, and 'generate' limits
the number of tests. If deal finds fewer deals than you asked for, it prints them and exits with
code 1.

--method cases deals as in Pavlicek's study: it lists the cases of the two most constrained hands,
and selects on the rest; --listing reads such a listing. The distribution is the same, but a seed
gives other deals than the default method. --method 1999 deals as Pavlicek's programs of 1999 did:
patterns, then honours, then the other cards. Its condition must be a conjunction of ranges of
lengths and hcp, hand by hand. Its deals are not equally likely; the method is for comparison. If
one deal fails, there are none.

Boards have the numbers from K + 1. Dealer and vulnerability come from the options, else from the
script, else from the board number as in tournaments. Every format
keeps the parts that it has a place for; 'pavcodec formats --survives' lists them. PBN boards have
the tags Generator (program, seed, condition) and DealId (deal number). If the condition is too long
for a line of PBN, Generator has its SHA-256 and the script's name, and the condition is at the top
of the file. With --json each deal has its "seed", and with --mix or --level its "type".

--parts makes a collection in parts: each part is a range of the samples, and one file in the folder
or at the URL of -o, with the bytes that deal writes for these samples. Run again, deal verifies
what is there and makes what is missing or damaged; --only makes some of the parts. The folder
answers for options that are left out. --json prints a summary. The exit code is 1 if a part of the
run is missing. 'pavcodec verify FOLDER' checks all parts.

--solve computes the double-dummy tricks of each deal: PBN by default, or a format that has a place
for tricks, such as zrd, parquet or pav. A run with -o that is stopped continues if it is repeated
with the same seed; 'pavcodec help solve' says how."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    add_fields(parser, Which)
    add_fields(parser, Solving, "solved", group="condition")
    add_actions(parser)
    add_fields(parser, Methods)
    add_fields(parser, OfEvent)
    add_solve(parser)
    add_target(parser)
    option_group(parser, "output").add_argument(
        "--numbers", action="store_true", help="print deal numbers, as --to numbers does"
    )
    add_fields(parser, BoardsOutput, "append")
    add_sets(parser)
    add_parts(parser)
    add_fields(parser, Workers, "workers", "scheduler")
    add_common(parser)


def run(args: argparse.Namespace) -> int:
    """Deal."""
    _check(args)
    wanted = check_parts_options(args)
    use_solved_files(args.solved)
    is_set = check_sets(args)
    if is_set and args.solve:
        raise QuestionError(
            "the files of a set have no tricks: use 'pavcodec solve' for each of them"
        )
    given = given_seed(args)
    which = question_of(args, Dealing)
    request = which.request(which.condition, "condition")
    if args.exact:
        return answer_exactly(args, request)
    tags = question_of(args, OfEvent).event_tags.tags
    if wanted is not None:
        dealt = dealt_of(args, request)
        rules = rules_of(args, request, by_number=args.rotate)
        return write_parts(args, wanted, request, dealt, given=given, rules=rules, tags=tags)
    runs_actions = not is_set and _runs_actions(args, request)
    target = None if runs_actions or args.json else _target(args)
    if args.remaining:
        _check_remaining(target)
    if args.append:
        refuse_append(target, args.output)
    if runs_actions:
        refuse_text_suffix(args.output, or_boards=True)
    dealt = dealt_of(args, request)
    seed = None if args.all else chosen_seed(given, request)
    source = source_of(args, request, dealt, seed)
    if args.remaining:
        source = RemainingSource(source, which.position())
    session = replace(session_of(args, request, dealt, source, seed), tags=tags)
    if args.json:
        tell_event(None, tags)
    seeds = [] if seed is None else [f"seed {seed}"]
    for line in (*plan_lines(dealt.space), *seeds, *dealt.lines()):
        complain(line)
    if runs_actions:
        _run_actions(args, request, source, session)
        problems = Problems()
    elif is_set and target is not None:
        from pavcodec.cli.commands.deals.sets_writing import write_set

        problems = write_set(args, target, source, session, dealt)
    else:
        problems = _write(args, target, source, session)
    return problems.exit_code if source.finish() else 1


def _write(
    args: argparse.Namespace, target: Format | None, source: DealSource, session: Session
) -> Problems:
    """Write the deals; an archive of sorted deals is a set."""
    if target is not None and isinstance(source, OrderedSource) and writes_set(args, target):
        return write_set_archive(source, args.output, target)
    return write_deals(args, target, source, session)


def _run_actions(
    args: argparse.Namespace, request: Request, source: DealSource, session: Session
) -> None:
    """Run the actions of the script; boards of PBN have the tags of the event."""
    assert request.script is not None
    run_script(
        args,
        request.script,
        source,
        dealer=session.dealer,
        vulnerable=session.vulnerable,
        event=session.tags.get("Event", session.generator),
        date=session.tags.get("Date", "????.??.??"),
    )


def _target(args: argparse.Namespace) -> Format:
    """Return the format that deals are written in."""
    default = "pbn" if args.solve else "lines"
    named = args.to or ("numbers" if args.numbers else None)
    target = target_of(named, args.output, default)
    refuse_screen(target, args.output)
    check_solved_target(args, target)
    tell_event(target, question_of(args, OfEvent).event_tags.tags)
    return target


_APART = (
    "to numbers",
    "numbers solve",
    "remaining numbers",
    "remaining json",
    "remaining solve",
    "remaining split",
    "remaining data_card",
    *(
        f"{order} {other}"
        for order in ("permuted", "sorted")
        for other in ("exact", "split", "data_card")
    ),
    *(
        f"exact {other}"
        for other in (
            "all", "n", "start", "seed", "distinct", "to", "numbers", "mix", "method=test",
            "method=cases", "method=1999", "csv", "export",
        )
    ),
)  # fmt: skip
"""Options that exclude each other, beside those of the question."""


def _check(args: argparse.Namespace) -> None:
    """Refuse options that exclude each other."""
    if not is_of_parts(args):  # else JSON is a summary
        refuse_together(args, ("json to", "json numbers"))
    check(args)
    refuse_together(args, _APART)
    if args.contracts is not None and not args.solve:
        raise QuestionError("--contracts chooses what --solve computes: use both")
    check_actions(args)
    if args.script is not None:
        refuse_same_file([args.script], args.output)


def _check_remaining(target: Format | None) -> None:
    """Refuse what remains of deals with actions of a script, and in a format that has boards."""
    if target is None:
        raise QuestionError("--remaining replaces the actions of a script: use --to lines")
    if not target.is_cards_only:
        raise QuestionError(
            f"{target.name} has boards, and --remaining leaves layouts: use a format of cards, "
            "such as lines"
        )


def _runs_actions(args: argparse.Namespace, request: Request) -> bool:
    """Return whether the script prints, and not the command."""
    if request.script is None or not request.script.actions:
        return False
    for option in ("to", "numbers", "json", "solve"):
        if getattr(args, option):
            overrides(request, f"--{option.removesuffix('_format')}", "action", both=True)
            return False
    return True
