"""Random command lines, made from what argparse knows of each command."""

from __future__ import annotations

import argparse
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType

from formats_support import DEAL, ENDING, NUMBER

import pavcodec as pav
from pavcodec.cli.loading import COMMANDS
from pavcodec.cli.main import make_parser
from pavcodec.formats import format_names, format_of
from pavcodec.tournament import Phase, with_value

WORDS = [
    *("0", "1", "2", "3", "-1", "7", "16", "1-3", "-3", "::2", "18446744073709551615", "9" * 20),
    *(
        "",
        " ",
        "x",
        "1.5",
        "1,2",
        "1,1",
        "1,1 reserve",
        "2G",
        "1",
        "0x1f",
        "N",
        "SA",
        "\udcff",
        "é",
    ),
    *(
        "deal",
        "balanced",
        "base5",
        "andrews",
        "zbs",
        "bba",
        "lines",
        "pbn",
        "numbers",
        "lin",
        "html",
    ),
    *("hcp(north) >= 20", "spades(west) == 9", "rnd(2) == 1", "hcp(north) > 40", "hcp(", "1"),
    *("hcp(south)", "spades(west) == 13 && hearts(north) == 13", "north SAK", "south S", "stayman"),
    *(DEAL, ENDING, str(NUMBER), "N:AK", "- - - -", "hcp(south) >= 20 : 1", "north,2", "any 4432"),
]
OUTPUTS = ["-", "-", "new.pbn", "new.pav", "new.txt", "new.foo", "new", "event.pbn", "no/new.pbn"]
SCRIPTS = {
    "a.dlr": "produce 3\nhcp(north) >= 12\naction printoneline, average hcp(south)\n",
    "b.dlr": "predeal north SAK\ndealer east\nproduce 2\naction printpbn, average 1\n",
    "c.dlr": "die = rnd(2)\nweak = hcp(south) < 9\nstrong = !weak\ngenerate 50\ncondition die\n",
}
SECONDS = 5
ENDLESS = {"demo", "serve"}
"""The commands that run on: the tour, and the server, whose processes remain if it has no time."""


class TooLongError(BaseException):
    """A command takes too long to wait for it; it is no `Exception`, so that nothing catches it."""


def make_files(folder: Path) -> None:
    """Write the files that commands are given."""
    deals = pav.numbering("deal").sample(5, seed=5)
    tricks = pav.TrickTable(bytes([7, 6, 7, 6] + [8, 5, 8, 5] * 4))
    boards = [
        pav.Board.make(deal, number=number, tags={"Event": "Club night"})
        for number, deal in enumerate(deals, 1)
    ]
    pav.write(boards, folder / "event.pbn")
    pav.write([boards[0], pav.Board(None, (pav.Tag("Board", "9"),))], folder / "more.pbn")
    pav.write(deals, folder / "deals.txt", format="lines")
    pav.write(deals, folder / "numbers.txt", format="numbers")
    pav.write([pav.Board.solved(deal, tricks) for deal in deals], folder / "solved.zrd")
    with (folder / "event.pav").open("wb") as out:
        pav.write_archive(boards, out, all=True)
    with (folder / "set.pav").open("wb") as out:
        pav.write_archive(deals, out, kind="set", space="deal")
    for name in format_names():
        found = format_of(name)
        if found.is_read and name not in ("parquet", "pav"):
            try:
                pav.write(boards, folder / f"in.{name}", format=name)
            except pav.PavError:
                continue
    for name, text in SCRIPTS.items():
        (folder / name).write_text(text)
    event = pav.create_event(
        folder / "event.sqd", name="Cup", delayed="the value", phases=[Phase.parse("2:4:C#:Cup")]
    )
    source = folder / "event.sqd"
    source.write_bytes(with_value(source.read_bytes(), "5", event.source))
    (folder / "empty.pbn").write_bytes(b"")
    (folder / "torn.pav").write_bytes((folder / "event.pav").read_bytes()[:-9])
    (folder / "a.cases").write_bytes(b"nothing of the kind")


class Lines:
    """Makes command lines from a seed."""

    def __init__(self, seed: int, files: list[str]) -> None:
        self.random = Random(seed)
        self.files = files
        self.parsers = {name: self._parser(name) for name in COMMANDS if name not in ENDLESS}

    @staticmethod
    def _parser(name: str) -> argparse.ArgumentParser:
        return _subparsers(make_parser(name))[name]

    def line(self) -> list[str]:
        """Return the words of one command."""
        name = self.random.choice(list(self.parsers))
        parser, words = self.parsers[name], [name]
        actions = _subparsers(parser)
        if actions:
            action = self.random.choice(list(actions))
            parser = actions[action]
            words.append(action)
        return [*words, *self._arguments(parser)]

    def _arguments(self, parser: argparse.ArgumentParser) -> Iterator[str]:
        often = self.random.choice((0.05, 0.15, 0.3))
        for each in parser._actions:
            if isinstance(each, argparse._HelpAction | argparse._VersionAction):
                continue
            is_asked_for = each.required or self.random.random() < often
            if not each.option_strings:
                yield from self._positionals(each)
            elif is_asked_for:
                for _ in range(self.random.choice((1, 1, 1, 2))):
                    yield self.random.choice(each.option_strings)
                    if each.nargs != 0:
                        yield self._value(each)

    def _positionals(self, action: argparse.Action) -> Iterator[str]:
        least, most = {None: (1, 1), "?": (0, 1), "*": (0, 3), "+": (1, 3)}[action.nargs]  # type: ignore[index]
        for _ in range(self.random.randint(least, most)):
            yield self._value(action)

    def _value(self, action: argparse.Action) -> str:
        choose, sort = self.random.choice, self.random.random()
        if action.choices is not None and sort < 0.9:
            return str(choose(list(action.choices)))
        if action.dest in ("output", "plot", "csv", "export", "folder"):
            return choose(OUTPUTS)
        if action.dest in ("to_format", "from_format") and sort < 0.8:
            return choose(format_names())
        if "FILE" in str(action.metavar) or action.dest in ("files", "input", "script", "keys"):
            return choose(self.files) if sort < 0.9 else choose(WORDS)
        if action.dest == "description":
            return "event.sqd" if sort < 0.9 else choose(WORDS)
        return choose(self.files) if sort < 0.15 else choose(WORDS)


def _subparsers(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TooLongError` in the block after some seconds."""

    def end(_number: int, _frame: FrameType | None) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def fresh_folder(made: Path, place: Path) -> None:
    """Put the files in their place as they were made."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(made, place)
