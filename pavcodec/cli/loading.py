"""The module of each command, imported when the command is used or its help is asked for."""

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
    """Import the module of a command."""
    for find in (_numbers, _deals, _odds, _files, _about, _archives, _mending, _tournaments):
        found = find(name)
        if found is not None:
            return found
    raise KeyError(name)


def _numbers(name: str) -> Command | None:
    if name == "encode":
        from pavcodec.cli.commands.numbers import encode

        return encode
    if name == "decode":
        from pavcodec.cli.commands.numbers import decode

        return decode
    if name == "identify":
        from pavcodec.cli.commands.numbers import identify

        return identify
    if name == "numberings":
        from pavcodec.cli.commands.numbers import numberings

        return numberings
    if name == "ending":
        from pavcodec.cli.commands.numbers import ending

        return ending
    return None


def _deals(name: str) -> Command | None:
    if name == "deal":
        from pavcodec.cli.commands.deals import deal

        return deal
    if name == "count":
        from pavcodec.cli.commands.deals import count

        return count
    if name == "practice":
        from pavcodec.cli.commands.deals import practice

        return practice
    if name == "check":
        from pavcodec.cli.commands.deals import check

        return check
    return None


def _odds(name: str) -> Command | None:
    if name == "odds":
        from pavcodec.cli.commands.odds import odds

        return odds
    if name == "cases":
        from pavcodec.cli.commands.odds import cases

        return cases
    if name == "stats":
        from pavcodec.cli.commands.odds import stats

        return stats
    if name == "shapes":
        from pavcodec.cli.commands.odds import shapes

        return shapes
    return None


def _files(name: str) -> Command | None:
    if name == "convert":
        from pavcodec.cli.commands.files import convert

        return convert
    if name == "show":
        from pavcodec.cli.commands.files import show

        return show
    if name == "grep":
        from pavcodec.cli.commands.files import grep

        return grep
    return None


def _about(name: str) -> Command | None:
    if name == "info":
        from pavcodec.cli.commands.files import info

        return info
    if name == "formats":
        from pavcodec.cli.commands.files import formats

        return formats
    if name == "demo":
        from pavcodec.cli.commands.files import demo

        return demo
    return None


def _archives(name: str) -> Command | None:
    if name == "pack":
        from pavcodec.cli.commands.archives import pack

        return pack
    if name == "unpack":
        from pavcodec.cli.commands.archives import unpack

        return unpack
    if name == "get":
        from pavcodec.cli.commands.archives import get

        return get
    if name == "append":
        from pavcodec.cli.commands.archives import append

        return append
    return None


def _mending(name: str) -> Command | None:
    if name == "merge":
        from pavcodec.cli.commands.archives import merge

        return merge
    if name == "verify":
        from pavcodec.cli.commands.archives import verify

        return verify
    if name == "repair":
        from pavcodec.cli.commands.archives import repair

        return repair
    return None


def _tournaments(name: str) -> Command | None:
    if name == "bigdeal":
        from pavcodec.cli.commands.tournaments import bigdeal

        return bigdeal
    if name == "squaredeal":
        from pavcodec.cli.commands.tournaments import squaredeal

        return squaredeal
    return None
