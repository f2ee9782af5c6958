"""`pavcodec deal`: deals at random, or all deals of a condition."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from pavcodec.chances.plans import is_tested, plan_lines
from pavcodec.cli.asking import add_fields, question_of
from pavcodec.cli.commands.deals.deal_session import (
    Asked,
    add_solve,
    check_solved_target,
    write_deals,
)
from pavcodec.cli.commands.deals.deal_sources import (
    DealSource,
    Draw,
    RemainingSource,
    check_remaining,
    list_all,
)
from pavcodec.cli.commands.deals.methods import (
    add_method,
    add_weights,
    dealer_of,
    method_of,
    space_by_cases,
)
from pavcodec.cli.commands.deals.script_actions import (
    add_actions,
    answer_exactly,
    check_actions,
    classic_count,
    run_script,
)
from pavcodec.cli.commands.deals.sets import (
    OrderedSource,
    add_orders,
    add_parts,
    add_sets,
    check_orders,
    check_parts_options,
    check_sets,
    order_name,
    write_parts,
    writes_set,
)
from pavcodec.cli.options.event_tags import add_event_tags, event_tags
from pavcodec.cli.options.sessions import (
    add_draw,
    add_rules,
    chosen_seed,
    given_seed,
    overrides,
    refuse_together,
    rules,
)
from pavcodec.cli.options.solving import add_solved, use_solved_files
from pavcodec.cli.output.losses import tell_event
from pavcodec.cli.output.streams import add_common, add_target, complain, refuse_screen
from pavcodec.cli.output.targets import (
    UsageError,
    add_append,
    is_of_parts,
    refuse_append,
    refuse_same_file,
    refuse_text_suffix,
    target_of,
)
from pavcodec.cli.parsers import describe, option_group
from pavcodec.collection.session import Session
from pavcodec.formats import Format
from pavcodec.questions.asking import ask
from pavcodec.questions.deals import (
    Deals,
    Endings,
    Request,
    refuse_empty,
    space_of,
)
from pavcodec.questions.inputs import Problems
from pavcodec.questions.shares import (
    Types,
    Weights,
    level_of,
    mix_of,
    weighted_of,
)
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


@dataclass(frozen=True)
class _Which(Weights, Types, Endings, Deals):
    """Which deals."""

    condition: str | None = ask(
        "the condition (default: all deals)", default=None, flag="", metavar="EXPR"
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    add_fields(parser, _Which)
    option_group(parser, "known cards").add_argument(
        "--remaining",
        action="store_true",
        help="print what remains of each deal, without the cards of --play, --played and --unused",
    )
    _add_choice(parser)
    _add_boards(parser)
    add_actions(parser)
    add_method(parser)
    add_weights(parser)
    add_event_tags(parser)
    add_solve(parser)
    add_target(parser)
    option_group(parser, "output").add_argument(
        "--numbers", action="store_true", help="print deal numbers, as --to numbers does"
    )
    add_append(parser)
    add_sets(parser)
    add_parts(parser)
    add_fields(parser, Workers, "workers", "scheduler")
    add_common(parser)


def _add_choice(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose deals."""
    add_draw(parser, "the number of deals (default: 1, or as the script says)")
    group = option_group(parser, "random draw")
    group.add_argument("--distinct", action="store_true", help="skip repeated deals")
    group.add_argument(
        "--all",
        action="store_true",
        help="list the deals in the order of their numbers instead of drawing",
    )
    add_orders(parser)


def _add_boards(parser: argparse.ArgumentParser) -> None:
    """Add the options of the boards."""
    add_rules(parser)
    add_solved(parser, "condition")
    option_group(parser, "boards").add_argument(
        "--rotate",
        action="store_true",
        help="set dealer and vulnerability by the board number, and ignore those of the script",
    )


def run(args: argparse.Namespace) -> int:
    """Deal."""
    _check(args)
    wanted = check_parts_options(args)
    use_solved_files(args)
    is_set = check_sets(args)
    if is_set and args.solve:
        raise UsageError("the files of a set have no tricks: use 'pavcodec solve' for each of them")
    given = given_seed(args)
    which = question_of(args, _Which)
    request = which.request(which.condition, "condition")
    if args.exact:
        return answer_exactly(args, request)
    if wanted is not None:
        asked = _asked(args, request)
        chosen, tags = rules(args, request, by_number=args.rotate), event_tags(args).tags
        return write_parts(args, wanted, request, asked, given=given, rules=chosen, tags=tags)
    runs_actions = not is_set and _runs_actions(args, request)
    target = None if runs_actions or args.json else _target(args)
    if args.remaining:
        check_remaining(target)
    if args.append:
        refuse_append(target, args.output)
    if runs_actions:
        refuse_text_suffix(args.output, or_boards=True)
    asked = _asked(args, request)
    seed = None if args.all else chosen_seed(given, request)
    source = _source(args, request, asked, seed)
    if args.remaining:
        source = RemainingSource(source, which.position())
    dealer, vulnerable = rules(args, request, by_number=args.rotate)
    tags = event_tags(args).tags
    if args.json:
        tell_event(None, tags)
    method = source.method(asked.method)
    session = Session(
        seed, args.start, method, asked.where, source.ranks, dealer, vulnerable, args.script,
        tags,
    )  # fmt: skip
    seeds = [] if seed is None else [f"seed {seed}"]
    for line in (*plan_lines(asked.space), *seeds, *asked.lines()):
        complain(line)
    if runs_actions:
        _run_actions(args, request, source, session)
        problems = Problems()
    elif is_set and target is not None:
        from pavcodec.cli.commands.deals.sets_writing import write_set

        problems = write_set(args, target, source, session, asked)
    else:
        problems = _write(args, target, source, session)
    return problems.exit_code if source.finish() else 1


def _write(
    args: argparse.Namespace, target: Format | None, source: DealSource, session: Session
) -> Problems:
    """Write the deals; an archive of sorted deals is a set."""
    if target is not None and isinstance(source, OrderedSource) and writes_set(args, target):
        return source.write_set(args.output, target)
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
    named = args.to_format or ("numbers" if args.numbers else None)
    target = target_of(named, args.output, default)
    refuse_screen(target, args.output)
    check_solved_target(args, target)
    tell_event(target, event_tags(args).tags)
    return target


def _check(args: argparse.Namespace) -> None:
    """Refuse options that exclude each other."""
    prints_boards = args.json and not is_of_parts(args)
    pairs = (
        ("--to", args.to_format, "--numbers", args.numbers),
        ("--json", prints_boards, "--to", args.to_format),
        ("--json", prints_boards, "--numbers", args.numbers),
        ("--all", args.all, "--seed", args.seed is not None),
        ("--all", args.all, "--distinct", args.distinct),
        ("--listing", args.listing, "--method", args.method != "plan"),
        ("--cards", args.cards is not None, "--listing", args.listing),
        ("--cards", args.cards is not None, "--method cases", args.method == "cases"),
        ("--numbers", args.numbers, "--solve", args.solve),
        ("--remaining", args.remaining, "--cards", args.cards is not None),
        ("--remaining", args.remaining, "--numbers", args.numbers),
        ("--remaining", args.remaining, "--json", args.json),
        ("--remaining", args.remaining, "--solve", args.solve),
        ("--remaining", args.remaining, "--split", args.split),
        ("--remaining", args.remaining, "--data-card", args.data_card),
        ("--rotate", args.rotate, "--dealer", args.dealer is not None),
        ("--rotate", args.rotate, "--vulnerable", args.vulnerable),
    )
    refuse_together(pairs)
    text = (args.condition or "").strip()
    if text.isdecimal() and text not in ("0", "1"):
        raise UsageError(f"{text} is a number and no condition: use -n {text} to deal {text}")
    if args.contracts is not None and not args.solve:
        raise UsageError("--contracts chooses what --solve computes: use both")
    check_orders(args)
    check_actions(args)
    if args.script is not None:
        refuse_same_file([args.script], args.output)


def _asked(args: argparse.Namespace, request: Request) -> Asked:
    """Return the source of the arguments, counted if that is possible."""
    levelled = level_of(args, request)
    if levelled is not None:
        return Asked(mix=levelled, levelled=levelled)
    weighted = weighted_of(args, request)
    if weighted is not None:
        return Asked(weighted=weighted)
    mix = mix_of(args, request)
    dealer1999 = dealer_of(args, request)
    if mix is not None:
        return Asked(mix=mix)
    if dealer1999 is not None:
        return Asked(dealer1999=dealer1999, method=method_of(dealer1999))
    by_cases = space_by_cases(args, request)
    if by_cases is not None:
        asked = Asked(by_cases.space, method=by_cases.method)
    elif request.node is not None or args.cards is not None:
        space = space_of(request.condition, args.method)
        plan = f"plan={space.plan}" if is_tested(space) and space.plan else ""
        asked = Asked(space, method="legal" if args.legal else plan)
    else:
        return Asked()
    assert asked.space is not None
    refuse_empty(asked.space)
    return asked


def _runs_actions(args: argparse.Namespace, request: Request) -> bool:
    """Return whether the script prints, and not the command."""
    if request.script is None or not request.script.actions:
        return False
    for option in ("to_format", "numbers", "json", "solve"):
        if getattr(args, option):
            overrides(request, f"--{option.removesuffix('_format')}", "action", both=True)
            return False
    return True


def _source(
    args: argparse.Namespace,
    request: Request,
    asked: Asked,
    seed: int | None,
) -> DealSource:
    """Return the source of the deals."""
    script = request.script
    produce = None if script is None else script.produce
    if args.all or args.count is not None:
        option = "-n" if args.count is not None else "--all"
        overrides(request, option, f"produce {produce}", both=produce is not None)
    if seed is None:
        return list_all(asked.space, args.count, args.start)
    count = args.count if args.count is not None else produce
    if count is None:
        count = 1 if script is None else classic_count(script)
    name = order_name(args)
    if name is not None:
        given = asked.weighted or asked.mix or asked.space
        return OrderedSource(given, name, seed, args.start, count)
    tries = None if script is None else script.generate
    wanted = Draw(count, seed, args.start, args.distinct, tries)
    return asked.source(wanted)
