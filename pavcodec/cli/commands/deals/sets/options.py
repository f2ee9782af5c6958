"""The options of `deal` for sets of files, and the paths of the files."""

from __future__ import annotations

import argparse
import os
import re
from fractions import Fraction

from pavcodec.cli.output.streams import UsageError
from pavcodec.cli.output.targets import refuse_existing
from pavcodec.cli.parsers import option_group
from pavcodec.errors import PavError
from pavcodec.files.compressed import split_suffix

__all__ = ["SPLIT", "add_sets", "check_sets", "paths_of", "shares_asked", "stem_of"]

SPLIT = "{split}"
"""The part of an output's name that is the name of a split."""


def add_sets(parser: argparse.ArgumentParser) -> None:
    """Add the options of sets of files."""
    group = option_group(parser, "sets of files")
    group.add_argument(
        "--split",
        metavar="SHARES",
        help="divide the deals among several files, as in 0.8/0.1/0.1 for train, validation and "
        "test, or big=9,small=1; -o set-{split}.npy names them. No deal is in two files",
    )
    group.add_argument(
        "--apart",
        metavar="SYMMETRY",
        help="with --split: no deal is in two files up to suits, turns, half-turn or seats, or "
        "suits and one of these, as in suits,turns",
    )
    group.add_argument(
        "--data-card",
        action="store_true",
        help="write a data card beside the file, as JSON and as Markdown: seed, condition, counts, "
        "checksums and the command; --split always writes it",
    )
    group.add_argument("--licence", default="", metavar="TEXT", help="the licence on the data card")


def shares_asked(args: argparse.Namespace) -> dict[str, Fraction]:
    """Return the shares of `--split`; one file without a name if there is only a card."""
    if args.split is None:
        return {"": Fraction(1)}
    from pavcodec.learning.splitting import shares_of

    try:
        return shares_of(args.split)
    except PavError as error:
        raise UsageError(f"--split: {error}") from None


def check_sets(args: argparse.Namespace) -> bool:
    """Return whether a set of files is wanted; raise `UsageError` for options that do not fit."""
    if args.split is None and not args.data_card:
        for option, value in (("--apart", args.apart), ("--licence", args.licence)):
            if value:
                raise UsageError(f"{option} belongs to a set of files: add --split or --data-card")
        return False
    from pavcodec.learning.cards import card_paths

    option = "--data-card" if args.split is None else "--split"
    others = {
        "--json": args.json,
        "--append": args.append,
        "--exact": args.exact,
        "--level": args.level,
        "--all": args.all,
        "--method 1999": args.method == "1999",
    }
    for other, is_there in others.items():
        if is_there:
            raise UsageError(f"{option} and {other} do not go together")
    if args.output == "-":
        raise UsageError(f"{option} writes files: name them with -o, as in -o set-{SPLIT}.npy")
    if args.apart is not None:
        if args.split is None or args.distinct:
            other = "without --split" if args.split is None else "and --distinct"
            raise UsageError(f"--apart {other} does not go together")
        from pavcodec.symmetry import symmetry_of

        symmetry_of(args.apart)
    shares = shares_asked(args)
    for unknown in re.findall(r"\{\w*\}", args.output.replace(SPLIT, "")):
        raise UsageError(f"-o {args.output}: only {SPLIT} is replaced, not {unknown}")
    refuse_existing(
        [*paths_of(args.output, list(shares)).values(), *card_paths(stem_of(args.output))],
        force=args.force,
    )
    return True


def paths_of(output: str, names: list[str]) -> dict[str, str]:
    """Return the path of each split.

    >>> paths_of("set.npy", ["train", "test"])
    {'train': 'set-train.npy', 'test': 'set-test.npy'}
    >>> paths_of("{split}/a.pbn.gz", ["train"]), paths_of("a.npy", [""])
    ({'train': 'train/a.pbn.gz'}, {'': 'a.npy'})
    """
    if SPLIT in output:
        return {name: output.replace(SPLIT, name or "all") for name in names}
    plain, packed = split_suffix(output)
    stem, suffix = os.path.splitext(plain)
    return {name: f"{stem}-{name}{suffix}{packed}" if name else output for name in names}


def stem_of(output: str) -> str:
    """Return the path of the card without its suffix.

    >>> stem_of("sets/deals-{split}.npy"), stem_of("{split}.pbn.gz")
    ('sets/deals', 'set')
    """
    folder, name = os.path.split(output)
    if SPLIT in folder:
        raise UsageError(
            f"the files of a set are in one folder: {SPLIT} is part of the file's name"
        )
    stem = os.path.splitext(split_suffix(name)[0])[0]
    return os.path.join(folder, stem.replace(SPLIT, "").strip("-_. ") or "set")
