"""Random combinations of options end in our own words: no traceback, and an exit code we know."""

from __future__ import annotations

import argparse
import io
import shutil
import signal
import sys
import traceback
import warnings
from random import Random
from typing import TYPE_CHECKING

import pytest
from cli_support import parsers
from formats_support import DEAL, DEMO, ENDING, NUMBER

import pavcodec as pav
from pavcodec.cli import main
from pavcodec.formats import format_names

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RUNS, SECONDS = 100, 2
STDIN = [b"", b"5\n", b"N:AK - - -\n", b'[Deal "N:AKQJT98765432... - - -"]\n', b"\xff\x00\n"]
TEXTS = """\
0|1|2|3|-1|7|16|1-3|-3|::2|18446744073709551615|1.5|1,2|1,1|2G|0x1f|N|SA|x|é|\udcff|| |-|-|-|-
deal|balanced|base5|andrews|zbs|bba|lines|pbn|numbers|lin|html|stayman|any 4432|north SAK|south S
hcp(north) >= 20|spades(west) == 9|rnd(2) == 1|hcp(north) > 40|hcp(|hcp(south)|hcp(south) >= 20 : 1
"""
WORDS = [*TEXTS.replace("\n", "|").split("|"), DEAL, ENDING, str(NUMBER), "N:AK", "- - - -"]
OUTPUTS = ["-", "-", "new.pbn", "new.pav", "new.txt", "new.foo", "new", "event.pbn", "no/new.pbn"]
SCRIPTS = {
    "a.dlr": "produce 3\nhcp(north) >= 12\naction printoneline, average hcp(south)\n",
    "b.dlr": "predeal north SAK\ndealer east\nproduce 2\naction printpbn, average 1\n",
    "c.dlr": "die = rnd(2)\nweak = hcp(south) < 9\nstrong = !weak\ngenerate 50\ncondition die\n",
}
ENDLESS = {"demo", "serve"}
"""The commands that run on: the tour, and the server, whose processes remain if it has no time."""


PARSERS = parsers()


class TooLongError(BaseException):
    """A command takes too long to wait for it; it is no `Exception`, so that nothing catches it."""


def make_files(folder: Path) -> None:
    """Write the files that commands are given."""
    boards = [board for board in pav.read(DEMO) if board.layout and board.layout.is_deal][:5]
    for name in ("event.pbn", "deals.lines", "some.numbers", "a.lin", "a.csv", "a.deal12", "a.pav"):
        pav.write(boards, folder / name)
    for name, text in SCRIPTS.items():
        (folder / name).write_text(text)
    (folder / "empty.pbn").write_bytes(b"")
    (folder / "torn.pav").write_bytes((folder / "a.pav").read_bytes()[:-9])
    (folder / "a.cases").write_bytes(b"nothing of the kind")


def some_value(turn: Random, action: argparse.Action, files: list[str]) -> str:
    sort = turn.random()
    if action.choices is not None and sort < 0.9:
        return str(turn.choice(list(action.choices)))
    if action.dest in ("output", "plot", "csv", "export", "folder"):
        return turn.choice(OUTPUTS)
    if action.dest in ("to_format", "from_format") and sort < 0.8:
        return turn.choice(format_names())
    is_file = "FILE" in str(action.metavar) or action.dest in ("files", "input", "script", "keys")
    return turn.choice(files if sort < (0.9 if is_file else 0.15) else WORDS)


def some_words(turn: Random, files: list[str]) -> Iterator[str]:
    """Yield the words of a command line, made from what argparse knows of the command."""
    name = turn.choice([name for name in PARSERS if name not in ENDLESS])
    yield from name.split()
    parser = PARSERS[name]
    often = turn.choice((0.05, 0.15, 0.3))
    for each in parser._actions:
        if isinstance(each, argparse._HelpAction | argparse._VersionAction):
            continue
        if not each.option_strings:
            least, most = {"?": (0, 1), "*": (0, 3), "+": (1, 3)}.get(str(each.nargs), (1, 1))
            yield from (some_value(turn, each, files) for _ in range(turn.randint(least, most)))
        elif each.required or turn.random() < often:
            yield turn.choice(each.option_strings)
            if each.nargs != 0:
                yield some_value(turn, each, files)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer")
def test_random_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    def end(*_: object) -> None:
        raise TooLongError

    made, place, turn = tmp_path / "made", tmp_path / "place", Random(17)
    made.mkdir()
    make_files(made)
    files, faults = sorted(path.name for path in made.iterdir()), []
    signal.signal(signal.SIGALRM, end)
    for number in range(RUNS):
        words = list(some_words(turn, files))
        if number % 20 == 0:
            monkeypatch.chdir(tmp_path)
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(made, place)
            monkeypatch.chdir(place)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(turn.choice(STDIN))))
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                code = main(words)
        except TooLongError:
            continue
        except BaseException as error:  # noqa: BLE001 (whatever comes is what is looked for)
            where = traceback.extract_tb(error.__traceback__)[-1]
            faults.append(f"{words}: {error!r} at {where.filename}:{where.lineno}")
            continue
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            err = capsysbinary.readouterr().err.decode(errors="replace")
        if code not in (0, 1, 2) or "Traceback" in err or (code == 2 and not err):
            faults.append(f"{words}: exit code {code}, {err[:200]!r}")
    assert not faults, "\n".join(faults)
