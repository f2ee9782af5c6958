"""The entry point: read the arguments, run a command, turn errors into a line and an exit code.

Exit codes: 0 done, 1 the data is wrong, 2 the command was used wrongly, 130 stopped by the user.
"""

from __future__ import annotations

import argparse
import gc
import io
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from contextvars import copy_context
from typing import Any, NoReturn

from pavcodec._version import __version__
from pavcodec.cli.loading import load
from pavcodec.errors import PavError, TextError, UnknownNameError

__all__ = ["COMMANDS", "main", "make_parser"]

COMMANDS = {
    "encode": "print the number of each deal or ending",
    "decode": "print the deal or ending of each number",
    "convert": "turn a file into another format",
    "count": "count the deals that satisfy a condition, exactly",
    "odds": "tell how likely an event is, or how a number is distributed",
    "cases": "list patterns and honours with their ways and totals",
    "deal": "deal at random, or all deals of a condition",
    "practice": "make boards to practise with, a page for each player",
    "pack": "put boards into an archive, in few bits",
    "unpack": "write the boards of an archive in any format",
    "get": "print boards of an archive, or find a deal in it",
    "append": "add boards to an archive",
    "merge": "make one archive of several, or compare sets",
    "verify": "look for damage in archives",
    "repair": "save what is whole in a damaged archive",
    "bigdeal": "deal what a seed of the program Big Deal gives",
    "squaredeal": "make, deal and verify tournaments that anybody can check",
    "check": "check scripts, also for other dealing programs",
    "grep": "find the boards that satisfy a condition",
    "stats": "compare what deals hold with what is expected, exactly",
    "show": "draw boards on the screen, as a page or as a picture",
    "info": "tell what is in a file, and check its checksum",
    "ending": "tell whether legal play can reach an ending, and how",
    "identify": "tell what a number or a code may be, in every scheme",
    "numberings": "list the numberings, or tell all about one",
    "shapes": "list the shapes and patterns of a hand, with their chances",
    "formats": "list the file formats",
    "demo": "take the tour: a real file through the main jobs",
}

_DESCRIPTION = """\
Turn bridge deals and endings into numbers and back, exactly, in every numbering that people use;
count and deal what satisfies a condition."""
_EPILOG = """\
examples:
  pavcodec demo
  pavcodec encode event.pbn
  pavcodec decode 0 12345678901234567890123456789
  pavcodec encode event.pbn | pavcodec decode | pavcodec encode
  pavcodec convert event.pbn deals.txt
  pavcodec count 'hcp(south) >= 20'
  pavcodec deal 'hcp(south) >= 20' -n 4

exit codes: 0 done, 1 the data is wrong, 2 wrong usage"""


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help with the texts as they stand and room for the longest option beside its meaning."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28)
        self._action_max_length = 14  # argparse forgets that commands are indented


class _Parser(argparse.ArgumentParser):
    """A parser whose errors say in one line what was expected and where help is."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (see '{self.prog} --help')\n")


class _Command(_Parser):
    """The parser of a command: options may stand before, between and behind other arguments."""

    _is_mixing = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:  # noqa: ANN401
        """Parse as argparse does where options come between; it calls this once more.

        Behind `--` nothing is an option, which argparse forgets when it mixes. A command that has
        actions leaves it to their parsers.
        """
        if self._is_mixing or self._subparsers is not None or "--" in (args or ()):
            return super().parse_known_args(args, namespace)
        self._is_mixing = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_mixing = False


_SELDOM = 100_000
"""The objects after which garbage is looked for: loading numba makes very many, and no garbage."""


def make_parser(command: str | None = None) -> argparse.ArgumentParser:
    """Return the parser; the arguments of one command are filled in if it is named, else of all."""
    parser = _Parser("pavcodec", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=_Help)
    parser.add_argument("--version", action="version", version=f"pavcodec {__version__}")
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", title="commands", parser_class=_Command
    )
    for name, summary in COMMANDS.items():
        sub = commands.add_parser(
            name,
            help=summary,
            description=f"{summary[0].upper()}{summary[1:]}.",
            formatter_class=_Help,
        )
        if command is None or command == name:
            load(name).add_arguments(sub)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a narrow screen shows ? for what it lacks
    if arguments is None:  # the process is ours: leave no half-written file behind when told to end
        gc.set_threshold(_SELDOM, 20, 20)
        for name in ("SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), _end)
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments))
    except BrokenPipeError:  # who reads the output has gone: nothing is left to say
        _abandon_output()
        return 1
    except KeyboardInterrupt:
        return 130


def _end(number: int, frame: object) -> NoReturn:  # noqa: ARG001 (signals come with a frame)
    raise SystemExit(128 + number)


def _run(words: list[str]) -> int:
    """Parse the words, run the command they name, and report in one line what stops it."""
    parser = make_parser(next((word for word in words if word in COMMANDS), ""))
    try:
        args = parser.parse_args(words)
    except SystemExit as stop:  # help or version was printed, or the usage is wrong
        try:
            _flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            return _fail(parser.prog, error)
        return stop.code if isinstance(stop.code, int) else 0
    if args.command is None:
        parser.print_help()
        return 2
    try:
        _check_output(args)
        command = load(args.command)
        try:
            code: int = copy_context().run(command.run, args)  # names of variables end with it
        finally:
            _tell_problems()
        _flush()
    except BrokenPipeError:
        raise
    except (PavError, OSError) as error:
        return _fail(f"{parser.prog} {args.command}", error)
    return code


def _tell_problems() -> None:
    """Print what is left to say of problems; commands without files have not loaded the module."""
    if "pavcodec.cli.output.streams" in sys.modules:
        from pavcodec.cli.output.streams import Problems

        Problems.tell_all()


def _fail(program: str, error: Exception) -> int:
    """Say in one line what is wrong, show where, and return the exit code."""
    from pavcodec.cli.output.streams import UsageError, complain

    if isinstance(error, OSError) and error.filename is None:
        _abandon_output()
    line = " ".join(_one_line(error).split("\n"))
    complain(f"{program}: {line}")
    for more in getattr(error, "shown", ()):  # the text with carets under what is wrong
        complain(more)
    return 2 if isinstance(error, UnknownNameError | UsageError) else 1


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _abandon_output() -> None:
    """Send what is still to be written nowhere, so that leaving Python does not fail on it."""
    with suppress(AttributeError, OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _check_output(args: argparse.Namespace) -> None:
    """Refuse to print where there is nothing to print on, and to replace a file unasked."""
    if sys.stdout is None and getattr(args, "output", "-") == "-":
        raise PavError("stdout: cannot be written: it is closed")
    if hasattr(args, "force"):
        from pavcodec.cli.output.targets import outputs_of, refuse_existing

        refuse_existing(outputs_of(args), force=args.force)


def _one_line(error: Exception) -> str:
    """Say what is wrong, without the caret lines of a text error."""
    if isinstance(error, TextError):
        return error.message
    if isinstance(error, OSError):
        return f"{error.filename or 'output'}: {error.strerror}"
    return str(error)
