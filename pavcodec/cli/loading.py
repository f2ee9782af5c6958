"""The commands: the group, the summary and the module of each; `load` imports the module."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Protocol

from pavcodec.cli.parsers import Parser


class Command(Protocol):
    """What the module of a command has."""

    def add_arguments(self, parser: Parser) -> None:
        """Give a parser the arguments of the command."""

    def run(self, args: argparse.Namespace) -> int:
        """Run the command and return the exit code."""


Load = Callable[[], Command]

COMMAND_GROUPS: dict[str, dict[str, str]] = {}
"""The commands by subject, each with a summary."""

_LOADERS: dict[str, Load] = {}


def load(name: str) -> Command:
    """Import the module of a command; raise `KeyError` for another name."""
    return _LOADERS[name]()


def _command(group: str, summary: str) -> Callable[[Load], Load]:
    """Add a command, whose name is that of the function, to a group."""

    def add(loader: Load) -> Load:
        COMMAND_GROUPS.setdefault(group, {})[loader.__name__] = summary
        _LOADERS[loader.__name__] = loader
        return loader

    return add


@_command("numbers", "print the number of each deal or ending")
def encode() -> Command:
    from pavcodec.cli.commands.numbers import encode

    return encode


@_command("numbers", "print the deal or ending of each number")
def decode() -> Command:
    from pavcodec.cli.commands.numbers import decode

    return decode


@_command("numbers", "list what a number or a code may mean, in every scheme")
def identify() -> Command:
    from pavcodec.cli.commands.numbers import identify

    return identify


@_command("numbers", "list the numberings, or describe one")
def numberings() -> Command:
    from pavcodec.cli.commands.numbers import numberings

    return numberings


@_command("deals", "draw random deals, or list all deals of a condition")
def deal() -> Command:
    from pavcodec.cli.commands.deals import deal

    return deal


@_command("deals", "make practice boards, with a page for each player")
def practice() -> Command:
    from pavcodec.cli.commands.deals import practice

    return practice


@_command("deals", "check scripts for pavcodec and for other dealing programs")
def check() -> Command:
    from pavcodec.cli.commands.deals import check

    return check


@_command("deals", "check whether legal play can reach an ending, and show how")
def ending() -> Command:
    from pavcodec.cli.commands.deals import ending

    return ending


@_command("odds", "count the deals that satisfy a condition, exactly")
def count() -> Command:
    from pavcodec.cli.commands.odds import count

    return count


@_command("odds", "compute the probability of an event, or a distribution")
def odds() -> Command:
    from pavcodec.cli.commands.odds import odds

    return odds


@_command("odds", "list patterns and honours with their ways and running totals")
def cases() -> Command:
    from pavcodec.cli.commands.odds import cases

    return cases


@_command("odds", "list the shapes and patterns of a hand, with probabilities")
def shapes() -> Command:
    from pavcodec.cli.commands.odds import shapes

    return shapes


@_command("files", "convert files to another format, and join them")
def convert() -> Command:
    from pavcodec.cli.commands.files import convert

    return convert


@_command("files", "turn boards round the table, with all that they hold")
def turn() -> Command:
    from pavcodec.cli.commands.files import turn

    return turn


@_command("files", "compute the double-dummy tricks and par of boards")
def solve() -> Command:
    from pavcodec.cli.commands.files import solve

    return solve


@_command("files", "draw boards on the screen, as a web page or as a picture")
def show() -> Command:
    from pavcodec.cli.commands.files import show

    return show


@_command("files", "print hand records, cards and sheets for players, as PDF or HTML")
def print() -> Command:
    from pavcodec.cli.commands.files import print_pages

    return print_pages


@_command("files", "find the boards that satisfy a condition")
def grep() -> Command:
    from pavcodec.cli.commands.files import grep

    return grep


@_command("files", "compare the deals in files with exact expectations")
def stats() -> Command:
    from pavcodec.cli.commands.files import stats

    return stats


@_command("files", "describe a file and check its checksum")
def info() -> Command:
    from pavcodec.cli.commands.files import info

    return info


@_command("files", "list the file formats")
def formats() -> Command:
    from pavcodec.cli.commands.files import formats

    return formats


@_command("archives", "pack boards into a small archive")
def pack() -> Command:
    from pavcodec.cli.commands.archives import pack

    return pack


@_command("archives", "write the boards of an archive in another format")
def unpack() -> Command:
    from pavcodec.cli.commands.archives import unpack

    return unpack


@_command("archives", "print boards of an archive, or find a deal in it")
def get() -> Command:
    from pavcodec.cli.commands.archives import get

    return get


@_command("archives", "add boards to an archive")
def append() -> Command:
    from pavcodec.cli.commands.archives import append

    return append


@_command("archives", "join archives, or compare sets of deals")
def merge() -> Command:
    from pavcodec.cli.commands.archives import merge

    return merge


@_command("archives", "check archives for damage")
def verify() -> Command:
    from pavcodec.cli.commands.archives import verify

    return verify


@_command("archives", "save the undamaged part of an archive")
def repair() -> Command:
    from pavcodec.cli.commands.archives import repair

    return repair


@_command("tournaments", "make, deal and verify tournaments that anybody can check")
def squaredeal() -> Command:
    from pavcodec.cli.commands.tournaments import squaredeal

    return squaredeal


@_command("tournaments", "deal the boards of a seed of the program Big Deal")
def bigdeal() -> Command:
    from pavcodec.cli.commands.tournaments import bigdeal

    return bigdeal


@_command("in the browser", "serve the pages in the browser, and the JSON interface")
def serve() -> Command:
    from pavcodec.cli.commands.browser import serve

    return serve


@_command("first steps", "take the tour: run the main commands on a real file")
def demo() -> Command:
    from pavcodec.cli.commands.files import demo

    return demo


COMMANDS = {name: text for group in COMMAND_GROUPS.values() for name, text in group.items()}
"""The summary of each command."""
