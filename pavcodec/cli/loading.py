"""The module of each command; a command imports its own module when it runs or shows its help."""

from __future__ import annotations

import argparse
from typing import Protocol

from pavcodec.cli.parsers import Parser

__all__ = ["Command", "load"]


class Command(Protocol):
    """What the module of a command has."""

    def add_arguments(self, parser: Parser) -> None:
        """Give a parser the arguments of the command."""

    def run(self, args: argparse.Namespace) -> int:
        """Run the command and return the exit code."""


def load(name: str) -> Command:
    """Import the module of a command; raise `KeyError` for another name."""
    for room in (_numbers, _deals, _odds, _files, _archives, _tournaments):
        found = room(name)
        if found is not None:
            return found
    raise KeyError(name)


def _numbers(name: str) -> Command | None:
    match name:
        case "encode":
            from pavcodec.cli.commands.numbers import encode

            return encode
        case "decode":
            from pavcodec.cli.commands.numbers import decode

            return decode
        case "identify":
            from pavcodec.cli.commands.numbers import identify

            return identify
        case "numberings":
            from pavcodec.cli.commands.numbers import numberings

            return numberings
    return None


def _deals(name: str) -> Command | None:
    match name:
        case "deal":
            from pavcodec.cli.commands.deals import deal

            return deal
        case "practice":
            from pavcodec.cli.commands.deals import practice

            return practice
        case "check":
            from pavcodec.cli.commands.deals import check

            return check
        case "ending":
            from pavcodec.cli.commands.deals import ending

            return ending
    return None


def _odds(name: str) -> Command | None:
    match name:
        case "count":
            from pavcodec.cli.commands.odds import count

            return count
        case "odds":
            from pavcodec.cli.commands.odds import odds

            return odds
        case "cases":
            from pavcodec.cli.commands.odds import cases

            return cases
        case "shapes":
            from pavcodec.cli.commands.odds import shapes

            return shapes
    return None


def _files(name: str) -> Command | None:  # noqa: PLR0911 (a line for each command)
    match name:
        case "convert":
            from pavcodec.cli.commands.files import convert

            return convert
        case "show":
            from pavcodec.cli.commands.files import show

            return show
        case "grep":
            from pavcodec.cli.commands.files import grep

            return grep
        case "stats":
            from pavcodec.cli.commands.files import stats

            return stats
        case "info":
            from pavcodec.cli.commands.files import info

            return info
        case "formats":
            from pavcodec.cli.commands.files import formats

            return formats
        case "demo":
            from pavcodec.cli.commands.files import demo

            return demo
    return None


def _archives(name: str) -> Command | None:  # noqa: PLR0911 (a line for each command)
    match name:
        case "pack":
            from pavcodec.cli.commands.archives import pack

            return pack
        case "unpack":
            from pavcodec.cli.commands.archives import unpack

            return unpack
        case "get":
            from pavcodec.cli.commands.archives import get

            return get
        case "append":
            from pavcodec.cli.commands.archives import append

            return append
        case "merge":
            from pavcodec.cli.commands.archives import merge

            return merge
        case "verify":
            from pavcodec.cli.commands.archives import verify

            return verify
        case "repair":
            from pavcodec.cli.commands.archives import repair

            return repair
    return None


def _tournaments(name: str) -> Command | None:
    match name:
        case "squaredeal":
            from pavcodec.cli.commands.tournaments import squaredeal

            return squaredeal
        case "bigdeal":
            from pavcodec.cli.commands.tournaments import bigdeal

            return bigdeal
    return None
