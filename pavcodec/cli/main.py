"""The entry point: read the arguments, run a command, turn errors into a line and an exit code.

Exit codes: 0 done, 1 the data is wrong, 2 the command was used wrongly, 130 interrupted.
The signals are those of `pavcodec.__main__`.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from contextvars import copy_context
from typing import TextIO

from pavcodec._version import __version__
from pavcodec.cli.loading import COMMAND_GROUPS, COMMANDS, load
from pavcodec.cli.parsers import Command, Parser, flags_of, see_help
from pavcodec.errors import MissingExtraError, PavError, TextError, UnknownNameError

_DESCRIPTION = """\
Turn bridge deals and endings into numbers and back, exactly, in every numbering that people use;
count and deal what satisfies a condition.

'pavcodec help COMMAND' prints the help page of a command."""
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


def make_parser(command: str | None = None) -> argparse.ArgumentParser:
    """Return the parser; the arguments of one command are filled in if it is named, else of all."""
    parser = Parser(
        "pavcodec",
        usage="pavcodec COMMAND [OPTION]… [ARGUMENT]…",
        description=_DESCRIPTION + _overview(),
        epilog=_EPILOG,
    )
    commands = parser.add_subparsers(
        dest="command",
        metavar="COMMAND",
        prog=parser.prog,
        help=argparse.SUPPRESS,
        parser_class=Command,
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"pavcodec {__version__}",
        help="print the version",
    )
    parser.add_help_option("options")
    for name, summary in COMMANDS.items():
        sub = commands.add_parser(name, description=f"{summary[0].upper()}{summary[1:]}.")
        if command is None or command == name:
            load(name).add_arguments(sub)
            sub.set_defaults(flags=flags_of(sub))
        sub.add_help_option()
    return parser


def _overview() -> str:
    """Return the list of the commands, by groups."""
    lines: list[str] = []
    for group, commands in COMMAND_GROUPS.items():
        lines += ["", f"{group}:", *(f"  {name:<11} {text}" for name, text in commands.items())]
    return "\n".join(["", *lines])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal shows ? for characters that it lacks
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments))
    except BrokenPipeError:  # the reader of the output has closed it
        _abandon(sys.stdout)
        return 1
    except KeyboardInterrupt:
        return 130
    finally:
        _flush_errors()


def _run(words: list[str]) -> int:
    """Parse the words, run the command they name, and report in one line what stops it."""
    if words[:1] == ["help"]:
        words = [*(word for word in words if word != "help"), "--help"]
    parser = make_parser(next((word for word in words if word in COMMANDS), ""))
    try:
        args = parser.parse_args(words)
        args.words = words
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
        code: int = copy_context().run(_run_heard, args)
        _flush()
    except BrokenPipeError:
        raise
    except (PavError, OSError, MemoryError) as error:
        if isinstance(error, MissingExtraError):
            error = _with_all_needs(error, args)
        return _fail(f"{parser.prog} {args.command}", error, args)
    return code


def _run_heard(args: argparse.Namespace) -> int:
    """Run a command in a context of its own, with which names of variables end; print notes."""
    from pavcodec.cli.asking import Terminal  # here, so that help and version start at once
    from pavcodec.questions.asking import asking

    command = load(args.command)
    with asking(Terminal(args)):
        if sys.stdout is None and getattr(args, "output", "-") == "-":
            raise PavError("stdout: cannot be written: it is closed")
        return command.run(args)


def _with_all_needs(error: MissingExtraError, args: argparse.Namespace) -> MissingExtraError:
    """Return the error with all that the command line needs, for one call of pip."""
    from pavcodec.cli.output.streams import missing_packages

    return MissingExtraError(*dict.fromkeys([*error.needs, *missing_packages(args)]))


def _fail(program: str, error: Exception, args: argparse.Namespace | None = None) -> int:
    """Print in one line what is wrong, show where, and return the exit code."""
    from pavcodec.cli.output.streams import complain
    from pavcodec.questions.asking import QuestionError

    if isinstance(error, OSError) and error.filename is None:
        _abandon(sys.stdout)
    flags: dict[str, str] = getattr(args, "flags", {})
    told = _one_line(error)
    if isinstance(error, QuestionError):
        told = error.told(lambda name: flags.get(name, f"{{{name}}}"))
    line = " ".join(told.split("\n"))
    action = getattr(args, "action", "")
    code = 2 if isinstance(error, UnknownNameError | QuestionError) else 1
    page = f" {see_help(f'{program} {action}'.strip())}" if code == 2 else ""
    complain(f"{program}: {line}{page}")
    for more in getattr(error, "shown", ()):  # the text with carets under the wrong part
        complain(more)
    return code


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _flush_errors() -> None:
    """Write the rest of the error stream, if that is possible."""
    if sys.stderr is not None:
        try:
            sys.stderr.flush()
        except OSError:
            _abandon(sys.stderr)


def _abandon(stream: TextIO) -> None:
    """Discard what a stream has not written, so that Python exits without an error."""
    with suppress(AttributeError, OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _one_line(error: Exception) -> str:
    """Return the message of an error, without the caret lines of a text error."""
    if isinstance(error, TextError):
        return error.message
    if isinstance(error, OSError) and error.strerror is not None:
        return f"{error.filename or 'output'}: {error.strerror}"
    if isinstance(error, MemoryError):
        return (
            "the memory that this process may use does not suffice; where a command counts, "
            "--memory limits what it takes"
        )
    return str(error)
