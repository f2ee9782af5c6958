"""`pavcodec bigdeal`: the deals that the program Big Deal makes from a seed."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from secrets import token_bytes

from pavcodec.boards import Board, Context
from pavcodec.boards.board import board_row
from pavcodec.cli.options.sessions import refuse_together
from pavcodec.cli.output.streams import (
    add_as,
    add_common,
    add_target,
    complain,
    open_binary_output,
    refuse_screen,
)
from pavcodec.cli.output.targets import UsageError, target_of
from pavcodec.cli.parsers import describe, option_group
from pavcodec.errors import NumberError
from pavcodec.formats import Format
from pavcodec.numberings import Numbering, numbering, numbering_names
from pavcodec.tournament import BigDealSeed
from pavcodec.tournament.bigdeal import RANDOM_SIZE
from pavcodec.tournament.notice import seed_boards

_MOST_BOARDS = 1_000_000
_BOARDS = re.compile(r"([0-9]{1,7})(?:-([0-9]{1,7}))?")

_EXAMPLES = """\
  pavcodec bigdeal --owner me --seed 000102030405060708090a0b0c0d0e0f10111213
  pavcodec bigdeal --owner 'Bridge Club' -n 17-32 --to pbn -o second.pbn
  pavcodec bigdeal --wizard leftkey --entropy rightkey --entropy original -n 6"""

_DETAILS = """\
A seed of Big Deal 2 is 20 random bytes and the name of the owner; the same seed gives the same
deals here and in Big Deal. --seed gives the bytes, as -h in Big Deal; --entropy gives texts, and
their hash is the bytes, as -e in Big Deal's wizard mode -W. Without either, bigdeal takes random
bytes from the system and prints them on the error stream.

Boards may start at any number; the first board has the first deal of the seed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    group = option_group(parser, "seed")
    group.add_argument(
        "--owner", "--wizard", "-W", metavar="TEXT", help="the owner of the program (required)"
    )
    group.add_argument("--seed", metavar="HEX", help="the random bytes, 40 hexadecimal digits")
    group.add_argument(
        "-e",
        "--entropy",
        action="append",
        metavar="TEXT",
        help="a text; the hash of all texts gives the random bytes; may be repeated",
    )
    option_group(parser, "boards").add_argument(
        "-n",
        dest="boards",
        type=_boards,
        default=range(1, 17),
        metavar="N",
        help="the number of boards, or their range, as in 17-32 (default: 16)",
    )
    what, own = "the numbering of --to numbers and --json", ", Big Deal's own"
    add_as(option_group(parser, "numbering"), what, numbering_names(), default="bigdeal", note=own)
    add_target(parser)
    add_common(parser)


def _boards(text: str) -> range:
    """Return the board numbers of a text such as `16` or `17-32`."""
    match = _BOARDS.fullmatch(text)
    if match is None:
        raise argparse.ArgumentTypeError(f"expected boards such as 16 or 17-32, not {text!r}")
    low, high = (1, int(match[1])) if match[2] is None else (int(match[1]), int(match[2]))
    if not 1 <= low <= high <= _MOST_BOARDS:
        raise argparse.ArgumentTypeError(f"expected boards from 1 to {_MOST_BOARDS}, not {text!r}")
    return range(low, high + 1)


def run(args: argparse.Namespace) -> int:
    """Deal the boards of a seed."""
    refuse_together(
        (
            ("--seed", args.seed is not None, "--entropy", args.entropy),
            ("--json", args.json, "--to", args.to_format),
        )
    )
    ranks = numbering(args.numbering)
    seed = _seed(args)
    boards = seed_boards(seed, args.boards)
    target = None if args.json else target_of(args.to_format, args.output)
    if target is not None:
        refuse_screen(target, args.output)
    if args.seed is None and not args.entropy:
        complain(f"seed {seed.random.hex()}")
    _write(args, target, boards, ranks)
    return 0


def _seed(args: argparse.Namespace) -> BigDealSeed:
    """Return the seed of the options, or a seed of the owner with random bytes of the system."""
    if args.owner is None:
        raise UsageError("--owner is required: a seed of Big Deal includes its owner")
    owner = _bytes(args.owner)
    if args.entropy:
        return BigDealSeed.from_entropy(owner, b"".join(map(_bytes, args.entropy)))
    if args.seed is None:
        return BigDealSeed(token_bytes(RANDOM_SIZE), owner)
    try:
        return BigDealSeed.from_hex(owner, args.seed)
    except NumberError as error:
        raise UsageError(f"--seed: {error}") from None


def _bytes(text: str) -> bytes:
    """Return the original bytes of a command-line argument, in any encoding."""
    return text.encode("utf-8", "surrogateescape")


def _write(
    args: argparse.Namespace, target: Format | None, boards: Iterator[Board], ranks: Numbering
) -> None:
    """Write the boards in a format, or as JSON."""
    with open_binary_output(args.output) as out:
        if target is not None:
            target.write(boards, out, Context("bigdeal", numbering=ranks))
            return
        for board in boards:
            row = board_row(board, "board number deal", ranks)
            out.write(f"{json.dumps(row)}\n".encode())
