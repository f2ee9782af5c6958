"""The module of each command, imported when the command is used or its help is asked for."""

from __future__ import annotations

import argparse
from typing import Protocol

__all__ = ["Command", "load"]


class Command(Protocol):
    """What the module of a command has."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
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
        from pavcodec.cli import encode

        return encode
    if name == "decode":
        from pavcodec.cli import decode

        return decode
    if name == "identify":
        from pavcodec.cli import identify

        return identify
    if name == "numberings":
        from pavcodec.cli import numberings

        return numberings
    if name == "ending":
        from pavcodec.cli import ending

        return ending
    return None


def _deals(name: str) -> Command | None:
    if name == "deal":
        from pavcodec.cli import deal

        return deal
    if name == "count":
        from pavcodec.cli import count

        return count
    if name == "practice":
        from pavcodec.cli import practice

        return practice
    if name == "check":
        from pavcodec.cli import check

        return check
    return None


def _odds(name: str) -> Command | None:
    if name == "odds":
        from pavcodec.cli import odds

        return odds
    if name == "cases":
        from pavcodec.cli import cases

        return cases
    if name == "stats":
        from pavcodec.cli import stats

        return stats
    if name == "shapes":
        from pavcodec.cli import shapes

        return shapes
    return None


def _files(name: str) -> Command | None:
    if name == "convert":
        from pavcodec.cli import convert

        return convert
    if name == "show":
        from pavcodec.cli import show

        return show
    if name == "grep":
        from pavcodec.cli import grep

        return grep
    return None


def _about(name: str) -> Command | None:
    if name == "info":
        from pavcodec.cli import info

        return info
    if name == "formats":
        from pavcodec.cli import formats

        return formats
    if name == "demo":
        from pavcodec.cli import demo

        return demo
    return None


def _archives(name: str) -> Command | None:
    if name == "pack":
        from pavcodec.cli import pack

        return pack
    if name == "unpack":
        from pavcodec.cli import unpack

        return unpack
    if name == "get":
        from pavcodec.cli import get

        return get
    if name == "append":
        from pavcodec.cli import append

        return append
    return None


def _mending(name: str) -> Command | None:
    if name == "merge":
        from pavcodec.cli import merge

        return merge
    if name == "verify":
        from pavcodec.cli import verify

        return verify
    if name == "repair":
        from pavcodec.cli import repair

        return repair
    return None


def _tournaments(name: str) -> Command | None:
    if name == "bigdeal":
        from pavcodec.cli import bigdeal

        return bigdeal
    if name == "squaredeal":
        from pavcodec.cli import squaredeal

        return squaredeal
    return None
