"""`pavcodec check`: the errors of scripts, and their readings in other programs."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from pavcodec.cli.asking import add_common
from pavcodec.cli.parsers import describe, option_group
from pavcodec.files.text import blocks, decode
from pavcodec.questions.inputs import name_of, open_input

_PROGRAMS = ("bbo", "dealer", "dealerv2", "dealer3")

_EXAMPLES = """\
  pavcodec check stayman.dlr
  pavcodec check --for bbo *.dlr
  printf 'predeal spades(west)==9' | pavcodec check - --for dealer"""

_DETAILS = """\
check prints one line for each finding: file:line:column: text. It prints what pavcodec refuses and
warns of, and what BBO, the classic dealer, DealerV2 or Dealer3 refuses or reads differently. --for
limits the findings to one of these programs. The exit code is 1 if pavcodec, or the program of
--for, refuses a script."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments of the command."""
    describe(parser, _EXAMPLES, _DETAILS)
    parser.add_argument("scripts", nargs="+", metavar="SCRIPT", help="scripts to read; - is stdin")
    option_group(parser, "programs").add_argument(
        "--for",
        dest="program",
        choices=_PROGRAMS,
        metavar="PROGRAM",
        help="check for this program only: bbo, dealer, dealerv2 or dealer3",
    )
    add_common(parser, output=False)


def run(args: argparse.Namespace) -> int:
    """Print the findings of each script; return 1 if one is refused."""
    from pavcodec.constraints.scripts.check import check_script

    programs = [args.program] if args.program else _PROGRAMS
    refusing = {"error", "refused"} if args.program else {"error"}
    findings = []
    for path in args.scripts:
        with open_input(path) as stream:
            text = decode(b"".join(blocks(stream, unified=False))).replace("\r\n", "\n")
        findings += [(name_of(path), finding) for finding in check_script(text, programs)]
    if args.json:
        print(json.dumps([{"file": name} | asdict(each) for name, each in findings], indent=2))
    else:
        for name, each in findings:
            print(f"{name}:{each.line}:{each.column}: {each.message}")
    return int(any(each.kind in refusing for _, each in findings))
